import { givingWay } from '../give-way.ts'
import type { Memory } from '../memories/memory.ts'
import type { IndexRow, NewDocument } from '../stores/store.ts'
import type { OwnerCache } from './owner-cache.ts'

/**
 * Puts a document's row into the cache; a vector of another embedder counts as none, so that dimensions never mix.
 *
 * @param document its terms and traits, where these are newer than the row's
 */
export function putRow(
  cache: OwnerCache,
  row: IndexRow,
  { terms, traits }: Pick<NewDocument, 'terms' | 'traits'>,
  embedder: string,
): void {
  if (row.kind === 'turn') cache.addTurn(row)
  const { id, kind, scope, session, position, at } = row
  const { role, speaker } = speakerOf(row, cache.known(id)?.memory)
  const vector = row.embedder === embedder ? row.vector : null
  cache.putDocument({ id, kind, scope, session, position, role, speaker, at, terms, traits, vector })
  if (row.embedder === embedder) cache.unembedded.delete(id)
  else cache.unembedded.add(id)
}

/**
 * Puts many rows in, with looks at the event loop between them, within the lock of loading. Who has the cache already may meet some of them
 * and not yet others, as they would had these been stored one by one.
 *
 * @param renewed what was analysed again, by its id
 * @returns whether all are in; not where the cache was let go of meanwhile
 */
export async function putInSteps(
  cache: OwnerCache,
  rows: readonly IndexRow[],
  embedder: string,
  renewed: ReadonlyMap<string, NewDocument> = new Map(),
): Promise<boolean> {
  cache.isTakingIn = true
  const giveWay = givingWay()
  try {
    for (const row of rows) {
      if (cache.isFree) return false
      putRow(cache, row, renewed.get(row.id) ?? row, embedder)
      await giveWay()
    }
    return !cache.isFree
  } finally {
    cache.isTakingIn = false
  }
}

/** A memory's row as a store gives it. */
export function rowOfMemory(document: NewDocument, { scope, session, learnedAt: at }: Memory): IndexRow {
  return { ...document, scope, session, position: 0, role: 'other', speaker: null, at }
}

/** A statement counts as its subject's own words, so that a question about somebody finds what is known of them. */
function speakerOf(row: IndexRow, memory: Memory | undefined): Pick<IndexRow, 'role' | 'speaker'> {
  if (memory === undefined || memory.form === 'utterance') return row
  const { subject } = memory
  if (subject === 'user' || subject === 'agent') return { role: subject, speaker: row.speaker }
  return { role: 'user', speaker: subject }
}
