import { PassThrough } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { runCli } from '../run-cli.ts'
import { Collector } from './run-command.ts'

/** Keys as a terminal sends them. */
export const KEYS = { enter: '\r', ctrlC: '\u0003', ctrlD: '\u0004' } as const

/** A command that runs in this process, at a terminal somebody types on. */
export interface TypedRun {
  readonly type: (keys: string) => void
  /** Resolves when the screen shows this. @throws when it does not within the time that a test has. */
  readonly shows: (what: string | RegExp) => Promise<void>
  /** Everything shown so far, without colours. */
  readonly screen: () => string
  readonly ended: Promise<number>
}

const PATIENCE_MS = 50_000
const LOOK_EVERY_MS = 10

/** Runs a command with a terminal of 100 columns on all three streams. */
export function runTyped(argv: readonly string[]): TypedRun {
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined })
  const output = Object.assign(new Collector(), { isTTY: true, columns: 100, rows: 40 })
  const screen = (): string => stripVTControlCharacters(output.text)
  return {
    type: (keys) => void stdin.write(keys),
    async shows(what) {
      const isShown = (): boolean =>
        typeof what === 'string' ? screen().includes(what) : what.test(screen())
      for (let waited = 0; !isShown(); waited += LOOK_EVERY_MS) {
        if (waited > PATIENCE_MS) throw new Error(`The screen never showed ${String(what)}:\n${screen()}`)
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
      }
    },
    screen,
    // A dumb terminal draws no progress, which would fill the text with its many versions.
    ended: runCli(argv, { stdin, stdout: output, stderr: output, env: { TERM: 'dumb' } }),
  }
}
