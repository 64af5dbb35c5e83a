/** A generator cannot make what is requested, or got invalid input. The message says what to do. */
export class GenerateError extends Error {
  override readonly name = 'GenerateError'
}
