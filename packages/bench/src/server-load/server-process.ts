import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { ProcessUsage } from './process-usage.ts'
import { SERVE_SCOPES, type ServeAsk, type ServeRequest } from './serve-scopes.ts'

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

type Message =
  { readonly url: string } | { readonly id: number; readonly value?: unknown; readonly error?: string }

/** Starts a server on any free port and waits until it listens. @throws Error with what it said when it ends before that. */
export async function startServerProcess(request: ServeRequest): Promise<ServerProcess> {
  const child = fork(fileURLToPath(SERVE_SCOPES), [JSON.stringify(request)], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let said = ''
  child.stderr?.on('data', (piece: Buffer) => {
    said = (said + piece.toString('utf8')).slice(-2_000)
  })
  const ended = once(child, 'close')
  const { promise: listening, resolve, reject } = Promise.withResolvers<string>()
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  child.on('message', (message) => {
    const told = message as Message
    if ('url' in told) return resolve(told.url)
    const one = waiting.get(told.id)
    waiting.delete(told.id)
    if (told.error === undefined) one?.resolve(told.value)
    else one?.reject(new Error(told.error))
  })
  child.once('close', () => {
    const gone = new Error(`The server's process ended. ${said}`.trim())
    reject(gone)
    for (const one of waiting.values()) one.reject(gone)
  })
  let asked = 0
  const ask = (what: ServeAsk): Promise<unknown> => {
    const answer = Promise.withResolvers<unknown>()
    waiting.set((asked += 1), answer)
    child.send({ id: asked, ask: what })
    return answer.promise
  }
  return {
    url: await listening,
    usage: async ({ collect = false } = {}) =>
      (await ask(collect ? 'collected-usage' : 'usage')) as ProcessUsage,
    settle: async () => void (await ask('settle')),
    stop: async () => {
      await ask('stop')
      await ended
    },
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}
