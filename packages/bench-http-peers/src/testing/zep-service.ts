import { startScripted, type ScriptedPeer } from './scripted-peer.ts'
import { requireHeader, type ServiceAnswer } from './scripted-service.ts'
import type { KeptMemory, ScriptedStore } from './scripted-store.ts'

interface Message {
  role: string
  content: string
  created_at: string
}

interface Search {
  user_id: string
  query: string
  scope: string
  limit: number
}

/** Zep Cloud `/api/v2`, with the messages that `@getzep/zep-cloud` 3.30.0 exchanges with it. */
export function startZep(key: string): Promise<ScriptedPeer> {
  return startScripted({
    path: '/api/v2',
    authorise: requireHeader('authorization', `Api-Key ${key}`, { message: 'unauthorized' }),
    routes: (store) => {
      const threads = new Map<string, string>()
      return [
        [
          'POST',
          /^\/api\/v2\/users$/u,
          ({ body }) => {
            const { user_id } = body as { user_id: string }
            if (store.users.has(user_id)) return { status: 400, body: { message: 'user already exists' } }
            store.users.set(user_id, [])
            return { status: 201, body: { user_id, uuid: `uuid-of-${user_id}` } }
          },
        ],
        [
          'POST',
          /^\/api\/v2\/threads$/u,
          ({ body }) => {
            const { thread_id, user_id } = body as { thread_id: string; user_id: string }
            if (!store.users.has(user_id)) return { status: 404, body: { message: 'user not found' } }
            threads.set(thread_id, user_id)
            return { status: 201, body: { thread_id, user_id } }
          },
        ],
        [
          'POST',
          /^\/api\/v2\/threads\/([^/]+)\/messages$/u,
          ({ body }, thread = '') =>
            addMessages(store, threads.get(thread), (body as { messages: Message[] }).messages),
        ],
        [
          'GET',
          /^\/api\/v2\/graph\/episodes\/([^/]+)$/u,
          (_request, uuid = '') => ({
            body: { uuid, content: '', created_at: '', processed: store.look(uuid) },
          }),
        ],
        ['POST', /^\/api\/v2\/graph\/search$/u, ({ body }) => search(store, body as Search)],
        [
          'POST',
          /^\/api\/v2\/graph\/edge\/user\/([^/]+)$/u,
          ({ body }, user = '') => {
            const { limit, uuid_cursor } = body as { limit: number; uuid_cursor?: string }
            const all = store.memoriesOf(user).map(toEdge)
            const start = uuid_cursor === undefined ? 0 : all.findIndex((e) => e.uuid === uuid_cursor) + 1
            return { body: all.slice(start, start + limit) }
          },
        ],
        [
          'PATCH',
          /^\/api\/v2\/graph\/edge\/([^/]+)$/u,
          ({ body }, uuid = '') => {
            const memory = store.find(uuid)
            if (memory === undefined) return { status: 404, body: { message: 'edge not found' } }
            memory.text = (body as { fact: string }).fact
            return { body: toEdge(memory) }
          },
        ],
        [
          'DELETE',
          /^\/api\/v2\/users\/([^/]+)$/u,
          (_request, user = '') =>
            store.users.delete(user)
              ? { body: { message: 'OK' } }
              : { status: 404, body: { message: 'not found' } },
        ],
      ]
    },
  })
}

/** An episode a message, processed in order: the last one's being done means that all are. */
function addMessages(
  store: ScriptedStore,
  user: string | undefined,
  messages: readonly Message[],
): ServiceAnswer {
  if (user === undefined) return { status: 404, body: { message: 'thread not found' } }
  if (messages.length > 30) return { status: 400, body: { message: 'too many messages' } }
  if (messages.some((message) => message.content.length > 4_096)) {
    return { status: 400, body: { message: 'a message is too long' } }
  }
  const uuids = messages.map(() => store.newId('episode-'))
  store.process(uuids.at(-1) ?? '', () => {
    messages.forEach((message, index) => {
      if (message.role === 'user') store.keep(user, [message.content], uuids[index] ?? '')
    })
  })
  return { body: { message_uuids: uuids } }
}

function search(store: ScriptedStore, asked: Search): ServiceAnswer {
  if (asked.scope === 'nodes') {
    const node = { uuid: 'n1', name: 'user', summary: 'somebody who talks', labels: [], created_at: '' }
    return { body: { nodes: store.memoriesOf(asked.user_id).length === 0 ? [] : [node] } }
  }
  const found = store.search(asked.user_id, asked.query, asked.limit)
  return { body: { edges: found.map(({ memory, score }) => ({ ...toEdge(memory), relevance: score })) } }
}

function toEdge(memory: KeptMemory) {
  return {
    uuid: memory.id,
    fact: memory.text,
    name: 'SAYS',
    episodes: [memory.source],
    created_at: '2026-01-01T00:00:00Z',
    valid_at: '2025-03-01T00:00:00Z',
    source_node_uuid: 'n1',
    target_node_uuid: 'n2',
  }
}
