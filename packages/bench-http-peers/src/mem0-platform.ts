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
import { awaitProcessed, type PeerDefinition } from './peer.ts'
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
  settings: { messagesPerAdd: MEM0_MESSAGES_PER_ADD, turnTimes: 'one an addition' },
  open: (peer) => new Mem0PlatformMemory(peer),
}

class Mem0PlatformMemory extends Mem0Memory {
  protected async send(addition: Mem0Addition, at: number): Promise<readonly Mem0Change[] | null> {
    const body = { ...addition, timestamp: Math.floor(at / 1_000) }
    const options = { body, isSafeToRepeat: false }
    const answer = await this.peer.client.ask('POST /v3/memories/add/', added, options)
    if ('results' in answer) return answer.results
    const { results } = await awaitProcessed(this.peer, {
      what: `the addition ${answer.event_id}`,
      line: `GET /v1/event/${encodeURIComponent(answer.event_id)}/`,
      reads: event,
      stateOf: ({ status }) =>
        status === 'SUCCEEDED' ? 'done' : status === 'FAILED' ? 'failed' : 'under way',
    })
    // The elements of `results` are not documented: in another form they tell us nothing.
    const changes = z.array(mem0Change).safeParse(results)
    return changes.success ? changes.data : null
  }

  protected async listAll(): Promise<readonly Mem0Item[]> {
    const items: Mem0Item[] = []
    for (let number = 1; ; number += 1) {
      const answer = await this.peer.client.ask('POST /v3/memories/', page, {
        query: { page: String(number), page_size: String(PAGE_SIZE) },
        body: { filters: { user_id: this.user } },
      })
      items.push(...answer.results)
      if (answer.next === null) return items
    }
  }

  protected async find(query: string, { limit, at }: RetrieveOptions): Promise<readonly Mem0Item[]> {
    const filters = { user_id: this.user }
    const body = { query, output_format: 'v1.1', top_k: limit, reference_date: instantOf(at), filters }
    return (await this.peer.client.ask('POST /v3/memories/search/', found, { body })).results
  }

  update(id: string, text: string): Promise<void> {
    return this.peer.client.tell(`PUT /v1/memories/${encodeURIComponent(id)}/`, { body: { text } })
  }

  protected async deleteUser(): Promise<void> {
    const query = { user_id: this.user }
    await this.peer.client.tell('DELETE /v1/memories/', { query, mayBeAbsent: true })
    const user = encodeURIComponent(this.user)
    await this.peer.client.tell(`DELETE /v2/entities/user/${user}/`, { mayBeAbsent: true })
  }
}
