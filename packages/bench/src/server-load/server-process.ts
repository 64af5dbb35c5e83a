import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { openKeyStore, sideFiles } from '@keepsake/server'
import type { ProcessUsage } from '../processes/process-usage.ts'
import { SERVE_SCOPES, type ServeAnswer, type ServeAsk, type ServeRequest } from './serve-scopes.ts'

/** A server in a process of its own. */
export interface ServerProcess {
  readonly url: string
  readonly usage: (options?: { readonly collect?: boolean }) => Promise<ProcessUsage>
  /** Waits until it has nothing left to do in the background. */
  readonly settle: () => Promise<void>
  readonly stop: () => Promise<void>
  /** Ends it without a word (SIGKILL), and waits until it is gone. */
  readonly kill: () => Promise<void>
}

/** Of what it said on standard error, so much is told when it ends. */
const LONGEST_SAID = 2_000

/**
 * Starts a server on any free port and waits until it listens.
 *
 * @throws Error with what it said when it ends before that.
 */
export async function startServerProcess(request: ServeRequest): Promise<ServerProcess> {
  const child = fork(fileURLToPath(SERVE_SCOPES), [JSON.stringify(request)], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const ended = once(child, 'close')
  const talk = new ServerTalk(child)
  const url = await talk.listening
  return {
    url,
    usage: async ({ collect = false } = {}) =>
      (await talk.ask(collect ? 'collected-usage' : 'usage')) as ProcessUsage,
    settle: async () => void (await talk.ask('settle')),
    stop: async () => {
      await talk.ask('stop')
      await ended
    },
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Questions to a server's process, each with its answer; all fail when it ends. */
class ServerTalk {
  readonly listening: Promise<string>
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>()
  #asked = 0
  #said = ''

  constructor(child: ChildProcess) {
    this.#child = child
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    this.listening = promise
    child.stderr?.on('data', (piece: Buffer) => {
      this.#said = (this.#said + piece.toString('utf8')).slice(-LONGEST_SAID)
    })
    child.on('message', (message) => {
      const told = message as ServeAnswer
      if ('url' in told) resolve(told.url)
      else this.#answer(told)
    })
    child.once('close', () => {
      const gone = new Error(`The server's process ended. ${this.#said}`.trim())
      reject(gone)
      for (const one of this.#waiting.values()) one.reject(gone)
    })
  }

  ask(ask: ServeAsk): Promise<unknown> {
    const answer = Promise.withResolvers<unknown>()
    this.#asked += 1
    this.#waiting.set(this.#asked, answer)
    this.#child.send({ id: this.#asked, ask })
    return answer.promise
  }

  #answer(told: Exclude<ServeAnswer, { readonly url: string }>): void {
    const one = this.#waiting.get(told.id)
    this.#waiting.delete(told.id)
    if ('error' in told) one?.reject(new Error(told.error))
    else one?.resolve(told.value)
  }
}

/** A key to a server's file, for some actions or for all, with a limit that no benchmark meets. */
export function makeKey(path: string, actions?: readonly ('read' | 'write' | 'erase')[]): string {
  const keys = openKeyStore({ path: sideFiles(path).keysFile })
  try {
    const limited = actions === undefined ? {} : { actions }
    return keys.create({ name: 'bench', ...limited, requestsPerMinute: 1_000_000_000 }).key
  } finally {
    keys.close()
  }
}
