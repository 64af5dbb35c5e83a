import { setImmediate as giveWay } from 'node:timers/promises'
import { embedLately } from '../models/embed-lately.ts'
import type { KeyTable } from '@keepsake/text'
import type { IndexRow, NewDocument, Store } from '../stores/store.ts'
import type { Engine } from './engine.ts'
import { indexedBy, indexText, memoryIndexText } from './index-text.ts'

/** Texts embedded between two looks at the event loop. */
const BATCH = 128

interface IndexedText extends Pick<NewDocument, 'id' | 'kind'> {
  readonly text: string
}

/** What the index reads of documents, of all where none are named. Erased ones are left out. */
async function textsOf(
  store: Store,
  keys: KeyTable,
  owner: number,
  ids?: readonly string[],
): Promise<IndexedText[]> {
  const turns = await store.turns({ owner, ids })
  const memories = await store.memories({ owner, ids })
  return [
    ...turns.map(({ id, text }) => ({ id, kind: 'turn', text }) as const),
    ...memories
      .map(({ memory }) => memory)
      .filter(({ form, status }) => form !== 'utterance' && status !== 'erased')
      .map((memory) => ({ id: memory.id, kind: 'memory', text: memoryIndexText(memory, keys) }) as const),
  ]
}

/** The same of documents that lack a vector. Texts of turns are read from the user's state where it is cached. */
async function textsToEmbed(
  { store, preset, users }: Engine,
  owner: number,
  ids: readonly string[],
): Promise<IndexedText[]> {
  const turns = users.cached(owner)?.turns
  const cached = ids.flatMap((id): IndexedText[] => {
    const turn = turns?.get(id)
    return turn === undefined ? [] : [{ id, kind: 'turn', text: turn.text }]
  })
  const others = ids.filter((id) => turns?.has(id) !== true)
  return others.length === 0 ? cached : [...cached, ...(await textsOf(store, preset.keyTable, owner, others))]
}

/** Analyses documents again after a change of tokeniser, stemmer or ICU, and stores their terms. Vectors stay. */
export async function analyseAgain(
  store: Store,
  keys: KeyTable,
  owner: number,
  rows: readonly IndexRow[],
): Promise<NewDocument[]> {
  const ids = rows.map((row) => row.id)
  const texts = new Map((await textsOf(store, keys, owner, ids)).map(({ id, text }) => [id, text]))
  const documents = rows.flatMap(({ id, kind, vector, embedder }) => {
    const text = texts.get(id)
    return text === undefined ? [] : [{ id, kind, ...indexedBy(text, vector, embedder) }]
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
  engine: Engine,
  owner: number,
  ids: readonly string[],
  isStopped: () => boolean,
): Promise<number> {
  const { store, embedding, users } = engine
  let done = 0
  for (let start = 0; start < ids.length && !isStopped(); start += BATCH) {
    const texts = await textsToEmbed(engine, owner, ids.slice(start, start + BATCH))
    const vectors = await embedLately(
      embedding,
      texts.map(({ text }) => text),
    )
    const documents = texts.map(({ text, ...document }, index): NewDocument => {
      return { ...document, ...indexedBy(text, vectors[index] ?? null, embedding.id) }
    })
    await users.lock(owner, async () => {
      users.applyReindex(owner, documents, await store.reindex(owner, documents))
    })
    done += documents.length
    await giveWay()
  }
  return done
}

/** Makes all index rows of a person whose rows came from an import, which carries none. */
export async function indexAll({ store, embedding, preset }: Engine, owner: number): Promise<void> {
  const all = await textsOf(store, preset.keyTable, owner)
  for (let start = 0; start < all.length; start += BATCH) {
    const documents: NewDocument[] = []
    for (const { text, ...document } of all.slice(start, start + BATCH)) {
      documents.push({ ...document, ...indexText(embedding, text) })
      await giveWay()
    }
    await store.reindex(owner, documents)
    await giveWay()
  }
}
