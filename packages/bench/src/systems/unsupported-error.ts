/** A system under test has no such operation. Names the system and what it cannot do. */
export class UnsupportedError extends Error {
  override readonly name = 'UnsupportedError'
  readonly system: string

  constructor(system: string, what: string) {
    super(`${system} cannot ${what}.`)
    this.system = system
  }
}
