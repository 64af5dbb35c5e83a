export class CliError extends Error {
  override readonly name = 'CliError'
  readonly exitCode: number

  constructor(message: string, exitCode: number, options: { cause?: unknown } = {}) {
    super(message, options)
    this.exitCode = exitCode
  }
}

/** Something named on the command line does not exist. Exit code 3. */
export const notFound = (message: string, cause?: unknown): CliError => new CliError(message, 3, { cause })

/** Wrong usage. Exit code 2. */
export const wrongUsage = (message: string): CliError => new CliError(message, 2)
