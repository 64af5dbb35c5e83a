import { startScripted, type ScriptedPeer } from './scripted-peer.ts'
import { requireHeader } from './scripted-service.ts'
import { saidByUser, type KeptMemory, type ScriptedStore } from './scripted-store.ts'

interface Addition {
  user_id: string
  messages: { role: string; content: string }[]
  metadata: { session: string }
}

interface Filtered {
  query: string
  top_k: number
  filters: { user_id: string }
}

/** Mem0's platform, with the messages that `mem0ai` 3.3.1 exchanges with it. */
export function startMem0Platform(key: string): Promise<ScriptedPeer> {
  return startScripted({
    path: '',
    authorise: requireHeader('authorization', `Token ${key}`, { error: 'Invalid API key' }),
    routes: (store) => {
      const events = new Map<string, unknown>()
      return [
        [
          'GET',
          /^\/v1\/ping\/$/u,
          () => ({ body: { status: 'ok', org_id: 'o', project_id: 'p', user_email: 'ana@example.com' } }),
        ],
        ['POST', /^\/v3\/memories\/add\/$/u, ({ body }) => add(store, events, body as Addition)],
        [
          'GET',
          /^\/v1\/event\/([^/]+)\/$/u,
          (_request, id = '') =>
            store.look(id)
              ? { body: { id, event_type: 'ADD', status: 'SUCCEEDED', results: events.get(id) } }
              : { body: { id, event_type: 'ADD', status: 'RUNNING', results: null } },
        ],
        ['POST', /^\/v3\/memories\/search\/$/u, ({ body }) => search(store, body as Filtered)],
        [
          'POST',
          /^\/v3\/memories\/$/u,
          ({ body, query }) => listPage(store, (body as Filtered).filters.user_id, query),
        ],
        [
          'PUT',
          /^\/v1\/memories\/([^/]+)\/$/u,
          ({ body }, id = '') => change(store, id, (body as { text: string }).text),
        ],
        [
          'DELETE',
          /^\/v1\/memories\/$/u,
          ({ query }) => {
            store.users.set(query['user_id'] ?? '', [])
            return { body: { message: 'Memories deleted successfully!' } }
          },
        ],
        [
          'DELETE',
          /^\/v2\/entities\/user\/([^/]+)\/$/u,
          (_request, user = '') =>
            store.users.delete(user)
              ? { body: { message: 'Entity deleted successfully!' } }
              : { status: 404, body: { error: 'Entity not found' } },
        ],
      ]
    },
  })
}

function add(store: ScriptedStore, events: Map<string, unknown>, addition: Addition) {
  const id = store.newId('e')
  if (!store.users.has(addition.user_id)) store.users.set(addition.user_id, [])
  store.process(id, () => {
    const kept = store.keep(addition.user_id, saidByUser(addition.messages), addition.metadata.session)
    events.set(
      id,
      kept.map((memory) => ({ id: memory.id, data: { memory: memory.text }, event: 'ADD' })),
    )
  })
  return { body: { message: 'Memory processing has been queued', status: 'PENDING', event_id: id } }
}

function search(store: ScriptedStore, asked: Filtered) {
  const found = store.search(asked.filters.user_id, asked.query, asked.top_k)
  return { body: { results: found.map(({ memory, score }) => ({ ...describe(memory), score })) } }
}

function listPage(store: ScriptedStore, user: string, query: Readonly<Record<string, string>>) {
  const [page, size] = [Number(query['page']), Number(query['page_size'])]
  const all = store.memoriesOf(user)
  const next = page * size < all.length ? `?page=${page + 1}&page_size=${size}` : null
  const results = all.slice((page - 1) * size, page * size).map(describe)
  return { body: { count: all.length, next, previous: null, results } }
}

function change(store: ScriptedStore, id: string, text: string) {
  const memory = store.find(id)
  if (memory === undefined) return { status: 404, body: { error: 'Memory not found' } }
  memory.text = text
  return { body: { id, text } }
}

function describe(memory: KeptMemory) {
  return {
    id: memory.id,
    memory: memory.text,
    user_id: 'as asked',
    metadata: { session: memory.source },
    categories: null,
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
  }
}
