import { z } from 'zod'
import type { AddedDialogue, Dialogue, Retrieved, RetrieveOptions, SystemMemoryItem } from '@keepsake/bench'
import {
  dataOf,
  findMemobaseRefusal,
  itemsOfEvent,
  memobaseEvent,
  memobaseProfile,
  memobaseResult,
  readMemobaseOperations,
  splitIntoStatements,
  textOfProfile,
  type MemobaseProfile,
  type MemobaseResult,
} from './memobase-answers.ts'
import { PeerError } from './peer-error.ts'
import { NOTHING_RETRIEVED, PeerMemory } from './peer-memory.ts'
import type { PeerDefinition } from './peer.ts'
import { batchTurns, composeLines, instantOf, nameOf, roleOf } from './send-turns.ts'

const MESSAGES_PER_BLOB = 20
/**
 * The interface takes a budget of tokens, not a number of memories. HaluMem gave it 250 tokens where other
 * systems return 10 memories and 500 where they return 20 (appendix B.1).
 */
const TOKENS_PER_MEMORY = 25
/** More than any profile holds: without it, some clients of the service ask for a thousand tokens only. */
const WHOLE_PROFILE_TOKENS = 1_000_000
const FEWEST_EVENTS = 10

const inserted = dataOf(z.object({ id: z.string(), chat_results: z.array(memobaseResult).nullish() }))
const flushed = dataOf(z.array(memobaseResult).nullish())
const profiles = dataOf(z.object({ profiles: z.array(memobaseProfile) }))
const events = dataOf(z.object({ events: z.array(memobaseEvent) }))
const context = dataOf(z.object({ context: z.string() }))

/**
 * Memobase, `/api/v1` as its npm client `@memobase/memobase` 0.0.18 and its Python client speak it, hosted or
 * self-hosted. Talk goes into the user's buffer as chat blobs; the buffer is flushed after every dialogue and
 * the service asked to answer when that is processed, which takes as long as its language model does.
 *
 * A flush tells which slots of the profile it added, changed and deleted, and names the event that holds what
 * was learned: HaluMem read a dialogue's memories from the service's own database (appendix B.1), this reads
 * them from those events. Retrieval is the service's composed context, whose dashed lines count as memories.
 */
export const memobase: PeerDefinition = {
  name: 'memobase',
  speaks: 'Memobase /api/v1 (@memobase/memobase 0.0.18)',
  defaultUrl: 'https://api.memobase.dev',
  keyVariable: 'MEMOBASE_API_KEY',
  needsKey: true,
  keyHeader: (key) => ({ authorization: `Bearer ${key}` }),
  findRefusal: findMemobaseRefusal,
  settings: {
    messagesPerBlob: MESSAGES_PER_BLOB,
    tokensPerMemory: TOKENS_PER_MEMORY,
    flush: 'after every dialogue',
    turnTimes: 'one a message',
  },
  // Its users are UUIDs.
  open: (peer) => new MemobaseMemory(peer, peer.newId()),
}

class MemobaseMemory extends PeerMemory {
  readonly #learned = new Map<string, SystemMemoryItem[]>()
  #profile: readonly MemobaseProfile[] = []

  async addDialogue(dialogue: Dialogue): Promise<AddedDialogue> {
    if (dialogue.turns.length === 0) return { operations: [] }
    if (!this.isMade) await this.#addUser()
    const results = [...(await this.#insert(dialogue)), ...(await this.#flush())]
    const before = textsOf(this.#profile)
    this.#profile = await this.#readProfile()
    const learned = this.#learned.get(dialogue.session) ?? []
    this.#learned.set(dialogue.session, [...learned, ...(await this.#readEvents(results))])
    return { operations: readMemobaseOperations(results, before, textsOf(this.#profile)) }
  }

  async #addUser(): Promise<void> {
    this.markMade()
    await this.peer.client.request({
      method: 'POST',
      path: '/api/v1/users',
      body: { data: { made_by: 'keepsake-bench' }, id: this.user },
      reads: dataOf(z.object({ id: z.literal(this.user) })),
      isSafeToRepeat: false,
    })
  }

  async #insert(dialogue: Dialogue): Promise<readonly MemobaseResult[]> {
    const results: MemobaseResult[] = []
    for (const batch of batchTurns(dialogue.turns, { turns: MESSAGES_PER_BLOB })) {
      const messages = batch.map((turn) => {
        const alias = nameOf(turn)
        return {
          role: roleOf(turn),
          content: turn.text,
          ...(alias === null ? {} : { alias }),
          created_at: instantOf(turn.at),
        }
      })
      const { data } = await this.peer.client.request({
        method: 'POST',
        path: `/api/v1/blobs/insert/${this.user}`,
        query: { wait_process: 'true' },
        body: { blob_type: 'chat', blob_data: { messages } },
        reads: inserted,
        isSafeToRepeat: false,
        timeoutMs: this.peer.processingMs,
      })
      results.push(...(data.chat_results ?? []))
    }
    return results
  }

  async #flush(): Promise<readonly MemobaseResult[]> {
    const { data } = await this.peer.client.request({
      method: 'POST',
      path: `/api/v1/users/buffer/${this.user}/chat`,
      query: { wait_process: 'true' },
      reads: flushed,
      isSafeToRepeat: false,
      timeoutMs: this.peer.processingMs,
    })
    return data ?? []
  }

  async #readProfile(): Promise<readonly MemobaseProfile[]> {
    const { data } = await this.peer.client.request({
      method: 'GET',
      path: `/api/v1/users/profile/${this.user}`,
      query: { max_token_size: String(WHOLE_PROFILE_TOKENS) },
      reads: profiles,
    })
    return data.profiles
  }

  /** The events of the results, which are the newest: nobody else writes to this user. */
  async #readEvents(results: readonly MemobaseResult[]): Promise<readonly SystemMemoryItem[]> {
    const ids = results.flatMap((result) => result.event_id ?? [])
    if (ids.length === 0) return []
    const path = `/api/v1/users/event/${this.user}`
    const { data } = await this.peer.client.request({
      method: 'GET',
      path,
      query: { topk: String(Math.max(FEWEST_EVENTS, ids.length)) },
      reads: events,
    })
    return ids.flatMap((id) => {
      const event = data.events.find((candidate) => candidate.id === id)
      if (event !== undefined) return itemsOfEvent(event)
      throw new PeerError({
        system: this.peer.system,
        method: 'GET',
        path,
        status: 200,
        problem: `did not list the event ${id} that a flush had just named`,
        advice: 'The service may speak another version of its interface than this adapter does.',
      })
    })
  }

  dialogueMemories(session: string): Promise<readonly SystemMemoryItem[]> {
    return Promise.resolve(this.#learned.get(session) ?? [])
  }

  /** The profile; what events say besides cannot be listed whole. */
  async memories(): Promise<readonly SystemMemoryItem[]> {
    if (!this.isMade) return []
    this.#profile = await this.#readProfile()
    return this.#profile.map((slot) => ({ id: slot.id, text: textOfProfile(slot), turns: null }))
  }

  async retrieve(query: string, options: RetrieveOptions): Promise<Retrieved> {
    if (!this.isMade) return NOTHING_RETRIEVED
    const tokens = Math.min(options.tokens, options.limit * TOKENS_PER_MEMORY)
    const { data } = await this.peer.client.request({
      method: 'GET',
      path: `/api/v1/users/context/${this.user}`,
      query: {
        max_token_size: String(tokens),
        chats_str: JSON.stringify([{ role: 'user', content: query }]),
      },
      reads: context,
    })
    const statements = splitIntoStatements(data.context, 'dashed lines').slice(0, options.limit)
    return {
      ...NOTHING_RETRIEVED,
      memories: statements.map((text, index) => ({
        id: `context#${index + 1}`,
        text,
        turns: null,
        score: null,
      })),
      context: composeLines(data.context.split('\n'), options.tokens),
    }
  }

  /** A slot of the profile; the lines of a context have no id of the service's and cannot be corrected. */
  async update(id: string, text: string): Promise<void> {
    const path = `/api/v1/users/profile/${this.user}/${encodeURIComponent(id)}`
    const slot = (await this.#readProfile()).find((candidate) => candidate.id === id)
    if (slot === undefined) {
      throw new PeerError({
        system: this.peer.system,
        method: 'PUT',
        path,
        status: null,
        problem: 'was not sent, as the profile has no such slot',
        advice: 'Correct memories by the ids that memories() gives.',
      })
    }
    await this.peer.client.request({
      method: 'PUT',
      path,
      body: { content: text, attributes: slot.attributes },
      reads: z.unknown(),
    })
  }

  protected async deleteUser(): Promise<void> {
    await this.peer.client.request({
      method: 'DELETE',
      path: `/api/v1/users/${this.user}`,
      reads: z.unknown(),
      whenAbsent: { value: null },
    })
  }
}

function textsOf(profile: readonly MemobaseProfile[]): ReadonlyMap<string, string> {
  return new Map(profile.map((slot) => [slot.id, textOfProfile(slot)]))
}
