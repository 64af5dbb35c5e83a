// Applies a committed change to a user's state in memory.
import { joinTallies } from '../memories/apply-operation.ts'
import type { Memory } from '../memories/memory.ts'
import type {
  AppendRequest,
  AppendResult,
  Change,
  NewDocument,
  SessionRow,
  UsageCount,
  UserRows,
} from '../store/store.ts'
import type { SearchDocument } from '@keepsake/search'
import type { Turn } from '../turns/turn.ts'
import type { Progress, UserState } from './user-state.ts'

/** Rows to apply to a user's state, in this order. The revision is set last. */
export interface StateChange {
  readonly revision: number
  readonly sessions: readonly SessionRow[]
  readonly turns: readonly Turn[]
  readonly progress: Iterable<readonly [scope: number, progress: Progress]>
  readonly memories: readonly Memory[]
  readonly documents: readonly NewDocument[]
}

/**
 * Applies a stored change to a user's state.
 *
 * @param embedder whose vectors the index holds; those of another count as none, so that dimensions never mix
 */
export function applyChange(state: UserState, change: StateChange, embedder: string): void {
  applyRows(state, change)
  for (const document of change.documents) applyDocument(state, document, embedder)
  state.settle()
  state.revision = change.revision
}

function applyRows(
  state: UserState,
  { sessions, turns, progress, memories }: Omit<StateChange, 'revision' | 'documents'>,
): void {
  for (const session of sessions) state.setSession(session)
  for (const turn of turns) state.addTurn(turn)
  for (const [scope, reached] of progress) state.setProgress(scope, reached)
  for (const memory of memories) state.setMemory(memory)
}

/** Applies what was read of a user, but for the documents. */
export function applyUserRows(state: UserState, rows: UserRows): void {
  const progress = rows.scopes.map(
    ({ scope, lastPosition, branches }) => [scope, { lastPosition, branches }] as const,
  )
  const memories = rows.memories.map(({ memory }) => memory)
  applyRows(state, { sessions: rows.sessions, turns: rows.turns, progress, memories })
  state.rows = rows.scopes
  state.erasedRevision = rows.erasedRevision
  for (const { memory, tally } of rows.usage) state.usage.set(memory, tally)
}

/** Documents of turns and then of memories, in order of creation: what is equal then ranks in one order on every store. */
export function inOrder({ documents, turns, memories }: UserRows): readonly NewDocument[] {
  const places = new Map(
    [...turns.map(({ id }) => id), ...memories.map(({ memory }) => memory.id)].map((id, index) => [
      id,
      index,
    ]),
  )
  const placeOf = ({ id }: NewDocument): number => places.get(id) ?? places.size
  return documents.toSorted((a, b) => placeOf(a) - placeOf(b))
}

/** Puts a document into the index. One whose turn or memory is not in the state is passed over. */
export function applyDocument(state: UserState, document: NewDocument, embedder: string): void {
  const { id, kind, terms, traits } = document
  const place = placeOf(state, document)
  if (place === null) return
  const isOwn = document.embedder === embedder
  // A vector that does not fit the others (the model changed under its name) is none, and is not asked for again.
  const vector =
    isOwn && document.vector !== null && state.index.takes(document.vector) ? document.vector : null
  state.putDocument({ kind, ...place, terms, traits, vector })
  if (isOwn) state.unembedded.delete(id)
  else state.unembedded.add(id)
}

type Place = Pick<SearchDocument, 'id' | 'scope' | 'session' | 'position' | 'role' | 'speaker' | 'at'>

function placeOf(state: UserState, { id, kind }: NewDocument): Place | null {
  if (kind === 'turn') {
    const turn = state.turns.get(id)
    if (turn === undefined) return null
    const { scope, session, position, role, speaker, at } = turn
    return { id: turn.id, scope, session, position, role, speaker, at }
  }
  const memory = state.memories.get(id)
  if (memory === undefined || memory.status === 'erased') return null
  const { scope, session, learnedAt: at } = memory
  return { id: memory.id, scope, session, position: 0, ...speakerOf(memory), at }
}

/** Attributes a statement to its subject, so that a question about a person finds what is known of them; a block is the agent's word. */
function speakerOf({ form, subject }: Memory): Pick<Place, 'role' | 'speaker'> {
  if (form === 'block') return { role: 'assistant', speaker: null }
  if (form === 'utterance') return { role: 'other', speaker: null }
  if (subject === 'user') return { role: 'user', speaker: null }
  if (subject === 'agent') return { role: 'assistant', speaker: null }
  return { role: 'user', speaker: subject }
}

export function changeOfCommit(state: UserState, change: Change, revision: number): StateChange {
  const { scope, memories, documents, endSessions } = change
  const known = state.progress(scope)
  const branches = Object.fromEntries(change.progress.map(({ branch, position }) => [branch, position]))
  const ended = new Map(endSessions.map(({ session, at }) => [session, at]))
  const sessions = state
    .sessions(scope)
    .flatMap((row) => (ended.has(row.id) ? [{ ...row, endedAt: ended.get(row.id) ?? row.endedAt }] : []))
  return {
    revision,
    sessions,
    turns: [],
    progress: [[scope, { ...known, branches: { ...known.branches, ...branches } }]],
    memories,
    documents,
  }
}

export function changeOfAppend(
  state: UserState,
  { scope, turns }: AppendRequest,
  { added, session, revision }: AppendResult,
): StateChange {
  const documents = new Map(turns.map(({ id, document }) => [id, document]))
  const known = state.progress(scope)
  const lastPosition = Math.max(known.lastPosition, added.at(-1)?.position ?? 0)
  return {
    revision,
    sessions: [session],
    turns: added,
    progress: [[scope, { ...known, lastPosition }]],
    memories: [],
    documents: added.flatMap(({ id }): NewDocument[] => {
      const document = documents.get(id)
      return document === undefined ? [] : [{ ...document, id, kind: 'turn' }]
    }),
  }
}

/** Adds what was counted to the state's counters. */
export function applyUsage({ usage }: UserState, counts: readonly UsageCount[]): void {
  for (const { memory, tally } of counts) {
    const before = usage.get(memory)
    usage.set(memory, before === undefined ? tally : joinTallies(before, tally))
  }
}
