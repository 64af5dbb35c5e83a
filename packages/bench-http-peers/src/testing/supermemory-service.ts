import { startScripted, type ScriptedPeer } from './scripted-peer.ts'
import { requireHeader, type ServiceAnswer } from './scripted-service.ts'
import type { KeptMemory, ScriptedStore } from './scripted-store.ts'

interface Document {
  content: string
  containerTag: string
  customId: string
}

/** Supermemory `/v3` and `/v4`, with the messages that `supermemory` 4.25.4 exchanges with it. */
export function startSupermemory(key: string): Promise<ScriptedPeer> {
  return startScripted({
    path: '',
    authorise: requireHeader('authorization', `Bearer ${key}`, { error: 'Unauthorized' }),
    routes: (store) => {
      const ids = new Map<string, string>()
      return [
        ['POST', /^\/v3\/documents$/u, ({ body }) => add(store, ids, body as Document)],
        [
          'GET',
          /^\/v3\/documents\/([^/]+)$/u,
          (_request, id = '') => ({ body: { id, status: store.look(id) ? 'done' : 'extracting' } }),
        ],
        ['POST', /^\/v4\/memories\/list$/u, ({ body }) => list(store, body as ListRequest)],
        [
          'POST',
          /^\/v4\/search$/u,
          ({ body }) => {
            const asked = body as { q: string; containerTag: string; limit: number }
            const results = store.search(asked.containerTag, asked.q, asked.limit).map(toResult)
            return { body: { results, timing: 5, total: results.length } }
          },
        ],
        [
          'PATCH',
          /^\/v4\/memories$/u,
          ({ body }) => {
            const { id, newContent } = body as { id: string; newContent: string }
            const memory = store.find(id)
            if (memory === undefined) return { status: 404, body: { error: 'Memory not found' } }
            memory.text = newContent
            return { body: { id, memory: newContent, version: 2, parentMemoryId: id, rootMemoryId: id } }
          },
        ],
        [
          'DELETE',
          /^\/v3\/container-tags\/([^/]+)$/u,
          (_request, tag = '') => ({ body: { success: store.users.delete(tag), containerTag: tag } }),
        ],
      ]
    },
  })
}

/** Every line said by somebody else than the assistant becomes a memory. A known customId changes its document. */
function add(store: ScriptedStore, ids: Map<string, string>, document: Document): ServiceAnswer {
  const known = ids.get(document.customId)
  if (known !== undefined) return { body: { id: known, status: 'queued' } }
  const id = store.newId('doc')
  ids.set(document.customId, id)
  if (!store.users.has(document.containerTag)) store.users.set(document.containerTag, [])
  store.process(id, () => {
    const said = document.content
      .split('\n')
      .flatMap((line) => /^\[[^\]]+\] (?!assistant: )[^:]+: (.*)$/u.exec(line)?.[1] ?? [])
    store.keep(document.containerTag, said, id)
  })
  return { body: { id, status: 'queued' } }
}

interface ListRequest {
  containerTags: string[]
  page: number
  limit: number
}

function list(store: ScriptedStore, asked: ListRequest): ServiceAnswer {
  const all = store.memoriesOf(asked.containerTags[0] ?? '')
  const memoryEntries = all.slice((asked.page - 1) * asked.limit, asked.page * asked.limit).map((memory) => ({
    id: memory.id,
    memory: memory.text,
    version: 1,
    isLatest: true,
    isForgotten: false,
    documentIds: [memory.source],
    history: [],
  }))
  return {
    body: {
      memoryEntries,
      pagination: {
        currentPage: asked.page,
        limit: asked.limit,
        totalItems: all.length,
        totalPages: Math.ceil(all.length / asked.limit),
      },
    },
  }
}

function toResult({ memory, score }: { memory: KeptMemory; score: number }) {
  return { id: memory.id, memory: memory.text, similarity: score, metadata: null, updatedAt: '' }
}
