import { startScripted, type ScriptedPeer } from './scripted-peer.ts'
import { requireHeader, type ServiceAnswer } from './scripted-service.ts'
import { saidByUser, type ScriptedStore } from './scripted-store.ts'

interface Blob {
  blob_type: string
  blob_data: { messages: { role: string; content: string }[] }
}

interface ScriptedEvent {
  id: string
  created_at: string
  updated_at: string
  event_data: { profile_delta: unknown[]; event_tip: string }
}

const WRITTEN = '2026-01-01T00:00:00Z'
const REFUSED = { data: null, errno: 401, errmsg: 'Unauthorized' }

/** Memobase `/api/v1`, with the messages that `@memobase/memobase` 0.0.18 exchanges with it. */
export function startMemobase(key: string): Promise<ScriptedPeer> {
  return startScripted({
    path: '',
    authorise: requireHeader('authorization', `Bearer ${key}`, REFUSED),
    routes: (store) => {
      const buffers = new Map<string, string[]>()
      const events: ScriptedEvent[] = []
      return [
        [
          'POST',
          /^\/api\/v1\/users$/u,
          ({ body }) => {
            const { id } = body as { id: string }
            store.users.set(id, [])
            return good({ id })
          },
        ],
        [
          'POST',
          /^\/api\/v1\/blobs\/insert\/([^/]+)$/u,
          ({ body }, user = '') => {
            const said = saidByUser((body as Blob).blob_data.messages)
            buffers.set(user, [...(buffers.get(user) ?? []), ...said])
            return good({ id: store.newId('blob'), chat_results: [] })
          },
        ],
        [
          'POST',
          /^\/api\/v1\/users\/buffer\/([^/]+)\/chat$/u,
          (_request, user = '') => {
            const said = buffers.get(user) ?? []
            buffers.delete(user)
            return good(said.length === 0 ? [] : [flush(store, events, user, said)])
          },
        ],
        [
          'GET',
          /^\/api\/v1\/users\/event\/([^/]+)$/u,
          ({ query }) => good({ events: events.toReversed().slice(0, Number(query['topk'] ?? 10)) }),
        ],
        ...profileRoutes(store),
      ]
    },
  })
}

function profileRoutes(store: ScriptedStore) {
  return [
    [
      'GET',
      /^\/api\/v1\/users\/profile\/([^/]+)$/u,
      (_request: unknown, user = '') =>
        good({
          profiles: store.memoriesOf(user).map(({ id, text }) => ({
            id,
            content: text,
            attributes: { topic: 'talk', sub_topic: 'said' },
            created_at: WRITTEN,
            updated_at: WRITTEN,
          })),
        }),
    ],
    [
      'PUT',
      /^\/api\/v1\/users\/profile\/([^/]+)\/([^/]+)$/u,
      ({ body }: { body: unknown }, _user = '', id = '') => {
        const slot = store.find(id)
        if (slot === undefined) return { body: { data: null, errno: 404, errmsg: 'not found' } }
        slot.text = (body as { content: string }).content
        return good(null)
      },
    ],
    [
      'GET',
      /^\/api\/v1\/users\/context\/([^/]+)$/u,
      ({ query }: { query: Readonly<Record<string, string>> }, user = '') => {
        const [chat] = JSON.parse(query['chats_str'] ?? '[]') as { content: string }[]
        const found = store.search(user, chat?.content ?? '', 50)
        const lines = found.map(({ memory }) => `- talk::said: ${memory.text}`)
        return good({ context: ['# Memory', '## User Background:', ...lines].join('\n') })
      },
    ],
    [
      'DELETE',
      /^\/api\/v1\/users\/([^/]+)$/u,
      (_request: unknown, user = '') =>
        store.users.delete(user) ? good(null) : { body: { data: null, errno: 404, errmsg: 'not found' } },
    ],
  ] as const
}

function flush(store: ScriptedStore, events: ScriptedEvent[], user: string, said: readonly string[]) {
  const id = store.newId('event')
  const kept = store.keep(user, said, id)
  const attributes = { topic: 'talk', sub_topic: 'said' }
  events.push({
    id,
    created_at: WRITTEN,
    updated_at: WRITTEN,
    event_data: {
      profile_delta: kept.map(({ text }) => ({ content: text, attributes })),
      event_tip: `- talked of ${kept.length} things`,
    },
  })
  const add_profiles = kept.map((memory) => memory.id)
  return { event_id: id, add_profiles, update_profiles: [], delete_profiles: [] }
}

function good(data: unknown): ServiceAnswer {
  return { body: { data, errno: 0, errmsg: '' } }
}
