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

/**
 * Validates a caller's id or name: non-empty, well-formed and of bounded length.
 * An invalid one is rejected, since a repaired one could equal another.
 *
 * @throws InvalidInputError
 */
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
