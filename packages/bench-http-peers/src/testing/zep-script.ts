import type { Script } from './scripted-service.ts'
import type { StoredMemory } from './scripted-store.ts'

/** Zep Cloud `/api/v2`, with the messages that `@getzep/zep-cloud` 3.30.0 exchanges with it. */
export const zepScript: Script = {
  path: '/api/v2',
  keyHeader: (key) => ['authorization', `Api-Key ${key}`],
  refusal: { message: 'unauthorized' },
  routes: (store) => {
    const threads = new Map<string, string>()
    return {
      'POST /users': ({ body: { user_id } }) => {
        if (store.users.has(user_id)) return refuse(400, 'user already exists')
        store.addUser(user_id)
        return { status: 201, body: { user_id, uuid: `uuid-of-${user_id}` } }
      },
      'POST /threads': ({ body: { thread_id, user_id } }) => {
        if (!store.users.has(user_id)) return refuse(404, 'user not found')
        threads.set(thread_id, user_id)
        return { status: 201, body: { thread_id, user_id } }
      },
      // Each message is an episode. Episodes are processed in order, so that all are processed when the last is.
      'POST /threads/:thread/messages': ({ body: { messages }, name }) => {
        const user = threads.get(name)
        if (user === undefined) return refuse(404, 'thread not found')
        if (messages.length > 30) return refuse(400, 'too many messages')
        if (messages.some(({ content }) => content.length > 4_096))
          return refuse(400, 'a message is too long')
        const uuids = messages.map(() => store.newId('episode-'))
        store.process(uuids.at(-1) ?? '', () => {
          for (const [index, { role, content }] of messages.entries())
            if (role === 'user') store.add(user, [content], uuids[index] ?? '')
        })
        return { body: { message_uuids: uuids } }
      },
      'GET /graph/episodes/:uuid': ({ name: uuid }) => ({
        body: { uuid, content: '', created_at: '', processed: store.poll(uuid) },
      }),
      'POST /graph/search': ({ body: { user_id, query, limit, scope } }) => {
        if (scope === 'edges') return { body: { edges: store.search(user_id, query, limit).map(toEdge) } }
        const node = { uuid: 'n1', name: 'user', summary: 'somebody who talks', labels: [], created_at: '' }
        return { body: { nodes: store.memoriesOf(user_id).length === 0 ? [] : [node] } }
      },
      'POST /graph/edge/user/:user': ({ body: { limit, uuid_cursor: cursor }, name }) => {
        const all = store.memoriesOf(name).map(toEdge)
        const start = cursor === undefined ? 0 : all.findIndex(({ uuid }) => uuid === cursor) + 1
        return { body: all.slice(start, start + limit) }
      },
      'DELETE /users/:user': ({ name }) =>
        store.users.delete(name) ? { body: { message: 'OK' } } : refuse(404, 'not found'),
    }
  },
}

function refuse(status: number, message: string) {
  return { status, body: { message } }
}

function toEdge({ id: uuid, text: fact, source, score }: StoredMemory & { readonly score?: number }) {
  const times = { created_at: '2026-01-01T00:00:00Z', valid_at: '2025-03-01T00:00:00Z' }
  const nodes = { source_node_uuid: 'n1', target_node_uuid: 'n2' }
  return { uuid, fact, name: 'SAYS', episodes: [source], relevance: score, ...times, ...nodes }
}
