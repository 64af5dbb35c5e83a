import type { Operation } from '../memories/operation.ts'
import type {
  AppendRequest,
  AppendResult,
  CommitRequest,
  CommitResult,
  IndexRow,
  IndexRows,
  NewDocument,
  OwnerVersion,
  ScopeProgress,
} from '../stores/store.ts'
import type { OwnerCache } from './owner-cache.ts'
import { putInSteps, putRow, rowOfMemory } from './put-row.ts'

export type Committed = Extract<CommitResult, { outcome: 'committed' }>

/** Whose vectors the caches hold. */
interface Embedder {
  readonly embedder: string
}

/** The last operation that changed each memory. */
function sequencesOf(operations: readonly Operation[]): ReadonlyMap<string, number> {
  const sequences = new Map<string, number>()
  for (const { memory, touched, sequence } of operations)
    for (const id of memory === null ? touched.map((one) => one.memory) : [memory])
      sequences.set(id, sequence)
  return sequences
}

/** Takes a change in that is not stored yet: it has no place in the log. */
export function takeUnstored(cache: OwnerCache, request: CommitRequest, by: Embedder): void {
  // Another object of the same numbers: whoever keeps the cache as an image sees that it changed.
  takeCommit(cache, request, { outcome: 'committed', version: { ...cache.version }, operations: [] }, by)
}

/** Notes where in the log stands what was taken in before. */
export function noteStored(cache: OwnerCache, { operations }: Committed): void {
  for (const [id, sequence] of sequencesOf(operations)) cache.noteSequence(id, sequence)
}

/** Takes a commit of this process into a cache that has seen everything up to it. @returns how many documents came */
export function takeCommit(
  cache: OwnerCache,
  request: CommitRequest,
  { version, operations }: Committed,
  by: Embedder,
): number {
  const sequences = sequencesOf(operations)
  const memories = request.memories.map((memory) => ({ memory, sequence: sequences.get(memory.id) ?? 0 }))
  const made = new Map(request.memories.map((memory) => [memory.id, memory]))
  const documents = request.documents.flatMap((document) => {
    const memory = made.get(document.id) ?? cache.known(document.id)?.memory
    return memory === undefined ? [] : [rowOfMemory(document, memory)]
  })
  const known = cache.progress(request.scope)
  const branches = Object.fromEntries(request.progress.map(({ branch, to }) => [branch, to]))
  const progress = { ...known, branches: { ...known.branches, ...branches } }
  return take(cache, { version, documents, memories }, [request.scope, progress], by)
}

/** The same of turns that were stored. */
export function takeAppend(
  cache: OwnerCache,
  request: AppendRequest,
  result: AppendResult,
  by: Embedder,
): number {
  const { documents, progress } = rowsOfTurns(cache, request, result)
  return take(cache, { version: result.version, documents, memories: [] }, progress, by)
}

/** The same of many turns, with looks at the event loop between them. @returns whether all are in; not where the cache was let go of meanwhile */
export async function takeAppendInSteps(
  cache: OwnerCache,
  request: AppendRequest,
  result: AppendResult,
  by: Embedder,
): Promise<boolean> {
  const { documents, progress } = rowsOfTurns(cache, request, result)
  if (!(await putInSteps(cache, documents, by.embedder))) return false
  take(cache, { version: result.version, documents: [], memories: [] }, progress, by)
  return true
}

/**
 * The same of documents that were indexed again. @returns how many came; `null` where the cache does not know what one belongs to, and
 * has to read them
 */
export function takeReindexed(
  cache: OwnerCache,
  documents: readonly NewDocument[],
  version: OwnerVersion,
  by: Embedder,
): number | null {
  const rows = documents.flatMap((document) => rowAgain(cache, document) ?? [])
  if (rows.length < documents.length) return null
  for (const row of rows) putRow(cache, row, row, by.embedder)
  cache.settle()
  cache.version = version
  return rows.length
}

/** A document's row as the store has it now, if the cache holds the document. */
function rowAgain(cache: OwnerCache, document: NewDocument): IndexRow | undefined {
  if (document.kind === 'memory') {
    const memory = cache.known(document.id)?.memory
    return memory === undefined || memory.status === 'erased' ? undefined : rowOfMemory(document, memory)
  }
  const { index } = cache
  const [turn, row] = [cache.turn(document.id), index.rowOf(document.id)]
  if (turn === undefined || row === undefined) return undefined
  return { ...document, ...turn, speaker: index.table.speakerOf(row), at: index.table.at[row] ?? 0 }
}

/** What a cache takes in of turns that were stored. */
function rowsOfTurns(
  cache: OwnerCache,
  { scope, turns }: AppendRequest,
  { added }: AppendResult,
): { readonly documents: IndexRow[]; readonly progress: readonly [number, ScopeProgress] } {
  const written = new Map(turns.map(({ id, document }) => [id, document]))
  const documents = added.flatMap((turn): IndexRow[] => {
    const document = written.get(turn.id)
    return document === undefined ? [] : [{ ...turn, ...document, kind: 'turn' }]
  })
  const known = cache.progress(scope)
  const lastPosition = Math.max(known.lastPosition, added.at(-1)?.position ?? 0)
  return { documents, progress: [scope, { ...known, lastPosition }] }
}

/** Takes note of turns that were stored, since what is drawn from them begins with reading them. */
export function noteAppended(cache: OwnerCache, scope: number, { added, session }: AppendResult): void {
  const [first] = added
  if (first === undefined) return
  const { atHand } = cache
  atHand.noteLastSession(scope, session.number)
  atHand.sessionNumbers(scope).set(session.id, session.number)
  atHand.recentTurns(scope).take(first.position - 1, cache.progress(scope).lastPosition, added)
  for (const turn of added) cache.said.put(turn)
}

function take(
  cache: OwnerCache,
  rows: IndexRows,
  [scope, reached]: readonly [number, ScopeProgress],
  { embedder }: Embedder,
): number {
  cache.setProgress(scope, reached)
  for (const known of rows.memories) cache.setMemory(known)
  for (const row of rows.documents) putRow(cache, row, row, embedder)
  cache.settle()
  cache.version = rows.version
  return rows.documents.length
}
