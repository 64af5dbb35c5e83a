import type { Script } from './scripted-service.ts'
import { textsByUser, type StoredMemory } from './scripted-store.ts'

/** MemOS Cloud, "OpenMem" version 1, with the documented messages. */
export const memosScript: Script = {
  path: '/api/openmem/v1',
  keyHeader: (key) => ['authorization', `Token ${key}`],
  refusal: { code: 40132, message: 'Invalid API Key' },
  routes: (store) => ({
    'POST /add/message': ({ body }) => {
      const id = store.newId('task')
      store.addUser(body.user_id)
      store.process(id, () => store.add(body.user_id, textsByUser(body.messages), body.conversation_id))
      return good({ success: true, task_id: id, status: 'running' })
    },
    'POST /get/status': ({ body }) => good({ status: store.poll(body.task_id) ? 'completed' : 'running' }),
    'POST /search/memory': ({ body: { user_id, query, memory_limit_number } }) =>
      good({
        memory_detail_list: store.search(user_id, query, memory_limit_number).map(toFact),
        preference_detail_list: [],
        preference_note: '',
      }),
    'POST /get/memory': ({ body: { user_id, page, size } }) => {
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
    'POST /delete/memory': ({ body }) =>
      store.users.delete(body.user_id)
        ? good({ success: true })
        : { body: { code: 40308, message: 'user does not exist', data: null } },
  }),
}

function toFact({ id, text, source, score }: StoredMemory & { readonly score?: number }) {
  return {
    id,
    memory_key: 'talk',
    memory_value: text,
    memory_type: 'LongTermMemory',
    conversation_id: source,
    status: 'activated',
    relativity: score,
  }
}

function good(data: unknown) {
  return { body: { code: 0, message: 'ok', data } }
}
