/** A failure of the command line itself, in a sentence a person can act on. */
export class CliError extends Error {
  override readonly name = 'CliError'
  readonly exitCode: number

  constructor(message: string, exitCode: number, options: { cause?: unknown } = {}) {
    super(message, options)
    this.exitCode = exitCode
  }
}

/** Something named on the command line is not there. Exit code 3. */
export const notFound = (message: string, cause?: unknown): CliError => new CliError(message, 3, { cause })

/** The command was used wrongly. Exit code 2. */
export const wrongUsage = (message: string): CliError => new CliError(message, 2)
