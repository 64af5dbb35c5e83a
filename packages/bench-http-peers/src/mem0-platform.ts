import { z } from 'zod'
import type { RetrieveOptions } from '@keepsake/bench'
import { MEM0_MESSAGES_PER_ADD, Mem0Memory, type Mem0Addition } from './mem0-memory.ts'
import { mem0Change, mem0Item, type Mem0Change, type Mem0Item } from './mem0-results.ts'
import { nameThrowAwayUser } from './peer-memory.ts'
import { findNoRefusal, pollUntil, processingError, type PeerDefinition } from './peer.ts'
import { instantOf } from './send-turns.ts'

const PAGE_SIZE = 100

const added = z.union([
  z.object({ event_id: z.string() }),
  z.object({ results: z.array(mem0Change) }),
  z.array(mem0Change).transform((results) => ({ results })),
])

const event = z.object({
  status: z.enum(['PENDING', 'RUNNING', 'FAILED', 'SUCCEEDED']),
  results: z.unknown(),
})

const page = z.object({ next: z.string().nullable(), results: z.array(mem0Item) })
const found = z.object({ results: z.array(mem0Item) })

/**
 * Mem0's hosted platform, as its npm client `mem0ai` 3.3.1 speaks to it: additions and searches of version 3,
 * changes and deletions of versions 1 and 2, paths that end in a slash. Additions are processed in the
 * background and followed through their event.
 *
 * A message carries no time: the whole addition has the time of its last message. What the service does not
 * say of an addition (`results` of its event) is `null`, and the harness compares what stood before and after.
 */
export const mem0Platform: PeerDefinition = {
  name: 'mem0-platform',
  speaks: 'Mem0 platform, /v3/memories (mem0ai 3.3.1)',
  defaultUrl: 'https://api.mem0.ai',
  keyVariable: 'MEM0_API_KEY',
  needsKey: true,
  keyHeader: (key) => ({ authorization: `Token ${key}` }),
  findRefusal: findNoRefusal,
  settings: { messagesPerAdd: MEM0_MESSAGES_PER_ADD, turnTimes: 'one an addition' },
  open: (peer) => new Mem0PlatformMemory(peer, nameThrowAwayUser(peer)),
}

class Mem0PlatformMemory extends Mem0Memory {
  protected async send(addition: Mem0Addition): Promise<readonly Mem0Change[] | null> {
    const answer = await this.peer.client.request({
      method: 'POST',
      path: '/v3/memories/add/',
      body: {
        messages: addition.messages,
        user_id: this.user,
        metadata: { session: addition.session },
        timestamp: Math.floor(addition.at / 1_000),
      },
      reads: added,
      isSafeToRepeat: false,
    })
    return 'results' in answer ? answer.results : this.#follow(answer.event_id)
  }

  async #follow(id: string): Promise<readonly Mem0Change[] | null> {
    const path = `/v1/event/${encodeURIComponent(id)}/`
    const awaited = { what: `the addition ${id}`, method: 'GET', path }
    const done = await pollUntil(
      this.peer,
      awaited,
      () => this.peer.client.request({ method: 'GET', path, reads: event }),
      (state) => state.status === 'SUCCEEDED' || state.status === 'FAILED',
    )
    if (done.status === 'FAILED') throw processingError(this.peer, awaited, done.status)
    // The elements of `results` are not documented: those of another form are as good as none told.
    const changes = z.array(mem0Change).safeParse(done.results)
    return changes.success ? changes.data : null
  }

  protected async list(): Promise<readonly Mem0Item[]> {
    const items: Mem0Item[] = []
    for (let number = 1; ; number += 1) {
      const answer = await this.peer.client.request({
        method: 'POST',
        path: '/v3/memories/',
        query: { page: String(number), page_size: String(PAGE_SIZE) },
        body: { filters: { user_id: this.user } },
        reads: page,
      })
      items.push(...answer.results)
      if (answer.next === null) return items
    }
  }

  protected async search(query: string, options: RetrieveOptions): Promise<readonly Mem0Item[]> {
    const answer = await this.peer.client.request({
      method: 'POST',
      path: '/v3/memories/search/',
      body: {
        query,
        output_format: 'v1.1',
        top_k: options.limit,
        reference_date: instantOf(options.at),
        filters: { user_id: this.user },
      },
      reads: found,
    })
    return answer.results
  }

  async update(id: string, text: string): Promise<void> {
    await this.peer.client.request({
      method: 'PUT',
      path: `/v1/memories/${encodeURIComponent(id)}/`,
      body: { text },
      reads: z.unknown(),
    })
  }

  protected async deleteUser(): Promise<void> {
    await this.peer.client.request({
      method: 'DELETE',
      path: '/v1/memories/',
      query: { user_id: this.user },
      reads: z.unknown(),
      whenAbsent: { value: null },
    })
    await this.peer.client.request({
      method: 'DELETE',
      path: `/v2/entities/user/${encodeURIComponent(this.user)}/`,
      reads: z.unknown(),
      whenAbsent: { value: null },
    })
  }
}
