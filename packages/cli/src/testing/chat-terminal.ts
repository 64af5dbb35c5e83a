import { PassThrough } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { runCli } from '../run-cli.ts'
import { Collector } from './run-command.ts'

/** Keys as a terminal sends them. */
export const KEYS = { enter: '\r', ctrlC: '\u0003', ctrlD: '\u0004' } as const

/** A command that runs in this process with a simulated terminal. */
export interface TypedRun {
  readonly type: (keys: string) => void
  /** Waits until the screen shows a text. @throws Error if it does not appear within a test's time */
  readonly shows: (text: string | RegExp) => Promise<void>
  /** Returns everything shown so far, without colours. */
  readonly screen: () => string
  readonly ended: Promise<number>
}

const TIMEOUT_MS = 50_000
const POLL_INTERVAL_MS = 10

/** Runs a command with a terminal of 100 columns on all three streams. */
export function runTyped(argv: readonly string[]): TypedRun {
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined })
  const output = Object.assign(new Collector(), { isTTY: true, columns: 100, rows: 40 })
  const screen = (): string => stripVTControlCharacters(output.text)
  return {
    type: (keys) => void stdin.write(keys),
    async shows(text) {
      const isShown = (): boolean =>
        typeof text === 'string' ? screen().includes(text) : text.test(screen())
      for (let waitedMs = 0; !isShown(); waitedMs += POLL_INTERVAL_MS) {
        if (waitedMs > TIMEOUT_MS) throw new Error(`The screen never showed ${String(text)}:\n${screen()}`)
        await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS))
      }
    },
    screen,
    // With TERM=dumb no progress bar is drawn, which would fill the text with its many versions.
    ended: runCli(argv, { stdin, stdout: output, stderr: output, env: { TERM: 'dumb' } }),
  }
}
