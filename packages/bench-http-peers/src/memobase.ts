import type { DatasetTurn, RetrieveOptions, SystemMemoryItem, SystemOperation } from '@keepsake/bench'
import { z } from 'zod'
import { OTHER_VERSION } from './http-client.ts'
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
import { PeerMemory, type Found, type PeerItem } from './peer-memory.ts'
import type { PeerDefinition } from './peer.ts'
import { batchTurns, instantOf, nameOf, roleOf } from './send-turns.ts'

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
  /** By session's name. */
  readonly #learned = new Map<string, readonly SystemMemoryItem[]>()
  #profile: readonly MemobaseProfile[] = []

  protected override async addUser(): Promise<void> {
    await this.peer.client.ask('POST /api/v1/users', dataOf(z.object({ id: z.literal(this.user) })), {
      body: { data: { made_by: 'keepsake-bench' }, id: this.user },
      isSafeToRepeat: false,
    })
  }

  protected async add(turns: readonly DatasetTurn[], session: string): Promise<readonly SystemOperation[]> {
    const results = [...(await this.#insert(turns)), ...(await this.#flush())]
    const before = textsOf(this.#profile)
    this.#profile = await this.#readProfile()
    const learned = this.#learned.get(session) ?? []
    this.#learned.set(session, [...learned, ...(await this.#readEvents(results))])
    return readMemobaseOperations(results, before, textsOf(this.#profile))
  }

  async #insert(turns: readonly DatasetTurn[]): Promise<readonly MemobaseResult[]> {
    const results: MemobaseResult[] = []
    for (const batch of batchTurns(turns, { turns: MESSAGES_PER_BLOB })) {
      const body = { blob_type: 'chat', blob_data: { messages: batch.map(messageOf) } }
      const options = { ...this.#whenProcessed(), body }
      const { data } = await this.peer.client.ask(`POST /api/v1/blobs/insert/${this.user}`, inserted, options)
      results.push(...(data.chat_results ?? []))
    }
    return results
  }

  async #flush(): Promise<readonly MemobaseResult[]> {
    const line = `POST /api/v1/users/buffer/${this.user}/chat` as const
    return (await this.peer.client.ask(line, flushed, this.#whenProcessed())).data ?? []
  }

  /** To be answered only when it is processed. */
  #whenProcessed() {
    return {
      query: { wait_process: 'true' },
      isSafeToRepeat: false,
      timeoutMs: this.peer.processingMs,
    }
  }

  async #readProfile(): Promise<readonly MemobaseProfile[]> {
    const query = { max_token_size: String(WHOLE_PROFILE_TOKENS) }
    const { data } = await this.peer.client.ask(`GET /api/v1/users/profile/${this.user}`, profiles, { query })
    return data.profiles
  }

  /** The events of the results, which are the newest: nobody else writes to this user. */
  async #readEvents(results: readonly MemobaseResult[]): Promise<readonly SystemMemoryItem[]> {
    const ids = results.flatMap((result) => result.event_id ?? [])
    if (ids.length === 0) return []
    const line = `GET /api/v1/users/event/${this.user}` as const
    const query = { topk: String(Math.max(FEWEST_EVENTS, ids.length)) }
    const { data } = await this.peer.client.ask(line, events, { query })
    return ids.flatMap((id) => {
      const event = data.events.find((candidate) => candidate.id === id)
      if (event !== undefined) return itemsOfEvent(event)
      throw new PeerError({
        system: this.peer.system,
        request: line,
        status: 200,
        problem: `did not list the event ${id} that a flush had just named`,
        advice: OTHER_VERSION,
      })
    })
  }

  override dialogueMemories(session: string): Promise<readonly SystemMemoryItem[]> {
    return Promise.resolve(this.#learned.get(this.nameSession(session)) ?? [])
  }

  /** The profile; what events say besides cannot be listed whole. */
  protected async list(): Promise<readonly PeerItem[]> {
    this.#profile = await this.#readProfile()
    return this.#profile.map((slot) => ({ id: slot.id, text: textOfProfile(slot), turns: null }))
  }

  protected async search(query: string, { limit, tokens }: RetrieveOptions): Promise<Found> {
    const { data } = await this.peer.client.ask(`GET /api/v1/users/context/${this.user}`, context, {
      query: {
        max_token_size: String(Math.min(tokens, limit * TOKENS_PER_MEMORY)),
        chats_str: JSON.stringify([{ role: 'user', content: query }]),
      },
    })
    const statements = splitIntoStatements(data.context, 'dashed lines')
    return {
      items: statements.map((text, index) => ({ id: `context#${index + 1}`, text, turns: null })),
      lines: data.context.split('\n'),
    }
  }

  /** A slot of the profile; the lines of a context have no id of the service's and cannot be corrected. */
  async update(id: string, text: string): Promise<void> {
    const line = `PUT /api/v1/users/profile/${this.user}/${encodeURIComponent(id)}` as const
    const slot = (await this.#readProfile()).find((candidate) => candidate.id === id)
    if (slot === undefined) {
      throw new PeerError({
        system: this.peer.system,
        request: line,
        problem: 'was not sent, as the profile has no such slot',
        advice: 'Correct memories by the ids that memories() gives.',
      })
    }
    await this.peer.client.tell(line, { body: { content: text, attributes: slot.attributes } })
  }

  protected deleteUser(): Promise<void> {
    return this.peer.client.tell(`DELETE /api/v1/users/${this.user}`, { mayBeAbsent: true })
  }
}

function messageOf(turn: DatasetTurn) {
  const alias = nameOf(turn)
  return {
    role: roleOf(turn),
    content: turn.text,
    ...(alias === null ? {} : { alias }),
    created_at: instantOf(turn.at),
  }
}

function textsOf(profile: readonly MemobaseProfile[]): ReadonlyMap<string, string> {
  return new Map(profile.map((slot) => [slot.id, textOfProfile(slot)]))
}
