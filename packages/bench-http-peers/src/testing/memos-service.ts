import { startScripted, type ScriptedPeer } from './scripted-peer.ts'
import { requireHeader, type ServiceAnswer } from './scripted-service.ts'
import { saidByUser, type KeptMemory, type ScriptedStore } from './scripted-store.ts'

interface Addition {
  user_id: string
  conversation_id: string
  messages: { role: string; content: string; chat_time: string }[]
}

interface Search {
  user_id: string
  query: string
  memory_limit_number: number
}

/** MemOS Cloud, "OpenMem" version 1, with the documented messages. */
export function startMemos(key: string): Promise<ScriptedPeer> {
  return startScripted({
    path: '/api/openmem/v1',
    authorise: requireHeader('authorization', `Token ${key}`, { code: 40132, message: 'Invalid API Key' }),
    routes: (store) => [
      ['POST', /^\/api\/openmem\/v1\/add\/message$/u, ({ body }) => add(store, body as Addition)],
      [
        'POST',
        /^\/api\/openmem\/v1\/get\/status$/u,
        ({ body }) =>
          good({ status: store.look((body as { task_id: string }).task_id) ? 'completed' : 'running' }),
      ],
      ['POST', /^\/api\/openmem\/v1\/search\/memory$/u, ({ body }) => search(store, body as Search)],
      [
        'POST',
        /^\/api\/openmem\/v1\/get\/memory$/u,
        ({ body }) => {
          const { user_id, page, size } = body as { user_id: string; page: number; size: number }
          const all = store.memoriesOf(user_id)
          return good({
            memory_detail_list: all.slice((page - 1) * size, page * size).map(toFact),
            preference_detail_list: [],
            tool_memory_detail_list: [],
            total: all.length,
            size,
            current: page,
            pages: Math.ceil(all.length / size),
          })
        },
      ],
      [
        'POST',
        /^\/api\/openmem\/v1\/update\/memory$/u,
        ({ body }) => {
          const { memory_id, content } = body as { memory_id: string; content: string }
          const memory = store.find(memory_id)
          if (memory === undefined) return { body: { code: 40001, message: 'not found', data: null } }
          memory.text = content
          return good({ success: true })
        },
      ],
      [
        'POST',
        /^\/api\/openmem\/v1\/delete\/memory$/u,
        ({ body }) =>
          store.users.delete((body as { user_id: string }).user_id)
            ? good({ success: true })
            : { body: { code: 40308, message: 'user does not exist', data: null } },
      ],
    ],
  })
}

function add(store: ScriptedStore, addition: Addition): ServiceAnswer {
  const id = store.newId('task')
  if (!store.users.has(addition.user_id)) store.users.set(addition.user_id, [])
  store.process(id, () => {
    store.keep(addition.user_id, saidByUser(addition.messages), addition.conversation_id)
  })
  return good({ success: true, task_id: id, status: 'running' })
}

function search(store: ScriptedStore, asked: Search): ServiceAnswer {
  const found = store.search(asked.user_id, asked.query, asked.memory_limit_number)
  return good({
    memory_detail_list: found.map(({ memory, score }) => ({ ...toFact(memory), relativity: score })),
    preference_detail_list: [],
    preference_note: '',
  })
}

function toFact(memory: KeptMemory) {
  return {
    id: memory.id,
    memory_key: 'talk',
    memory_value: memory.text,
    memory_type: 'LongTermMemory',
    conversation_id: memory.source,
    status: 'activated',
  }
}

function good(data: unknown): ServiceAnswer {
  return { body: { code: 0, message: 'ok', data } }
}
