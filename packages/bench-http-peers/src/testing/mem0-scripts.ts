import type { Script } from './scripted-service.ts'
import { textsByUser, type StoredMemory } from './scripted-store.ts'

/** Mem0's platform, with the messages that `mem0ai` 3.3.1 exchanges with it. */
export const mem0PlatformScript: Script = {
  path: '',
  keyHeader: (key) => ['authorization', `Token ${key}`],
  refusal: { error: 'Invalid API key' },
  routes: (store) => {
    const events = new Map<string, unknown>()
    return {
      'GET /v1/ping/': () => ({
        body: { status: 'ok', org_id: 'o', project_id: 'p', user_email: 'ana@example.com' },
      }),
      'POST /v3/memories/add/': ({ body }) => {
        const id = store.newId('e')
        store.addUser(body.user_id)
        store.process(id, () => {
          const memories = store.add(body.user_id, textsByUser(body.messages), body.metadata.session)
          const changes = memories.map((memory) => ({
            id: memory.id,
            data: { memory: memory.text },
            event: 'ADD',
          }))
          events.set(id, changes)
        })
        return { body: { message: 'Memory processing has been queued', status: 'PENDING', event_id: id } }
      },
      'GET /v1/event/:id/': ({ name: id }) =>
        store.poll(id)
          ? { body: { id, event_type: 'ADD', status: 'SUCCEEDED', results: events.get(id) } }
          : { body: { id, event_type: 'ADD', status: 'RUNNING', results: null } },
      'POST /v3/memories/search/': ({ body }) => ({
        body: { results: store.search(body.filters.user_id, body.query, body.top_k).map(describe) },
      }),
      'POST /v3/memories/': ({ body, query }) => {
        const [page, size] = [Number(query['page']), Number(query['page_size'])]
        const all = store.memoriesOf(body.filters.user_id)
        const next = page * size < all.length ? `?page=${page + 1}&page_size=${size}` : null
        const results = all.slice((page - 1) * size, page * size).map(describe)
        return { body: { count: all.length, next, previous: null, results } }
      },
      'DELETE /v1/memories/': ({ query }) => {
        store.users.set(query['user_id'] ?? '', [])
        return { body: { message: 'Memories deleted successfully!' } }
      },
      'DELETE /v2/entities/user/:user/': ({ name: user }) =>
        store.users.delete(user)
          ? { body: { message: 'Entity deleted successfully!' } }
          : { status: 404, body: { error: 'Entity not found' } },
    }
  },
}

/** Mem0's self-hosted server, with the messages of its REST interface. */
export const mem0ServerScript: Script = {
  path: '',
  keyHeader: (key) => ['x-api-key', key],
  refusal: { detail: 'Invalid or missing API key.' },
  routes: (store) => ({
    'POST /memories': ({ body }) => {
      const memories = store.add(body.user_id, textsByUser(body.messages), body.metadata.session)
      return { body: { results: memories.map(({ id, text }) => ({ id, memory: text, event: 'ADD' })) } }
    },
    'GET /memories': ({ query }) => {
      const all = store.memoriesOf(query['user_id'] ?? '')
      return { body: { results: all.slice(0, Number(query['top_k'] ?? 20)).map(describe) } }
    },
    'POST /search': ({ body }) => ({
      body: { results: store.search(body.filters.user_id, body.query, body.top_k).map(describe) },
    }),
    'DELETE /memories': ({ query }) => {
      store.users.delete(query['user_id'] ?? '')
      return { body: { message: 'All relevant memories deleted' } }
    },
  }),
}

function describe({ id, text: memory, source, ...found }: StoredMemory & { readonly score?: number }) {
  const metadata = { session: source }
  return { id, memory, hash: 'h', metadata, categories: null, updated_at: '2026-01-01T00:00:00Z', ...found }
}
