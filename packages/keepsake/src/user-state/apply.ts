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
import type { Progress } from './state-parts.ts'
import type { UserState } from './user-state.ts'

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
 * @param embedder the model whose vectors the index holds; vectors of other models are ignored, since their dimensions may differ
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

/** Applies the loaded rows of a user, without documents. */
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

/** Orders documents: turns and then memories, by creation. So documents with equal scores rank in the same order on every store. */
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

/** Puts a document into the index, if the state has its turn or memory. */
export function applyDocument(state: UserState, document: NewDocument, embedder: string): void {
  const { id, kind, terms, traits } = document
  const place = placeOf(state, document)
  if (place === null) return
  const isOfEmbedder = document.embedder === embedder
  // If a model changed under its name, its new vectors may have another dimension. Such a vector is ignored and not embedded again.
  const vector =
    isOfEmbedder && document.vector !== null && state.index.takes(document.vector) ? document.vector : null
  state.putDocument({ kind, ...place, terms, traits, vector })
  if (isOfEmbedder) state.unembedded.delete(id)
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

/** Attributes a statement to its subject, so that a question about a person finds it. A block is attributed to the agent. */
function speakerOf({ form, subject }: Memory): Pick<Place, 'role' | 'speaker'> {
  if (form === 'block') return { role: 'assistant', speaker: null }
  if (form === 'utterance') return { role: 'other', speaker: null }
  if (subject === 'user') return { role: 'user', speaker: null }
  if (subject === 'agent') return { role: 'assistant', speaker: null }
  return { role: 'user', speaker: subject }
}

/** Returns the rows that a commit changes in the state. */
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

/** Returns the rows that an append changes in the state. */
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

/** Adds usage counts to the state's counters. */
export function applyUsage({ usage }: UserState, counts: readonly UsageCount[]): void {
  for (const { memory, tally } of counts) {
    const before = usage.get(memory)
    usage.set(memory, before === undefined ? tally : joinTallies(before, tally))
  }
}
