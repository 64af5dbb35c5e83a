import { z } from 'zod'
import type { DatasetTurn } from '@keepsake/bench'
import type { AddedDialogue, Dialogue, Retrieved, RetrieveOptions, SystemMemoryItem } from '@keepsake/bench'
import { NOTHING_RETRIEVED, PeerMemory, nameThrowAwayUser } from './peer-memory.ts'
import { findNoRefusal, pollUntil, processingError, type PeerDefinition } from './peer.ts'
import { batchTurns, composeLines, instantOf, nameOf, roleOf } from './send-turns.ts'

/** Turns in one document, and the least similarity of what is retrieved: as HaluMem's script has them. */
const TURNS_PER_DOCUMENT = 20
const THRESHOLD = 0.7
/**
 * How often memories are looked for once a document is done: they may come a little later, and small talk
 * leaves none. HaluMem's script looks as often.
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

type Entry = z.infer<typeof entry>

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
  findRefusal: findNoRefusal,
  settings: {
    turnsPerDocument: TURNS_PER_DOCUMENT,
    threshold: THRESHOLD,
    rerank: true,
    rewriteQuery: true,
    looksForMemories: LOOKS_FOR_MEMORIES,
    turnTimes: 'written before each turn',
  },
  open: (peer) => new SupermemoryMemory(peer, nameThrowAwayUser(peer)),
}

class SupermemoryMemory extends PeerMemory {
  /** From a session's opaque name to its documents. */
  readonly #documents = new Map<string, string[]>()

  async addDialogue(dialogue: Dialogue): Promise<AddedDialogue> {
    const session = this.nameSession(dialogue.session)
    const documents = this.#documents.get(session) ?? []
    this.#documents.set(session, documents)
    const fresh: string[] = []
    for (const batch of batchTurns(dialogue.turns, { turns: TURNS_PER_DOCUMENT })) {
      const id = await this.#addDocument(batch, session, documents.length + 1)
      documents.push(id)
      fresh.push(id)
    }
    for (const id of fresh) await this.#awaitDone(id)
    await this.#awaitMemories(fresh)
    return { operations: null }
  }

  async #addDocument(turns: readonly DatasetTurn[], session: string, number: number): Promise<string> {
    this.markMade()
    const { id } = await this.peer.client.request({
      method: 'POST',
      path: '/v3/documents',
      // The same customId again changes the document instead of adding another, so that this may be repeated.
      body: {
        content: turns.map(transcribe).join('\n'),
        containerTag: this.user,
        customId: `${session}-d${number}`,
        metadata: { session },
      },
      reads: added,
    })
    return id
  }

  async #awaitDone(id: string): Promise<void> {
    const path = `/v3/documents/${encodeURIComponent(id)}`
    const awaited = { what: `the document ${id}`, method: 'GET', path }
    const state = await pollUntil(
      this.peer,
      awaited,
      () => this.peer.client.request({ method: 'GET', path, reads: document }),
      ({ status }) => status === 'done' || status === 'failed',
    )
    if (state.status === 'failed') throw processingError(this.peer, awaited, state.status)
  }

  async #awaitMemories(documents: readonly string[]): Promise<void> {
    for (let look = 1; look <= LOOKS_FOR_MEMORIES; look += 1) {
      const named = new Set((await this.#list()).flatMap((memory) => memory.documentIds ?? []))
      if (documents.every((id) => named.has(id))) return
      if (look < LOOKS_FOR_MEMORIES) await this.peer.sleep(this.peer.pollMs)
    }
  }

  async dialogueMemories(session: string): Promise<readonly SystemMemoryItem[]> {
    const documents = new Set(this.#documents.get(this.nameSession(session)))
    if (documents.size === 0) return []
    const memories = await this.#list()
    return memories.filter((memory) => memory.documentIds?.some((id) => documents.has(id))).map(toItem)
  }

  async memories(): Promise<readonly SystemMemoryItem[]> {
    return this.isMade ? (await this.#list()).map(toItem) : []
  }

  /** The newest version of every memory that was not forgotten. */
  async #list(): Promise<readonly Entry[]> {
    const all: Entry[] = []
    for (let page = 1; ; page += 1) {
      const answer = await this.peer.client.request({
        method: 'POST',
        path: '/v4/memories/list',
        body: { containerTags: [this.user], page, limit: PAGE_SIZE },
        reads: entries,
      })
      all.push(...answer.memoryEntries)
      if (page >= answer.pagination.totalPages) break
    }
    return all.filter((memory) => memory.isLatest !== false && memory.isForgotten !== true)
  }

  async retrieve(query: string, options: RetrieveOptions): Promise<Retrieved> {
    if (!this.isMade) return NOTHING_RETRIEVED
    const { results } = await this.peer.client.request({
      method: 'POST',
      path: '/v4/search',
      body: {
        q: query,
        containerTag: this.user,
        limit: options.limit,
        threshold: THRESHOLD,
        rerank: true,
        rewriteQuery: true,
      },
      reads: found,
    })
    const memories = results.slice(0, options.limit).map((result) => ({
      id: result.id,
      text: result.memory ?? result.chunk ?? '',
      turns: null,
      score: result.similarity,
    }))
    const lines = memories.map((memory) => `- ${memory.text}`)
    return { ...NOTHING_RETRIEVED, memories, context: composeLines(lines, options.tokens) }
  }

  async update(id: string, text: string): Promise<void> {
    await this.peer.client.request({
      method: 'PATCH',
      path: '/v4/memories',
      body: { containerTag: this.user, id, newContent: text },
      reads: z.object({ id: z.string() }),
      isSafeToRepeat: false,
    })
  }

  protected async deleteUser(): Promise<void> {
    await this.peer.client.request({
      method: 'DELETE',
      path: `/v3/container-tags/${encodeURIComponent(this.user)}`,
      reads: z.unknown(),
      whenAbsent: { value: null },
    })
  }
}

function transcribe(turn: DatasetTurn): string {
  return `[${instantOf(turn.at)}] ${nameOf(turn) ?? roleOf(turn)}: ${turn.text}`
}

function toItem(memory: Entry): SystemMemoryItem {
  return { id: memory.id, text: memory.memory, turns: null }
}
