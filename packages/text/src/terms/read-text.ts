import { describeValue } from '../errors/describe-value.ts'
import { InvalidInputError } from '../errors/invalid-input-error.ts'

/** The longest text taken, in UTF-16 units: 4 MB of plain text, far above anything said or stated. */
export const LONGEST_TEXT = 4_000_000
/** The longest name or id. */
export const LONGEST_NAME = 512

/** A text as given by a caller; it may be empty. @throws InvalidInputError */
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
 * An id or name as given by a caller: a non-empty string of bounded length, well-formed. One that is not is refused: mended, it would be the
 * same as another.
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
