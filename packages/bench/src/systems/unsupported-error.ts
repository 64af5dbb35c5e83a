/** A system under test lacks an operation. The message names both. */
export class UnsupportedError extends Error {
  override readonly name = 'UnsupportedError'
  readonly system: string

  constructor(system: string, what: string) {
    super(`${system} cannot ${what}.`)
    this.system = system
  }
}
