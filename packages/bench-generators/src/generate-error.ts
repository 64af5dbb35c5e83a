/** A generator cannot make what is asked for, or was given what it cannot use. The message says what to do. */
export class GenerateError extends Error {
  override readonly name = 'GenerateError'
}
