import type { Script } from './scripted-service.ts'
import { textsByUser, type ScriptedStore } from './scripted-store.ts'

const TIMES = { created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' }
const TOPIC = { topic: 'talk', sub_topic: 'said' }
const ABSENT = { body: { data: null, errno: 404, errmsg: 'not found' } }

/** Memobase `/api/v1`, with the messages that `@memobase/memobase` 0.0.18 exchanges with it. */
export const memobaseScript: Script = {
  path: '',
  keyHeader: (key) => ['authorization', `Bearer ${key}`],
  refusal: { data: null, errno: 401, errmsg: 'Unauthorized' },
  routes: (store) => {
    const buffers = new Map<string, readonly string[]>()
    const events: unknown[] = []
    return {
      'POST /api/v1/users': ({ body: { id } }) => {
        store.addUser(id)
        return good({ id })
      },
      'POST /api/v1/blobs/insert/:user': ({ body, name: user }) => {
        buffers.set(user, [...(buffers.get(user) ?? []), ...textsByUser(body.blob_data.messages)])
        return good({ id: store.newId('blob'), chat_results: [] })
      },
      'POST /api/v1/users/buffer/:user/chat': ({ name: user }) => {
        const texts = buffers.get(user) ?? []
        buffers.delete(user)
        return good(texts.length === 0 ? [] : [flush(store, events, user, texts)])
      },
      'GET /api/v1/users/event/:user': ({ query }) =>
        good({ events: events.toReversed().slice(0, Number(query['topk'] ?? 10)) }),
      'GET /api/v1/users/profile/:user': ({ name: user }) => {
        const slots = store.memoriesOf(user)
        return good({
          profiles: slots.map(({ id, text: content }) => ({ id, content, attributes: TOPIC, ...TIMES })),
        })
      },
      'GET /api/v1/users/context/:user': ({ query, name: user }) => {
        const [chat] = JSON.parse(query['chats_str'] ?? '[]') as { content: string }[]
        const lines = store.search(user, chat?.content ?? '').map(({ text }) => `- talk::said: ${text}`)
        return good({ context: ['# Memory', '## User Background:', ...lines].join('\n') })
      },
      'DELETE /api/v1/users/:user': ({ name: user }) => (store.users.delete(user) ? good(null) : ABSENT),
    }
  },
}

function flush(store: ScriptedStore, events: unknown[], user: string, texts: readonly string[]) {
  const id = store.newId('event')
  const memories = store.add(user, texts, id)
  const profile_delta = memories.map(({ text: content }) => ({ content, attributes: TOPIC }))
  const event_tip = `- talked of ${memories.length} things`
  events.push({ id, ...TIMES, event_data: { profile_delta, event_tip } })
  return {
    event_id: id,
    add_profiles: memories.map((one) => one.id),
    update_profiles: [],
    delete_profiles: [],
  }
}

function good(data: unknown) {
  return { body: { data, errno: 0, errmsg: '' } }
}
