import { embedCached } from '../models/embed-cached.ts'
import type { KeyTable } from '@keepsake/text'
import type { NewDocument } from '../store/store.ts'
import type { UserState } from '../user-state/user-state.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import type { Engine } from './engine.ts'
import { indexedBy, indexText, memoryIndexText } from './index-text.ts'

/** Texts embedded between two looks at the event loop. */
const BATCH = 128

interface IndexedText extends Pick<NewDocument, 'id' | 'kind'> {
  readonly text: string
}

/** What the index reads of documents. Erased ones are left out. */
function textsOf({ turns, memories }: UserState, keys: KeyTable, ids: Iterable<string>): IndexedText[] {
  return Array.from(ids).flatMap((id): IndexedText[] => {
    const turn = turns.get(id)
    if (turn !== undefined) return [{ id, kind: 'turn', text: turn.text }]
    const memory = memories.get(id)
    if (memory === undefined || memory.form === 'utterance' || memory.status === 'erased') return []
    return [{ id, kind: 'memory', text: memoryIndexText(memory, keys) }]
  })
}

/** Analyses documents again after a change of tokeniser, stemmer or ICU. Vectors stay. */
export function analyseAgain(
  state: UserState,
  keys: KeyTable,
  documents: readonly NewDocument[],
): NewDocument[] {
  const known = new Map(documents.map((document) => [document.id, document]))
  return textsOf(state, keys, known.keys()).map(({ id, kind, text }) => {
    const { vector = null, embedder = null } = known.get(id) ?? {}
    return { id, kind, ...indexedBy(text, vector, embedder) }
  })
}

/**
 * Embeds documents that have no vector of this model: after a change of embedder, or because the model could
 * not answer on the write path. In small batches, with a yield to the event loop between them.
 *
 * @returns how many were embedded.
 */
export async function embedAgain(
  { embedding, users, preset }: Engine,
  owner: number,
  ids: readonly string[],
  isStopped: () => boolean,
): Promise<number> {
  let done = 0
  for (let start = 0; start < ids.length && !isStopped(); start += BATCH) {
    const texts = textsOf(await users.load(owner), preset.keyTable, ids.slice(start, start + BATCH))
    const vectors = await embedCached(
      embedding,
      texts.map(({ text }) => text),
    )
    const documents = texts.map(({ text, ...document }, index): NewDocument => {
      return { ...document, ...indexedBy(text, vectors[index] ?? null, embedding.id) }
    })
    await users.saveDocuments(owner, documents)
    done += documents.length
    await yieldToEventLoop()
  }
  return done
}

/** Makes all documents of a user again: an import carries none. */
export async function indexAll({ users, embedding, preset }: Engine, owner: number): Promise<void> {
  const state = await users.load(owner)
  const texts = textsOf(state, preset.keyTable, [...state.turns.keys(), ...state.memories.keys()])
  for (let start = 0; start < texts.length; start += BATCH) {
    const documents: NewDocument[] = []
    for (const { text, ...document } of texts.slice(start, start + BATCH)) {
      documents.push({ ...document, ...indexText(embedding, text) })
      await yieldToEventLoop()
    }
    await users.saveDocuments(owner, documents)
  }
}
