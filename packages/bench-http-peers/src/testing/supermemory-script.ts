import type { Script } from './scripted-service.ts'

/** Supermemory `/v3` and `/v4`, with the messages that `supermemory` 4.25.4 exchanges with it. */
export const supermemoryScript: Script = {
  path: '',
  keyHeader: (key) => ['authorization', `Bearer ${key}`],
  refusal: { error: 'Unauthorized' },
  routes: (store) => {
    const documents = new Map<string, string>()
    return {
      // Every line becomes a memory, except those of the assistant. A known customId overwrites its document.
      'POST /v3/documents': ({ body: { content, containerTag, customId } }) => {
        const known = documents.get(customId)
        if (known !== undefined) return { body: { id: known, status: 'queued' } }
        const id = store.newId('doc')
        documents.set(customId, id)
        store.addUser(containerTag)
        store.process(id, () => {
          const lines = content.split('\n')
          const texts = lines.flatMap(
            (line) => /^\[[^\]]+\] (?!assistant: )[^:]+: (.*)$/u.exec(line)?.[1] ?? [],
          )
          store.add(containerTag, texts, id)
        })
        return { body: { id, status: 'queued' } }
      },
      'GET /v3/documents/:id': ({ name: id }) => ({
        body: { id, status: store.poll(id) ? 'done' : 'extracting' },
      }),
      'POST /v4/memories/list': ({ body: { containerTags, page, limit } }) => {
        const all = store.memoriesOf(containerTags[0] ?? '')
        const versions = { version: 1, isLatest: true, isForgotten: false, history: [] }
        const memoryEntries = all
          .slice((page - 1) * limit, page * limit)
          .map(({ id, text: memory, source }) => ({ id, memory, documentIds: [source], ...versions }))
        const totalPages = Math.ceil(all.length / limit)
        const pagination = { currentPage: page, limit, totalItems: all.length, totalPages }
        return { body: { memoryEntries, pagination } }
      },
      'POST /v4/search': ({ body: { containerTag, q, limit } }) => {
        const results = store
          .search(containerTag, q, limit)
          .map(({ id, text: memory, score: similarity }) => ({
            id,
            memory,
            similarity,
            metadata: null,
            updatedAt: '',
          }))
        return { body: { results, timing: 5, total: results.length } }
      },
      'DELETE /v3/container-tags/:tag': ({ name: containerTag }) => ({
        body: { success: store.users.delete(containerTag), containerTag },
      }),
    }
  },
}
