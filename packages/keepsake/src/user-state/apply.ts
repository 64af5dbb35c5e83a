import type { Memory } from '../memories/memory.ts'
import type {
  AppendRequest,
  AppendResult,
  CommitRequest,
  IndexRow,
  NewDocument,
  OwnerVersion,
  ScopeProgress,
  SessionRow,
} from '../stores/store.ts'
import type { Turn } from '../turns/turn.ts'
import type { UserState } from './user-state.ts'

/** What a user's state takes over from the store, in the order in which it is applied. */
export interface StateChange {
  readonly version: OwnerVersion
  readonly sessions: readonly SessionRow[]
  readonly turns: readonly Turn[]
  readonly progress: Iterable<readonly [scope: number, progress: ScopeProgress]>
  readonly memories: readonly Memory[]
  readonly documents: readonly IndexRow[]
}

/**
 * Applies what was read or stored to a user's state.
 *
 * @param embedder whose vectors the index holds; those of another count as none, so that dimensions never mix
 * @param pause awaited between documents, where there may be many
 */
export async function applyInSteps(
  state: UserState,
  change: StateChange,
  embedder: string,
  pause: () => Promise<void>,
): Promise<void> {
  applyRows(state, change)
  for (const document of change.documents) {
    applyDocument(state, document, embedder)
    await pause()
  }
  state.settle()
  state.version = change.version
}

/** The same without a pause, for changes of a few documents. */
export function apply(state: UserState, change: StateChange, embedder: string): void {
  applyRows(state, change)
  for (const document of change.documents) applyDocument(state, document, embedder)
  state.settle()
  state.version = change.version
}

function applyRows(state: UserState, { sessions, turns, progress, memories }: StateChange): void {
  for (const session of sessions) state.setSession(session)
  for (const turn of turns) state.addTurn(turn)
  for (const [scope, reached] of progress) state.setProgress(scope, reached)
  for (const memory of memories) state.setMemory(memory)
}

function applyDocument(state: UserState, row: IndexRow, embedder: string): void {
  const { id, kind, scope, session, position, at, terms, traits } = row
  if (kind === 'turn' && !state.turns.has(id)) return
  const { role, speaker } = speakerOf(row, state.memories.get(id))
  const vector = row.embedder === embedder ? row.vector : null
  state.putDocument({ id, kind, scope, session, position, role, speaker, at, terms, traits, vector })
  if (row.embedder === embedder) state.unembedded.delete(id)
  else state.unembedded.add(id)
}

/** Attributes a statement to its subject, so that a question about a person finds what is known of them. */
function speakerOf(row: IndexRow, memory: Memory | undefined): Pick<IndexRow, 'role' | 'speaker'> {
  if (memory === undefined || memory.form === 'utterance') return row
  const { subject } = memory
  if (subject === 'user' || subject === 'agent') return { role: subject, speaker: row.speaker }
  return { role: 'user', speaker: subject }
}

/** The change that a commit makes. */
export function changeOfCommit(state: UserState, request: CommitRequest, version: OwnerVersion): StateChange {
  const { scope, memories, endSessions } = request
  const made = new Map(memories.map((memory) => [memory.id, memory]))
  const documents = request.documents.flatMap((document) => {
    const memory = made.get(document.id) ?? state.memories.get(document.id)
    return memory === undefined ? [] : [rowOfMemory(document, memory)]
  })
  const known = state.progress(scope)
  const branches = Object.fromEntries(request.progress.map(({ branch, to }) => [branch, to]))
  const ended = new Map(endSessions.map(({ session, at }) => [session, at]))
  const sessions = state
    .sessions(scope)
    .flatMap((row) => (ended.has(row.id) ? [{ ...row, endedAt: ended.get(row.id) ?? row.endedAt }] : []))
  return {
    version,
    sessions,
    turns: [],
    progress: [[scope, { ...known, branches: { ...known.branches, ...branches } }]],
    memories,
    documents,
  }
}

/** The change that appended turns make. */
export function changeOfAppend(
  state: UserState,
  { scope, turns }: AppendRequest,
  { added, session, version }: AppendResult,
): StateChange {
  const documents = new Map(turns.map(({ id, document }) => [id, document]))
  const known = state.progress(scope)
  const lastPosition = Math.max(known.lastPosition, added.at(-1)?.position ?? 0)
  return {
    version,
    sessions: [session],
    turns: added,
    progress: [[scope, { ...known, lastPosition }]],
    memories: [],
    documents: added.flatMap((turn): IndexRow[] => {
      const document = documents.get(turn.id)
      return document === undefined ? [] : [{ ...turn, ...document, kind: 'turn' }]
    }),
  }
}

/** The change that documents make which were indexed again; `null` where the state does not hold all they belong to. */
export function changeOfReindex(
  state: UserState,
  documents: readonly NewDocument[],
  version: OwnerVersion,
): StateChange | null {
  const rows = documents.flatMap((document): IndexRow[] => {
    const turn = state.turns.get(document.id)
    if (turn !== undefined) return [{ ...turn, ...document, kind: 'turn' }]
    const memory = state.memories.get(document.id)
    return memory === undefined || memory.status === 'erased' ? [] : [rowOfMemory(document, memory)]
  })
  if (rows.length < documents.length) return null
  return { version, sessions: [], turns: [], progress: [], memories: [], documents: rows }
}

function rowOfMemory(document: NewDocument, { scope, session, learnedAt: at }: Memory): IndexRow {
  return { ...document, scope, session, position: 0, role: 'other', speaker: null, at }
}
