import type { DatasetTurn } from '@keepsake/bench'
import { z } from 'zod'
import { idField, recordsField, scoreField, stateField, textField, textsField } from './odd-fields.ts'
import {
  awaitProcessed,
  readPages,
  type Found,
  type PeerDefinition,
  type PeerRequests,
  type PeerService,
} from './peer.ts'
import { batchTurns, instantOf, nameOf, roleOf } from './send-turns.ts'

/** HaluMem's script puts this many turns into a document. */
const TURNS_PER_DOCUMENT = 20
/** Lowest similarity of a search result, from HaluMem's script. */
const THRESHOLD = 0.7
/** The memories of a processed document may appear later, or never: like HaluMem's script, lists them this many times at most. */
const MAX_MEMORY_READS = 10
const PAGE_SIZE = 100

const added = z.object({ id: z.union([z.string().min(1), z.number().transform(String)]) })
const document = z.object({ status: stateField })
const entry = z.object({
  id: idField,
  memory: textField,
  isLatest: z.boolean().nullish(),
  isForgotten: z.boolean().nullish(),
  documentIds: textsField,
})
const entries = z.object({
  memoryEntries: recordsField(entry),
  pagination: z.object({ totalPages: z.number().nullish() }).nullish(),
})
const searchAnswer = z.object({
  results: recordsField(
    z.object({ id: idField, memory: textField, chunk: textField, similarity: scoreField }),
  ),
})

/**
 * Supermemory's hosted service: documents of version 3, memories and search of version 4, as its npm client
 * `supermemory` 4.25.4 uses them, and the list of memories as its reference documents it. The throw-away user is
 * a container tag, and a document holds up to twenty turns of a session.
 *
 * Documents are processed in the background. The adapter waits until each is processed and its memories are
 * listed, see {@link awaitMemories}. A memory has the ids of its documents: this shows which memories come from a
 * dialogue. Deleting a container tag needs the key of an owner or administrator.
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
    looksForMemories: MAX_MEMORY_READS,
    turnTimes: 'written before each turn',
  },
  speak: speakSupermemory,
}

function speakSupermemory(peer: PeerService): PeerRequests {
  const { client, user: containerTag } = peer
  /** Sessions by the ids of their documents. */
  const sessionOf = new Map<string, string>()
  const addDocument = async (turns: readonly DatasetTurn[], session: string): Promise<string> => {
    const documentsSoFar = [...sessionOf.values()].filter((one) => one === session).length
    // The request may be repeated: the same customId overwrites the document.
    const customId = `${session}-d${documentsSoFar + 1}`
    const body = { content: turns.map(transcribe).join('\n'), containerTag, customId, metadata: { session } }
    const { id } = await client.ask('POST /v3/documents', added, { body })
    sessionOf.set(id, session)
    return id
  }
  return {
    async add(turns, session) {
      const documentIds: string[] = []
      for (const batch of batchTurns(turns, { turns: TURNS_PER_DOCUMENT }))
        documentIds.push(await addDocument(batch, session))
      await awaitMemories(peer, documentIds)
      return null
    },
    list: async () =>
      (await listEntries(peer)).map(({ id, memory: text, documentIds }) => {
        return { id, text, turns: null, sessions: documentIds.flatMap((one) => sessionOf.get(one) ?? []) }
      }),
    search: (query, { limit }) => searchMemories(peer, query, limit),
    deletions: [[`DELETE /v3/container-tags/${encodeURIComponent(containerTag)}`]],
  }
}

/** Waits until all documents are processed and have memories. Gives up on memories after {@link MAX_MEMORY_READS} lists. */
async function awaitMemories(peer: PeerService, documents: readonly string[]): Promise<void> {
  for (const id of documents)
    await awaitProcessed(peer, {
      what: `the document ${id}`,
      line: `GET /v3/documents/${encodeURIComponent(id)}`,
      schema: document,
      stateOf: ({ status }) => status,
    })
  for (let attempt = 1; attempt <= MAX_MEMORY_READS; attempt += 1) {
    const withMemories = new Set((await listEntries(peer)).flatMap(({ documentIds }) => documentIds))
    if (documents.every((id) => withMemories.has(id))) return
    if (attempt < MAX_MEMORY_READS) await peer.sleep(peer.pollMs)
  }
}

async function searchMemories(
  { client, user: containerTag }: PeerService,
  q: string,
  limit: number,
): Promise<Found> {
  const body = { q, containerTag, limit, threshold: THRESHOLD, rerank: true, rewriteQuery: true }
  const { results } = await client.ask('POST /v4/search', searchAnswer, { body })
  return {
    items: results.map(({ id, memory, chunk, similarity: score }) => {
      return { id, text: memory === '' ? chunk : memory, turns: null, score }
    }),
  }
}

/** Lists the newest version of every memory that was not forgotten. */
async function listEntries({ client, user }: PeerService): Promise<z.infer<typeof entry>[]> {
  const all = await readPages(async (page) => {
    const body = { containerTags: [user], page, limit: PAGE_SIZE }
    const { memoryEntries, pagination } = await client.ask('POST /v4/memories/list', entries, { body })
    return [memoryEntries, page >= (pagination?.totalPages ?? Number.POSITIVE_INFINITY)]
  })
  return all.filter((memory) => memory.isLatest !== false && memory.isForgotten !== true)
}

function transcribe(turn: DatasetTurn): string {
  return `[${instantOf(turn.at)}] ${nameOf(turn) ?? roleOf(turn)}: ${turn.text}`
}
