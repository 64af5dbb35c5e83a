import { PassThrough, Writable } from 'node:stream'
import { runCli } from '../run-cli.ts'

/** The output and the exit code of a command that ran in a test. */
export interface CliRun {
  readonly code: number
  readonly out: string
  readonly err: string
  /** Each line of stdout, parsed. */
  readonly json: () => unknown[]
}

export interface TestIo {
  readonly stdin?: string
  /** Makes stdout and stderr look like a terminal of so many columns. */
  readonly columns?: number
  readonly env?: Readonly<Record<string, string>>
}

/** A stream that collects its output as text. */
export class Collector extends Writable {
  text = ''
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString()
    done()
  }
}

function output({ columns }: TestIo): Collector {
  const collector = new Collector({ decodeStrings: true })
  return columns === undefined ? collector : Object.assign(collector, { isTTY: true, columns })
}

/** Runs a command in this process and collects its output. */
export async function run(argv: readonly string[], io: TestIo = {}): Promise<CliRun> {
  const stdin = new PassThrough()
  stdin.end(io.stdin ?? '')
  const stdout = output(io)
  const stderr = output(io)
  const code = await runCli(argv, { stdin, stdout, stderr, env: io.env ?? {} })
  const json = (): unknown[] =>
    stdout.text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as unknown)
  return { code, out: stdout.text, err: stderr.text, json }
}
