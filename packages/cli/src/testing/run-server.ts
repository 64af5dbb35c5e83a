import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { runCli } from '../run-cli.ts'
import { Collector } from './run-command.ts'

export interface Served {
  readonly url: string
  readonly port: number
  /** Where the inspector is, with the key in it, of commands that say so. */
  readonly page: string
  /** What it wrote to stderr so far. */
  readonly err: () => string
  /** The exit code, or the signal that ended it, once it has ended. */
  readonly ended: Promise<number | NodeJS.Signals>
  readonly end: (signal: NodeJS.Signals) => Promise<number | NodeJS.Signals>
}

/** `keepsake serve` in a process of its own. */
export interface ServedProcess extends Served {
  readonly child: ChildProcess
}

const KEEPSAKE = fileURLToPath(new URL('../../bin/keepsake.mjs', import.meta.url))
const READY_MS = 120_000
const SERVE = ['serve', '--port', '0'] as const

/**
 * Starts a command that serves, `keepsake serve` on any free port unless another is given, and waits until it listens.
 *
 * @throws Error with what it wrote when it ends before that.
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
    ...placeOf(line),
    err: () => err,
    ended,
    end: (signal) => {
      child.kill(signal)
      return ended
    },
  }
}

/**
 * The same in this process, which spares seconds of a processor: a process of its own loads the engine and a server.
 * The signal of its end is one that this process is made to believe in.
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
    ...placeOf(line),
    err: () => stderr.text,
    ended,
    end: (signal) => {
      process.emit(signal, signal)
      return ended
    },
  }
}

/** What the line says that a command prints once it listens. */
function placeOf(line: string): Pick<Served, 'url' | 'port' | 'page'> {
  const { url, page = '' } = JSON.parse(line) as { url: string; page?: string }
  return { url, port: Number(new URL(url).port), page }
}

async function firstLine(child: ChildProcess, err: () => string): Promise<string> {
  let out = ''
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`It does not listen. ${err()}`)), READY_MS)
    child.stdout?.on('data', (piece: Buffer) => {
      out += piece.toString()
      if (!out.includes('\n')) return
      clearTimeout(late)
      resolve(out.slice(0, out.indexOf('\n')))
    })
    child.once('exit', (code) => {
      clearTimeout(late)
      reject(new Error(`It ended with ${code} before it listened: ${err()}`))
    })
  })
}
