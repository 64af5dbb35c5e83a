import { openServer } from '@keepsake/server'
import { openMemory } from 'keepsake'
import { answerFurther, answerParent, isChild } from '../processes/child.ts'
import { processUsage } from '../processes/process-usage.ts'

export interface ServeRequest {
  readonly path: string
  readonly synchronous: 'full' | 'normal'
  readonly cacheBytes?: number
  /** Where chats go on to, with its version; nowhere when absent. */
  readonly upstream?: string
}

/** As `keepsake serve` has it. */
const LONGEST_TURN = 100_000

/** A server as `keepsake serve` opens it, in a process of its own that answers its parent beside. */
async function serve({ path, upstream, ...options }: ServeRequest): Promise<string> {
  const keepsake = await openMemory({ path, longestTurn: LONGEST_TURN, ...options })
  const server = await openServer({
    keepsake,
    port: 0,
    upstream: upstream === undefined ? null : { url: upstream, key: null },
  })
  answerFurther(async (ask) => {
    switch (ask) {
      case 'usage':
        return processUsage()
      case 'collected usage':
        return processUsage({ collect: true })
      case 'settle':
        return keepsake.drain()
      default:
        await server.close()
        return keepsake.close()
    }
  })
  return server.url
}

/** This module, for whoever starts it as a process. */
export const SERVE_SCOPES = import.meta.url

if (isChild(import.meta.url)) await answerParent(serve)
