import { createInterface } from 'node:readline/promises'

/** The output of a command. A terminal's `isTTY` and `columns` decide on colour, wrapping and progress bars. */
export type Output = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }

/** The input of a command: a pipe, or a terminal. */
export type Input = NodeJS.ReadableStream & { readonly isTTY?: boolean }

/** All outside resources of a command. They are passed in, so that tests can run commands in their own process. */
export interface Io {
  readonly stdin: Input
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Asks on a terminal. @returns the answer; `null` where no terminal can answer */
export async function askOnTerminal({ stdin, stderr }: Io, question: string): Promise<string | null> {
  if (stdin.isTTY !== true || stderr.isTTY !== true) return null
  const terminal = createInterface({ input: stdin, output: stderr })
  try {
    return (await terminal.question(question)).trim()
  } finally {
    terminal.close()
  }
}
