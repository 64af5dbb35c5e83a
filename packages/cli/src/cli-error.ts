import { EXIT } from './exit-codes.ts'

/** An error whose message is printed without a stack, and the exit code of the command. */
export class CliError extends Error {
  override readonly name = 'CliError'
  readonly exitCode: number

  constructor(message: string, exitCode: number, options: { cause?: unknown } = {}) {
    super(message, options)
    this.exitCode = exitCode
  }
}

/** Returns the error for a name on the command line that does not exist. */
export const notFound = (message: string, cause?: unknown): CliError =>
  new CliError(message, EXIT.notFound, { cause })

/** Returns the error for wrong usage. */
export const wrongUsage = (message: string): CliError => new CliError(message, EXIT.usage)
