// Writes the log of the server as JSON lines, without texts of users.
import type { LogEntry } from '../server-context.ts'

/** The target of log lines, such as `process.stderr`. */
export interface LogOutput {
  /** Writes one line of JSON. */
  write(line: string): unknown
}

/** Writes entries as lines of JSON, with ids, codes and counts, never texts or names of users. */
export function writeLog(output: LogOutput, now: () => number = Date.now): (entry: LogEntry) => void {
  return (entry) => {
    output.write(`${JSON.stringify({ time: new Date(now()).toISOString(), ...entry })}\n`)
  }
}

const MAX_STACK_FRAMES = 8

/** Returns the loggable part of an error: its kind and origin. The message may quote a user, so it is added on request only. */
export function describeError(
  error: unknown,
  withMessage = false,
): { readonly error: string; readonly at?: string; readonly message?: string } {
  if (!(error instanceof Error)) return { error: typeof error }
  const code = 'code' in error && typeof error.code === 'string' ? ` ${error.code}` : ''
  const cause = error.cause === undefined ? '' : ` from ${describeError(error.cause).error}`
  const stackLines = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  const frames = stackLines.slice(0, MAX_STACK_FRAMES).map((line) => line.trim().slice('at '.length))
  return {
    error: `${error.name}${code}${cause}`,
    ...(frames.length === 0 ? {} : { at: frames.join(' < ') }),
    ...(withMessage ? { message: error.message } : {}),
  }
}
