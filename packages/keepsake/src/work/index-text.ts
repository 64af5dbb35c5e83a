import type { ChangeSet } from '../memories/change-set.ts'
import type { Memory } from '../memories/memory.ts'
import { cachedVector } from '../models/embed-cached.ts'
import { ANALYSER_VERSION, analyseText, type EmbeddingModel, type KeyTable } from '@keepsake/text'
import type { NewDocument, NewTurn } from '../store/store.ts'
import type { Engine } from './engine.ts'

const HAN = /\p{Script=Han}/u

/**
 * What the index reads of a memory: its statement; what it said before, so that a question about the past finds
 * it as well; and the names of its key in its own language, since "Where does she live?" shares no word with
 * "She moved to Lyon".
 */
export function memoryIndexText(memory: Memory, keys: KeyTable): string {
  const names = memory.key === null ? undefined : keys.get(memory.key)?.names
  const inOwnLanguage = names === undefined ? [] : HAN.test(memory.text) ? names.zh : names.en
  return [memory.text, ...memory.past.map((version) => version.text), ...inOwnLanguage].join('\n')
}

/**
 * What the index stores of a text. A model that lives in the process embeds it at once; a remote one is asked in the
 * background, so that the write path never waits for it, unless it was asked for the same text a moment ago.
 */
export function indexText(embedding: EmbeddingModel, text: string): NewTurn['document'] {
  const vector = embedding.embedNow?.(text) ?? cachedVector(embedding, text) ?? null
  return indexedBy(text, vector, embedding.id)
}

/** A text's terms, with a vector that is there already; `null` while there is none. */
export function indexedBy(
  text: string,
  vector: Float32Array | null,
  embedder: string | null,
): NewTurn['document'] {
  return {
    ...analyseText(text),
    analyser: ANALYSER_VERSION,
    vector,
    embedder: vector === null ? null : embedder,
  }
}

/** Index rows for memories whose text these changes wrote. Utterances have none of their own: they are found by their turns. */
export function documentsOf(engine: Engine, changes: ChangeSet): NewDocument[] {
  const written = new Set<string>()
  for (const { memory, payload } of changes.operations) {
    const isWritten = payload !== null && ('text' in payload.after || 'past' in payload.after)
    if (memory !== null && isWritten) written.add(memory)
  }
  return changes.memories
    .filter(({ id, form, status }) => written.has(id) && form !== 'utterance' && status !== 'erased')
    .map((memory): NewDocument => {
      const text = memoryIndexText(memory, engine.preset.keyTable)
      return { id: memory.id, kind: 'memory', ...indexText(engine.embedding, text) }
    })
}
