import { openServer } from '@keepsake/server'
import { openMemory } from 'keepsake'
import { isChild } from '../peers/ask-child.ts'
import { processUsage } from './process-usage.ts'

export interface ServeRequest {
  readonly path: string
  readonly synchronous: 'full' | 'normal'
  readonly cacheBytes?: number
}

/** What the parent asks of a server's process. `settle` waits until nothing is left to do in the background. */
export type ServeAsk = 'usage' | 'collected-usage' | 'settle' | 'stop'

/** Where it listens, then an answer to each question. */
export type ServeAnswer =
  | { readonly url: string }
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: string }

const tell = (answer: ServeAnswer): void => void process.send?.(answer)

/** A server as `keepsake serve` opens it, in a process of its own that answers its parent beside. */
async function serve({ path, ...options }: ServeRequest): Promise<void> {
  const keepsake = await openMemory({ path, ...options })
  const server = await openServer({ keepsake, port: 0 })
  const stop = async (): Promise<void> => {
    await server.close()
    await keepsake.close()
  }
  const answer = async (ask: ServeAsk): Promise<unknown> => {
    switch (ask) {
      case 'usage':
        return processUsage()
      case 'collected-usage':
        return processUsage({ collect: true })
      case 'settle':
        return keepsake.drain()
      case 'stop':
        return stop()
    }
  }
  const reply = async ({ id, ask }: { id: number; ask: ServeAsk }): Promise<void> => {
    try {
      tell({ id, value: (await answer(ask)) ?? null })
    } catch (error) {
      tell({ id, error: String(error) })
    }
    // The channel keeps the process alive until the parent knows.
    if (ask === 'stop') process.disconnect()
  }
  process.on('message', (message: { id: number; ask: ServeAsk }) => void reply(message))
  // Whoever started it is gone, or knows that it stopped.
  process.once('disconnect', () => process.exit())
  tell({ url: server.url })
}

/** This module, for whoever starts it as a process. */
export const SERVE_SCOPES = import.meta.url

if (isChild(import.meta.url)) await serve(JSON.parse(process.argv[2] ?? '{}') as ServeRequest)
