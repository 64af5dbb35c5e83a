import { inspect } from 'node:util'
import { CommanderError } from 'commander'
import { KeepsakeError } from '@keepsake/text/names'
import { buildProgram } from './build-program.ts'
import { EXIT, exitCodeOf } from './exit-codes.ts'
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
    const given = new Set(argv)
    return reportError(io, error, { debug: given.has('--debug'), json: given.has('--json') })
  }
}

/** Commands that list what a name or id may mean. */
const LISTED_BY: Readonly<Record<string, string>> = {
  memory: 'keepsake list',
  operation: 'keepsake history MEMORY',
  turn: 'keepsake confirm',
  entity: 'keepsake entities',
  block: 'keepsake blocks',
}

/** Returns the message of an error, on one line, with what the command line offers next. */
function messageOf(error: unknown): string {
  const message = (error instanceof Error ? error.message : String(error)).replaceAll(/\s*\n\s*/g, ' ').trim()
  const { code, path } = error as NodeJS.ErrnoException
  if (path !== undefined && /^E(?:NOENT|ACCES|PERM|ISDIR|NOTDIR|ROFS)$/.test(code ?? ''))
    return `"${path}" cannot be used: ${message}. Check that its folder exists and that you may write there.`
  const command = error instanceof KeepsakeError ? LISTED_BY[String(error.details['what'])] : undefined
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
  // With the stacks of all causes.
  if (options.debug) io.stderr.write(`${inspect(error)}\n`)
  return exitCode
}
