import { inspect } from 'node:util'
import { CommanderError } from 'commander'
import { KeepsakeError, type ErrorCode } from '@keepsake/text/names'
import { buildProgram } from './build-program.ts'
import { CliError } from './cli-error.ts'
import { EXIT } from './exit-codes.ts'
import type { Io } from './io.ts'
import { fitToWidth } from './output/print.ts'

/** Runs one command and returns its exit code. Never throws and never ends the process, so that tests can call it. */
export async function runCli(argv: readonly string[], io: Io): Promise<number> {
  try {
    const program = await buildProgram(io, argv[0])
    await program.parseAsync([...argv], { from: 'user' })
    return EXIT.ok
  } catch (error) {
    // Commander has already printed its message or the help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage
    const options = { debug: argv.includes('--debug'), json: argv.includes('--json') }
    return reportError(io, error, options)
  }
}

/** Commands that list the names or ids of a kind. */
const LIST_COMMANDS: Readonly<Record<string, string>> = {
  memory: 'keepsake list',
  operation: 'keepsake history MEMORY',
  turn: 'keepsake confirm',
  entity: 'keepsake entities',
  block: 'keepsake blocks',
}

/** Returns the message of an error on one line, with the command that lists valid names. */
function messageOf(error: unknown): string {
  const message = (error instanceof Error ? error.message : String(error)).replaceAll(/\s*\n\s*/g, ' ').trim()
  const { code, path } = error as NodeJS.ErrnoException
  if (path !== undefined && /^E(?:NOENT|ACCES|PERM|ISDIR|NOTDIR|ROFS)$/.test(code ?? ''))
    return `"${path}" cannot be used: ${message}. Check that its folder exists and that you may write there.`
  const command = error instanceof KeepsakeError ? LIST_COMMANDS[String(error.details['what'])] : undefined
  return command === undefined
    ? message
    : message.replace(/list what there is to see them/, `"${command}" lists them`)
}

/** Prints one line (with the stack under `--debug`, as JSON under `--json`) and returns the exit code. */
function reportError(io: Io, error: unknown, options: { debug: boolean; json: boolean }): number {
  const exitCode = exitCodeOf(error)
  const message = messageOf(error)
  if (options.json) {
    const code = error instanceof KeepsakeError ? error.code : undefined
    const details = error instanceof KeepsakeError ? error.details : undefined
    io.stderr.write(`${JSON.stringify({ error: { message, code, details, exitCode } })}\n`)
  } else {
    io.stderr.write(`${fitToWidth(io.stderr, `keepsake: ${message}`)}\n`)
  }
  // Prints the stacks of all causes too.
  if (options.debug) io.stderr.write(`${inspect(error)}\n`)
  return exitCode
}

/** Exit codes of the engine's errors that are no plain failure. */
const CODES_OF_ERRORS: Partial<Record<ErrorCode, number>> = {
  'invalid-input': EXIT.usage,
  'not-found': EXIT.notFound,
  'store-busy': EXIT.store,
  'store-read-only': EXIT.store,
  'store-full': EXIT.store,
  'store-corrupt': EXIT.store,
  'store-schema': EXIT.store,
  'store-failed': EXIT.store,
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CliError) return error.exitCode
  if (isUnreadableFile(error)) return EXIT.failure
  return (error instanceof KeepsakeError ? CODES_OF_ERRORS[error.code] : undefined) ?? EXIT.failure
}

/** Whether an error is an `ImportError` that asks for no option. The check by name loads no package at the start. */
function isUnreadableFile(error: unknown): boolean {
  if (!(error instanceof KeepsakeError) || error.name !== 'ImportError') return false
  return 'question' in error && error.question === null
}
