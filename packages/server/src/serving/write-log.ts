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

const FRAMES = 8

/** The loggable part of an error: its kind and origin. Its message may quote a user (a parser's does) and is added on request only. */
export function describeError(
  error: unknown,
  withMessage = false,
): { readonly error: string; readonly at?: string; readonly message?: string } {
  if (!(error instanceof Error)) return { error: typeof error }
  const code = 'code' in error && typeof error.code === 'string' ? ` ${error.code}` : ''
  const cause = error.cause === undefined ? '' : ` from ${describeError(error.cause).error}`
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return {
    error: `${error.name}${code}${cause}`,
    ...(frames.length === 0
      ? {}
      : {
          at: frames
            .slice(0, FRAMES)
            .map((line) => line.trim().slice(3))
            .join(' < '),
        }),
    ...(withMessage ? { message: error.message } : {}),
  }
}
