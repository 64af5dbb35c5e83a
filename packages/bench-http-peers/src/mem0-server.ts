import type { RetrieveOptions } from '@keepsake/bench'
import { z } from 'zod'
import { mem0Change, type Mem0Change } from './mem0-changes.ts'
import {
  MEM0_MESSAGES_PER_ADD,
  mem0Item,
  Mem0Memory,
  type Mem0Addition,
  type Mem0Item,
} from './mem0-memory.ts'
import { PeerError } from './peer-error.ts'
import type { PeerDefinition } from './peer.ts'

/** The server lists no more than this, and has no pages. */
const LONGEST_LIST = 1_000

const added = z.object({ results: z.array(mem0Change) })
const listed = z.object({ results: z.array(mem0Item) })

/**
 * Mem0's self-hosted server ("Mem0 REST APIs" 1.0.0, with keys in `X-API-Key`). Additions are processed within
 * the request, so that one may take as long as its language model does. It takes no times of turns.
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
  settings: { messagesPerAdd: MEM0_MESSAGES_PER_ADD, turnTimes: 'not taken by the service' },
  open: (peer) => new Mem0ServerMemory(peer),
}

class Mem0ServerMemory extends Mem0Memory {
  protected async send(body: Mem0Addition): Promise<readonly Mem0Change[]> {
    const options = { body, isSafeToRepeat: false, timeoutMs: this.peer.processingMs }
    return (await this.peer.client.ask('POST /memories', added, options)).results
  }

  protected async listAll(): Promise<readonly Mem0Item[]> {
    const query = { user_id: this.user, top_k: String(LONGEST_LIST) }
    const { results } = await this.peer.client.ask('GET /memories', listed, { query })
    if (results.length < LONGEST_LIST) return results
    throw new PeerError({
      system: this.peer.system,
      request: 'GET /memories',
      status: 200,
      problem: `lists ${LONGEST_LIST} memories at most, and this user may have more`,
      advice: 'Measure this system on shorter conversations, or without what needs all memories listed.',
    })
  }

  protected async find(query: string, { limit }: RetrieveOptions): Promise<readonly Mem0Item[]> {
    const body = { query, filters: { user_id: this.user }, top_k: limit }
    return (await this.peer.client.ask('POST /search', listed, { body })).results
  }

  update(id: string, text: string): Promise<void> {
    return this.peer.client.tell(`PUT /memories/${encodeURIComponent(id)}`, { body: { text } })
  }

  protected deleteUser(): Promise<void> {
    return this.peer.client.tell('DELETE /memories', { query: { user_id: this.user }, mayBeAbsent: true })
  }
}
