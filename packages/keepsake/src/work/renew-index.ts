import { ANALYSER_VERSION, analyseText } from '../text/analyse-text.ts'
import type { IndexRow, NewDocument, Store } from '../stores/store.ts'
import type { KeyTable } from '../persona/key-table.ts'
import type { Engine } from './engine.ts'
import { indexText } from './index-text.ts'
import { memoryIndexText } from './memory-index-text.ts'

/** Texts embedded between two looks at the event loop. */
const BATCH = 128

/** What the index reads of documents, by id. Erased ones are left out. */
async function textsOf(
  store: Store,
  keys: KeyTable,
  owner: number,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  for (const turn of await store.turns({ owner, ids })) texts.set(turn.id, turn.text)
  for (const { memory } of await store.memories({ owner, ids }))
    texts.set(memory.id, memoryIndexText(memory, keys))
  return texts
}

/** Analyses documents again after a change of tokeniser, stemmer or ICU, and stores their terms. Vectors stay. */
export async function analyseAgain(
  store: Store,
  keys: KeyTable,
  owner: number,
  rows: readonly IndexRow[],
): Promise<NewDocument[]> {
  const texts = await textsOf(
    store,
    keys,
    owner,
    rows.map((row) => row.id),
  )
  const documents = rows.flatMap(({ id, kind, vector, embedder }) => {
    const text = texts.get(id)
    return text === undefined
      ? []
      : [{ id, kind, ...analyseText(text), analyser: ANALYSER_VERSION, vector, embedder }]
  })
  await store.reindex(owner, documents)
  return documents
}

/**
 * Embeds documents that have no vector of this model: after a change of embedder, or because the model could
 * not answer on the write path. In small batches, giving way to the event loop between them.
 *
 * @returns how many were embedded.
 */
export async function embedAgain(
  { store, embedding, preset }: Engine,
  owner: number,
  ids: readonly string[],
  isStopped: () => boolean,
): Promise<number> {
  let done = 0
  for (let start = 0; start < ids.length && !isStopped(); start += BATCH) {
    const texts = await textsOf(store, preset.keyTable, owner, ids.slice(start, start + BATCH))
    const entries = [...texts]
    const vectors = await embedding.embed(entries.map(([, text]) => text))
    const turns = new Set((await store.turns({ owner, ids: [...texts.keys()] })).map((turn) => turn.id))
    const documents = entries.map(([id, text], index): NewDocument => {
      const vector = vectors[index] ?? null
      const embedder = vector === null ? null : embedding.id
      return {
        id,
        kind: turns.has(id) ? 'turn' : 'memory',
        ...analyseText(text),
        analyser: ANALYSER_VERSION,
        vector,
        embedder,
      }
    })
    await store.reindex(owner, documents)
    done += documents.length
    await new Promise((resolve) => setImmediate(resolve))
  }
  return done
}

/** Makes all index rows of a person whose rows came from an import, which carries none. */
export async function indexAll(engine: Engine, owner: number): Promise<void> {
  const turns = (await engine.store.turns({ owner })).map(({ id, text }) => ({
    id,
    kind: 'turn' as const,
    text,
  }))
  const memories = (await engine.store.memories({ owner }))
    .map(({ memory }) => memory)
    .filter((memory) => memory.form !== 'utterance' && memory.status !== 'erased')
    .map((memory) => ({
      id: memory.id,
      kind: 'memory' as const,
      text: memoryIndexText(memory, engine.preset.keyTable),
    }))
  const all = [...turns, ...memories]
  for (let start = 0; start < all.length; start += BATCH) {
    const documents = all.slice(start, start + BATCH).map(({ id, kind, text }): NewDocument => {
      return { id, kind, ...indexText(engine.embedding, text) }
    })
    await engine.store.reindex(owner, documents)
    await new Promise((resolve) => setImmediate(resolve))
  }
}
