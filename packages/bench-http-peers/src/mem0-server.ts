import { z } from 'zod'
import type { RetrieveOptions } from '@keepsake/bench'
import { MEM0_MESSAGES_PER_ADD, Mem0Memory, type Mem0Addition } from './mem0-memory.ts'
import { mem0Change, mem0Item, type Mem0Change, type Mem0Item } from './mem0-results.ts'
import { PeerError } from './peer-error.ts'
import { nameThrowAwayUser } from './peer-memory.ts'
import { findNoRefusal, type PeerDefinition } from './peer.ts'

/** The server lists no more than this, and has no pages. */
const LONGEST_LIST = 1_000

const added = z.object({ results: z.array(mem0Change) })
const listed = z.object({ results: z.array(mem0Item) })

/**
 * Mem0's self-hosted server ("Mem0 REST APIs" 1.0.0, with keys in `X-API-Key`). Additions are processed within
 * the request, so that one may take as long as its language model does. It takes no time of what was said.
 *
 * Deleting needs a key of an administrator, or a server without authentication.
 */
export const mem0Server: PeerDefinition = {
  name: 'mem0-server',
  speaks: 'Mem0 REST APIs 1.0.0 (self-hosted)',
  defaultUrl: 'http://localhost:8888',
  keyVariable: 'KEEPSAKE_BENCH_MEM0_SERVER_KEY',
  needsKey: false,
  keyHeader: (key) => ({ 'x-api-key': key }),
  findRefusal: findNoRefusal,
  settings: { messagesPerAdd: MEM0_MESSAGES_PER_ADD, turnTimes: 'not taken by the service' },
  open: (peer) => new Mem0ServerMemory(peer, nameThrowAwayUser(peer)),
}

class Mem0ServerMemory extends Mem0Memory {
  protected async send(addition: Mem0Addition): Promise<readonly Mem0Change[]> {
    const answer = await this.peer.client.request({
      method: 'POST',
      path: '/memories',
      body: {
        messages: addition.messages,
        user_id: this.user,
        metadata: { session: addition.session },
      },
      reads: added,
      isSafeToRepeat: false,
      timeoutMs: this.peer.processingMs,
    })
    return answer.results
  }

  protected async list(): Promise<readonly Mem0Item[]> {
    const { results } = await this.peer.client.request({
      method: 'GET',
      path: '/memories',
      query: { user_id: this.user, top_k: String(LONGEST_LIST) },
      reads: listed,
    })
    if (results.length < LONGEST_LIST) return results
    throw new PeerError({
      system: this.peer.system,
      method: 'GET',
      path: '/memories',
      status: 200,
      problem: `lists ${LONGEST_LIST} memories at most, and this user may have more`,
      advice: 'Measure this system on shorter conversations, or without what needs all memories listed.',
    })
  }

  protected async search(query: string, options: RetrieveOptions): Promise<readonly Mem0Item[]> {
    const answer = await this.peer.client.request({
      method: 'POST',
      path: '/search',
      body: { query, filters: { user_id: this.user }, top_k: options.limit },
      reads: listed,
    })
    return answer.results
  }

  async update(id: string, text: string): Promise<void> {
    await this.peer.client.request({
      method: 'PUT',
      path: `/memories/${encodeURIComponent(id)}`,
      body: { text },
      reads: z.unknown(),
    })
  }

  protected async deleteUser(): Promise<void> {
    await this.peer.client.request({
      method: 'DELETE',
      path: '/memories',
      query: { user_id: this.user },
      reads: z.unknown(),
      whenAbsent: { value: null },
    })
  }
}
