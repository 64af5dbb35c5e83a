import { CommanderError } from 'commander'
import { buildProgram } from './build-program.ts'
import { EXIT } from './exit-codes.ts'
import type { Io } from './io.ts'
import { reportError } from './report-error.ts'

/**
 * Runs one command and says how it ended; never throws and never ends the process, so that tests run it in theirs.
 *
 * @param argv the arguments after `keepsake`.
 * @returns the exit code (see `--help`).
 * @example
 * const code = await runCli(['recall', 'Where does Maya live?', '--json'], process)
 */
export async function runCli(argv: readonly string[], io: Io): Promise<number> {
  try {
    const program = await buildProgram(io, argv[0])
    await program.parseAsync([...argv], { from: 'user' })
    return EXIT.ok
  } catch (error) {
    // Commander has printed its own message, or the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage
    const given = new Set(argv)
    return reportError(io, error, { debug: given.has('--debug'), json: given.has('--json') })
  }
}
