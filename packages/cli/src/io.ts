/** Where a command writes. A terminal's `isTTY` and `columns` decide on colour, wrapping and progress bars. */
export type Output = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }

/** Where a command reads from: a pipe, or a terminal where a person answers. */
export type Input = NodeJS.ReadableStream & { readonly isTTY?: boolean }

/** Everything of the outside world that a command may use; passed in, so that tests run commands in-process. */
export interface Io {
  readonly stdin: Input
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
}
