import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { runCli } from '../run-cli.ts'
import { Collector } from './run-command.ts'

export interface Served {
  readonly url: string
  readonly port: number
  /** The inspector's URL with its key; empty for commands that print none. */
  readonly page: string
  /** Returns the output on stderr so far. */
  readonly err: () => string
  /** Resolves at the end with the exit code or the signal that ended the process. */
  readonly ended: Promise<number | NodeJS.Signals>
  readonly end: (signal: NodeJS.Signals) => Promise<number | NodeJS.Signals>
}

/** `keepsake serve` in a separate process. */
export interface ServedProcess extends Served {
  readonly child: ChildProcess
}

const KEEPSAKE = fileURLToPath(new URL('../../bin/keepsake.mjs', import.meta.url))
const READY_MS = 120_000
const SERVE = ['serve', '--port', '0'] as const

/**
 * Starts a server in a separate process and waits until it listens. Default: `keepsake serve` on any free port.
 *
 * @throws Error with the output on stderr if the process ends before it listens.
 */
export async function runServer(
  argv: readonly string[],
  command: readonly string[] = SERVE,
): Promise<ServedProcess> {
  const child = spawn(process.execPath, [KEEPSAKE, ...command, '--json', ...argv], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let err = ''
  child.stderr.on('data', (piece: Buffer) => {
    err += piece.toString()
  })
  const ended = once(child, 'exit').then(
    ([code, signal]: (number | NodeJS.Signals | null)[]) => code ?? signal ?? 0,
  )
  const line = await firstLine(child, () => err)
  return {
    child,
    ...readAddress(line),
    err: () => err,
    ended,
    end: (signal) => {
      child.kill(signal)
      return ended
    },
  }
}

/**
 * Starts a server in this process, which saves the seconds in which a separate process loads the engine.
 * `end` emits the signal's event in this process and sends no real signal.
 */
export async function serveHere(
  argv: readonly string[],
  command: readonly string[] = SERVE,
): Promise<Served> {
  const [stdout, stderr] = [new PassThrough(), new Collector()]
  const io = { stdin: new PassThrough(), stdout, stderr, env: {} }
  const ended = runCli([...command, '--json', ...argv], io)
  const early = ended.then((code) => {
    throw new Error(`It ended with ${code} before it listened: ${stderr.text}`)
  })
  const line = await Promise.race([once(stdout, 'data').then(String), early])
  early.catch(() => undefined)
  return {
    ...readAddress(line),
    err: () => stderr.text,
    ended,
    end: (signal) => {
      process.emit(signal, signal)
      return ended
    },
  }
}

/** Reads the JSON line that a command prints when it listens. */
function readAddress(line: string): Pick<Served, 'url' | 'port' | 'page'> {
  const { url, page = '' } = JSON.parse(line) as { url: string; page?: string }
  return { url, port: Number(new URL(url).port), page }
}

async function firstLine(child: ChildProcess, err: () => string): Promise<string> {
  let out = ''
  return new Promise((resolve, reject) => {
    const timeout = setTimeout(() => reject(new Error(`It does not listen. ${err()}`)), READY_MS)
    child.stdout?.on('data', (piece: Buffer) => {
      out += piece.toString()
      if (!out.includes('\n')) return
      clearTimeout(timeout)
      resolve(out.slice(0, out.indexOf('\n')))
    })
    child.once('exit', (code) => {
      clearTimeout(timeout)
      reject(new Error(`It ended with ${code} before it listened: ${err()}`))
    })
  })
}
