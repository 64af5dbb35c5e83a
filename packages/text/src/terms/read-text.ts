import { describeValue } from '../errors/describe-value.ts'
import { InvalidInputError } from '../errors/invalid-input-error.ts'

/** Maximum UTF-16 units of a text: 4 MB of plain text, far above any message or statement. */
export const LONGEST_TEXT = 4_000_000
/** Maximum UTF-16 units of a name or id. */
export const LONGEST_NAME = 512

/** Validates a caller's text, which may be empty. @throws InvalidInputError */
export function readText(value: unknown, what: string, longest = LONGEST_TEXT): string {
  if (typeof value !== 'string')
    throw new InvalidInputError(`${what} must be a string, but it is ${describeValue(value)}.`)
  if (value.length > longest) {
    throw new InvalidInputError(
      `${what} is ${value.length} characters long; at most ${longest} are taken. Split it into several.`,
    )
  }
  return value.toWellFormed()
}

/** Validates an id or name. An invalid one is rejected, since a repaired one could equal another. @throws InvalidInputError */
export function readName(value: unknown, what: string): string {
  if (typeof value !== 'string' || value.trim() === '') {
    throw new InvalidInputError(`${what} must be a non-empty string, but it is ${describeValue(value)}.`)
  }
  if (value.length > LONGEST_NAME) {
    throw new InvalidInputError(
      `${what} is ${value.length} characters long; at most ${LONGEST_NAME} are taken.`,
    )
  }
  if (!value.isWellFormed())
    throw new InvalidInputError(`${what} holds half of a character (a lone surrogate). Give it whole.`)
  return value
}

/** Matches characters that are invisible, change the direction of writing, or look like a space. Ids with and without one look the same. */
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u

/** Validates an id. An id with spaces around it, invisible or uncomposed characters looks like another, and is refused. @throws InvalidInputError */
export function readId(value: unknown, what: string): string {
  const name = readName(value, what)
  const fault = faultOfId(name)
  if (fault !== null) throw new InvalidInputError(`${what} ${fault}.`)
  return name
}

/** Makes a valid id of another program's text: composed, and without invisible characters. It may be empty. */
export function cleanId(text: string): string {
  return text.normalize('NFC').replaceAll(new RegExp(UNSEEN, 'gu'), '').trim()
}

/** Returns the fault by which an id looks like another, and the remedy. Returns `null` for a valid id. */
export function faultOfId(id: string): string | null {
  if (id.length > LONGEST_NAME) return `is longer than ${LONGEST_NAME} characters`
  if (id !== id.trim()) return 'begins or ends with a space: give it without'
  const unseen = UNSEEN.exec(id)?.[0].codePointAt(0)
  if (unseen !== undefined)
    return `holds a character that cannot be seen (U+${unseen.toString(16).toUpperCase().padStart(4, '0')}): give it without`
  return id === id.normalize('NFC') ? null : 'is not in Unicode’s composed form: give id.normalize("NFC")'
}
