import { KeepsakeError } from 'keepsake/names'
import { exitCodeOf } from './exit-codes.ts'
import type { Io } from './io.ts'

/** Prints one clear line (with the stack under `--debug`, as JSON under `--json`) and gives the exit code. */
export function reportError(io: Io, error: unknown, options: { debug: boolean; json: boolean }): number {
  const exitCode = exitCodeOf(error)
  const message = (error instanceof Error ? error.message : String(error)).replaceAll(/\s*\n\s*/g, ' ').trim()
  if (options.json) {
    const code = error instanceof KeepsakeError ? error.code : undefined
    const details = error instanceof KeepsakeError ? error.details : undefined
    io.stderr.write(`${JSON.stringify({ error: { message, code, details, exitCode } })}\n`)
  } else {
    io.stderr.write(`keepsake: ${message}\n`)
  }
  if (options.debug) writeStack(io, error)
  return exitCode
}

function writeStack(io: Io, error: unknown): void {
  for (
    let current = error, depth = 0;
    current instanceof Error && depth < 5;
    current = current.cause, depth += 1
  ) {
    io.stderr.write(`${depth === 0 ? '' : 'caused by '}${current.stack ?? current.message}\n`)
  }
}
