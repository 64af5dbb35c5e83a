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

/** Turns in one document, and the least similarity of what is retrieved: as HaluMem's script has them. */
const TURNS_PER_DOCUMENT = 20
const THRESHOLD = 0.7
/** How often memories are looked for once a document is done, as HaluMem's script does: they may come later, or never. */
const LOOKS_FOR_MEMORIES = 10
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
 * Supermemory's hosted interface: documents of version 3, memories and search of version 4, as its npm client
 * `supermemory` 4.25.4 speaks them, and the list of memory entries as its reference documents it. A throw-away
 * container tag is the user; a document is up to twenty turns of a session.
 *
 * Documents are processed in the background; one is followed until it is done and until its memories are listed
 * or were looked for often enough. The memories that name a document show what it left. Deleting a container tag needs the key of an owner or administrator.
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
  speak: speakSupermemory,
}

function speakSupermemory(peer: PeerService): PeerRequests {
  const { client, user: containerTag } = peer
  const sessionOf = new Map<string, string>()
  const addDocument = async (turns: readonly DatasetTurn[], session: string): Promise<string> => {
    const number = [...sessionOf.values()].filter((one) => one === session).length + 1
    // The same customId again changes the document instead of adding another, so that this may be repeated.
    const customId = `${session}-d${number}`
    const body = { content: turns.map(transcribe).join('\n'), containerTag, customId, metadata: { session } }
    const { id } = await client.ask('POST /v3/documents', added, { body })
    sessionOf.set(id, session)
    return id
  }
  return {
    async add(turns, session) {
      const fresh: string[] = []
      for (const batch of batchTurns(turns, { turns: TURNS_PER_DOCUMENT }))
        fresh.push(await addDocument(batch, session))
      await awaitMemories(peer, fresh)
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

/** Until the documents are done and the memories of each are listed, or were looked for often enough. */
async function awaitMemories(peer: PeerService, documents: readonly string[]): Promise<void> {
  for (const id of documents)
    await awaitProcessed(peer, {
      what: `the document ${id}`,
      line: `GET /v3/documents/${encodeURIComponent(id)}`,
      reads: document,
      stateOf: ({ status }) => status,
    })
  for (let look = 1; look <= LOOKS_FOR_MEMORIES; look += 1) {
    const named = new Set((await listEntries(peer)).flatMap(({ documentIds }) => documentIds))
    if (documents.every((id) => named.has(id))) return
    if (look < LOOKS_FOR_MEMORIES) await peer.sleep(peer.pollMs)
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

/** The newest version of every memory that was not forgotten. */
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
