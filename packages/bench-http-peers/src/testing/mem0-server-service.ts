import { startScripted, type ScriptedPeer } from './scripted-peer.ts'
import { requireHeader } from './scripted-service.ts'
import { saidByUser, type KeptMemory } from './scripted-store.ts'

interface Addition {
  user_id: string
  messages: { role: string; content: string }[]
  metadata: { session: string }
}

/** Mem0's self-hosted server, with the messages of its REST interface. */
export function startMem0Server(key: string): Promise<ScriptedPeer> {
  return startScripted({
    path: '',
    authorise: requireHeader('x-api-key', key, { detail: 'Invalid or missing API key.' }),
    routes: (store) => [
      [
        'POST',
        /^\/memories$/u,
        ({ body }) => {
          const { user_id, messages, metadata } = body as Addition
          const kept = store.keep(user_id, saidByUser(messages), metadata.session)
          const results = kept.map(({ id, text }) => ({ id, memory: text, event: 'ADD' }))
          return { body: { results } }
        },
      ],
      [
        'GET',
        /^\/memories$/u,
        ({ query }) => {
          const all = store.memoriesOf(query['user_id'] ?? '')
          return { body: { results: all.slice(0, Number(query['top_k'] ?? 20)).map(describe) } }
        },
      ],
      [
        'POST',
        /^\/search$/u,
        ({ body }) => {
          const asked = body as { query: string; top_k: number; filters: { user_id: string } }
          const found = store.search(asked.filters.user_id, asked.query, asked.top_k)
          return { body: { results: found.map(({ memory, score }) => ({ ...describe(memory), score })) } }
        },
      ],
      [
        'PUT',
        /^\/memories\/([^/]+)$/u,
        ({ body }, id = '') => {
          const memory = store.find(id)
          if (memory === undefined) return { status: 404, body: { detail: 'Memory not found' } }
          memory.text = (body as { text: string }).text
          return { body: { message: 'Memory updated successfully!' } }
        },
      ],
      [
        'DELETE',
        /^\/memories$/u,
        ({ query }) => {
          store.users.delete(query['user_id'] ?? '')
          return { body: { message: 'All relevant memories deleted' } }
        },
      ],
    ],
  })
}

function describe(memory: KeptMemory) {
  return {
    id: memory.id,
    memory: memory.text,
    hash: 'h',
    metadata: { session: memory.source },
    created_at: '2026-01-01T00:00:00Z',
    updated_at: null,
  }
}
