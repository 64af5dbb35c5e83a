// Computes the search index's data of a text: terms, traits and vector.
import {
  ANALYSER_VERSION,
  analyseText,
  isMostlyUnspoken,
  TextTrait,
  type EmbeddingModel,
  type KeyTable,
} from '@keepsake/text'
import type { ChangeSet } from '../memories/change-set.ts'
import type { Memory } from '../memories/memory.ts'
import { cachedVector, embedCached } from '../models/embed-cached.ts'
import type { NewDocument, NewTurn } from '../store/store.ts'
import type { Role } from '../turns/turn.ts'
import { MAX_EXAMINED } from '../user-state/analysed-text.ts'
import type { UserState } from '../user-state/user-state.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import type { Engine } from './engine.ts'

const HAN = /\p{Script=Han}/u

/** Returns the text by which a memory is found: statement, past versions, search words, and the names of its key. */
export function memoryIndexText(memory: Memory, keys: KeyTable): string {
  const names = memory.key === null ? undefined : keys.get(memory.key)?.names
  const keyNames = HAN.test(memory.text) ? names?.zh : names?.en
  const past = memory.past.map((version) => version.text)
  const parts = [memory.text, ...past, memory.searchWords, ...(keyNames ?? [])]
  return parts.filter((part) => part !== '').join('\n')
}

/** A text to index: a turn's, with its role, or a memory's. */
export interface TextToIndex {
  readonly text: string
  readonly role?: Role
}

/** Analyses a text for the index. A remote model embeds it later, so that writing never waits for it. */
export function indexText(embedding: EmbeddingModel, source: TextToIndex): NewTurn['document'] {
  const vector = embedding.embedNow?.(source.text) ?? cachedVector(embedding, source.text) ?? null
  return indexWithVector(source, vector, embedding.id)
}

/** Analyses a text for the index, with its vector if there is one. */
function indexWithVector(
  { text, role }: TextToIndex,
  vector: Float32Array | null,
  embedder: string | null,
): NewTurn['document'] {
  const { terms, traits } = analyseText(text)
  const isQuoting = role === 'user' && isMostlyUnspoken(text.slice(0, MAX_EXAMINED))
  return {
    terms,
    traits: isQuoting ? traits | TextTrait.quoting : traits,
    analyser: ANALYSER_VERSION,
    vector,
    embedder: vector === null ? null : embedder,
  }
}

/** Returns index documents for the memories whose text these changes set. Utterances have none; they are found by their turns. */
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
      return { id: memory.id, kind: 'memory', ...indexText(engine.embedding, { text }) }
    })
}

/** Number of texts that are embedded before the event loop is yielded to. */
const BATCH_SIZE = 128

interface IndexedText extends Pick<NewDocument, 'id' | 'kind'>, TextToIndex {}

/** Returns the texts of documents, without erased ones. */
function listTexts({ turns, memories }: UserState, keys: KeyTable, ids: Iterable<string>): IndexedText[] {
  return Array.from(ids).flatMap((id): IndexedText[] => {
    const turn = turns.get(id)
    if (turn !== undefined) return [{ id, kind: 'turn', text: turn.text, role: turn.role }]
    const memory = memories.get(id)
    if (memory === undefined || memory.form === 'utterance' || memory.status === 'erased') return []
    return [{ id, kind: 'memory', text: memoryIndexText(memory, keys) }]
  })
}

/** Analyses documents again after a change of the tokeniser, the stemmer or ICU. They keep their vectors. */
export function reanalyse(
  state: UserState,
  keys: KeyTable,
  documents: readonly NewDocument[],
): NewDocument[] {
  const known = new Map(documents.map((document) => [document.id, document]))
  return listTexts(state, keys, known.keys()).map(({ id, kind, ...source }) => {
    const { vector = null, embedder = null } = known.get(id) ?? {}
    return { id, kind, ...indexWithVector(source, vector, embedder) }
  })
}

/** Embeds documents that lack a vector of the current model, in batches. Yields between batches. Returns their number. */
export async function embedMissing(
  { embedding, users, preset }: Engine,
  owner: number,
  ids: readonly string[],
  isStopped: () => boolean,
): Promise<number> {
  let done = 0
  for (let start = 0; start < ids.length && !isStopped(); start += BATCH_SIZE) {
    const texts = listTexts(await users.load(owner), preset.keyTable, ids.slice(start, start + BATCH_SIZE))
    const vectors = await embedCached(
      embedding,
      texts.map(({ text }) => text),
    )
    const documents = texts.map(({ id, kind, ...source }, index): NewDocument => {
      return { id, kind, ...indexWithVector(source, vectors[index] ?? null, embedding.id) }
    })
    await users.saveDocuments(owner, documents)
    done += documents.length
    await yieldToEventLoop()
  }
  return done
}

/** Makes all index documents of a user. An import needs this, because an export has none. */
export async function reindexUser({ users, embedding, preset }: Engine, owner: number): Promise<void> {
  const state = await users.load(owner)
  const texts = listTexts(state, preset.keyTable, [...state.turns.keys(), ...state.memories.keys()])
  for (let start = 0; start < texts.length; start += BATCH_SIZE) {
    const documents: NewDocument[] = []
    for (const { id, kind, ...source } of texts.slice(start, start + BATCH_SIZE)) {
      documents.push({ id, kind, ...indexText(embedding, source) })
      await yieldToEventLoop()
    }
    await users.saveDocuments(owner, documents)
  }
}
