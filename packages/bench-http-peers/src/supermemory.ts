import type { DatasetTurn, RetrieveOptions } from '@keepsake/bench'
import { z } from 'zod'
import { PeerMemory, type Found, type PeerItem } from './peer-memory.ts'
import { awaitProcessed, type PeerDefinition } from './peer.ts'
import { batchTurns, instantOf, nameOf, roleOf } from './send-turns.ts'

/** Turns in one document, and the least similarity of what is retrieved: as HaluMem's script has them. */
const TURNS_PER_DOCUMENT = 20
const THRESHOLD = 0.7
/**
 * How often memories are looked for once a document is done: they may come a little later, and small talk
 * leaves none. HaluMem's script looks ten times too.
 */
const LOOKS_FOR_MEMORIES = 10
const PAGE_SIZE = 100

const added = z.object({ id: z.string() })
const document = z.object({
  status: z.enum(['unknown', 'queued', 'extracting', 'chunking', 'embedding', 'indexing', 'done', 'failed']),
})
const entry = z.object({
  id: z.string(),
  memory: z.string(),
  isLatest: z.boolean().optional(),
  isForgotten: z.boolean().optional(),
  documentIds: z.array(z.string()).optional(),
})
const entries = z.object({
  memoryEntries: z.array(entry),
  pagination: z.object({ currentPage: z.number(), totalPages: z.number() }),
})
const found = z.object({
  results: z.array(
    z.object({
      id: z.string(),
      memory: z.string().optional(),
      chunk: z.string().optional(),
      similarity: z.number(),
    }),
  ),
})

type MemoryEntry = z.infer<typeof entry>

/**
 * Supermemory's hosted interface: documents of version 3, memories and search of version 4, as its npm client
 * `supermemory` 4.25.4 speaks them, and the list of memory entries as its reference documents it. A throw-away
 * container tag is the user; a document is up to twenty turns of a session.
 *
 * Documents are processed in the background; one is followed until it is done and until its memories are listed
 * or were looked for often enough. What a document left is told by the memories that name it. Correcting a
 * memory makes a new version with a new id. Deleting a container tag needs the key of an owner or administrator.
 */
export const supermemory: PeerDefinition = {
  name: 'supermemory',
  speaks: 'Supermemory /v3 documents, /v4 memories and search (supermemory 4.25.4)',
  defaultUrl: 'https://api.supermemory.ai',
  keyVariable: 'SUPERMEMORY_API_KEY',
  needsKey: true,
  keyHeader: (key) => ({ authorization: `Bearer ${key}` }),
  settings: {
    turnsPerDocument: TURNS_PER_DOCUMENT,
    threshold: THRESHOLD,
    rerank: true,
    rewriteQuery: true,
    looksForMemories: LOOKS_FOR_MEMORIES,
    turnTimes: 'written before each turn',
  },
  open: (peer) => new SupermemoryMemory(peer),
}

class SupermemoryMemory extends PeerMemory {
  /** From a document to its session's name. */
  readonly #sessionOf = new Map<string, string>()

  protected async add(turns: readonly DatasetTurn[], session: string): Promise<null> {
    const fresh: string[] = []
    for (const batch of batchTurns(turns, { turns: TURNS_PER_DOCUMENT }))
      fresh.push(await this.#addDocument(batch, session))
    for (const id of fresh) await this.#awaitDone(id)
    await this.#awaitMemories(fresh)
    return null
  }

  async #addDocument(turns: readonly DatasetTurn[], session: string): Promise<string> {
    const number = [...this.#sessionOf.values()].filter((one) => one === session).length + 1
    const { id } = await this.peer.client.ask('POST /v3/documents', added, {
      // The same customId again changes the document instead of adding another, so that this may be repeated.
      body: {
        content: turns.map(transcribe).join('\n'),
        containerTag: this.user,
        customId: `${session}-d${number}`,
        metadata: { session },
      },
    })
    this.#sessionOf.set(id, session)
    return id
  }

  async #awaitDone(id: string): Promise<void> {
    await awaitProcessed(this.peer, {
      what: `the document ${id}`,
      line: `GET /v3/documents/${encodeURIComponent(id)}`,
      reads: document,
      stateOf: ({ status }) => (status === 'done' || status === 'failed' ? status : 'under way'),
    })
  }

  async #awaitMemories(documents: readonly string[]): Promise<void> {
    for (let look = 1; look <= LOOKS_FOR_MEMORIES; look += 1) {
      const named = new Set((await this.#listEntries()).flatMap(({ documentIds }) => documentIds ?? []))
      if (documents.every((id) => named.has(id))) return
      if (look < LOOKS_FOR_MEMORIES) await this.peer.sleep(this.peer.pollMs)
    }
  }

  protected async list(): Promise<readonly PeerItem[]> {
    return (await this.#listEntries()).map(({ id, memory: text, documentIds = [] }) => {
      const sessions = documentIds.flatMap((document) => this.#sessionOf.get(document) ?? [])
      return { id, text, turns: null, sessions }
    })
  }

  /** The newest version of every memory that was not forgotten. */
  async #listEntries(): Promise<readonly MemoryEntry[]> {
    const all: MemoryEntry[] = []
    for (let page = 1; ; page += 1) {
      const body = { containerTags: [this.user], page, limit: PAGE_SIZE }
      const answer = await this.peer.client.ask('POST /v4/memories/list', entries, { body })
      all.push(...answer.memoryEntries)
      if (page >= answer.pagination.totalPages) break
    }
    return all.filter((memory) => memory.isLatest !== false && memory.isForgotten !== true)
  }

  protected async search(q: string, { limit }: RetrieveOptions): Promise<Found> {
    const { results } = await this.peer.client.ask('POST /v4/search', found, {
      body: {
        q,
        containerTag: this.user,
        limit,
        threshold: THRESHOLD,
        rerank: true,
        rewriteQuery: true,
      },
    })
    return {
      items: results.map(({ id, memory, chunk, similarity: score }) => {
        return { id, text: memory ?? chunk ?? '', turns: null, score }
      }),
    }
  }

  async update(id: string, text: string): Promise<void> {
    await this.peer.client.ask('PATCH /v4/memories', z.object({ id: z.string() }), {
      body: { containerTag: this.user, id, newContent: text },
      isSafeToRepeat: false,
    })
  }

  protected deleteUser(): Promise<void> {
    const tag = encodeURIComponent(this.user)
    return this.peer.client.tell(`DELETE /v3/container-tags/${tag}`, { mayBeAbsent: true })
  }
}

function transcribe(turn: DatasetTurn): string {
  return `[${instantOf(turn.at)}] ${nameOf(turn) ?? roleOf(turn)}: ${turn.text}`
}
