// Small sample requests for the tests of stores.
import { applyOperation, projectLog, tallyOf } from '../../memories/apply-operation.ts'
import type { Memory } from '../../memories/memory.ts'
import { blankOperation } from '../../memories/operation.ts'
import type { MemoryChange, NewOperation, OperationKind, MemoryRef } from '../../memories/operation.ts'
import type { ScopeRow } from '../../scopes/scope.ts'
import type {
  AppendRequest,
  Change,
  CommitResult,
  EraseRequest,
  NewDocument,
  NewJob,
  NewTurn,
  Store,
  UsageCount,
} from '../store.ts'

/** Key of the user of most test cases. */
export const ADA = { tenant: 'default', user: 'ada', agent: null, app: null }

/** Fields of a queued job that names only its id, kind, scope and time. */
export const UNREAD = {
  branch: null,
  from: null,
  to: null,
  state: 'queued',
  attempts: 0,
  reason: null,
  answer: null,
  nextTryAt: null,
}

const EMPTY_CHANGE: Omit<Change, 'userId' | 'scope'> = {
  operations: [],
  memories: [],
  documents: [],
  progress: [],
  endSessions: [],
  queueJobs: [],
  finishJobs: [],
}

let idCount = 0
const nextId = (kind: string): string => `${kind}-${(idCount += 1)}`

export function documentOf(text: string): Omit<NewDocument, 'id' | 'kind'> {
  const terms = text.split(' ').filter((term) => term !== '')
  const vector = new Float32Array([text.length, 0.5, -1])
  return { terms, traits: 5, analyser: 'words/1', vector, embedder: 'test/1' }
}

/** Makes a request to append one turn. */
export function turnOf(
  { owner: userId, scope }: ScopeRow,
  id: string,
  text: string,
  change: Partial<NewTurn> = {},
  jobs: readonly NewJob[] = [],
): AppendRequest {
  const message = { id, role: 'user', speaker: 'Ada', text, at: 1000, timeZone: 'Europe/Paris' } as const
  const turn = { ...message, metadata: null, document: documentOf(text), ...change }
  return { userId, scope, session: 's1', turns: [turn], jobs }
}

export function operationOf(
  { scope }: ScopeRow,
  kind: OperationKind,
  memory: string | null,
  after: MemoryChange,
): NewOperation {
  const origin = { preset: 'test', step: 'sample/1', promptVersion: null, model: null }
  const moment = { scope, at: 2000, sessionNumber: 1, round: 1 }
  const payload = kind === 'erase' ? null : { before: null, after }
  return { ...blankOperation(nextId(kind), kind, moment, origin), memory, payload }
}

/** The operation that earlier versions logged for each recall. */
export function reinforceOf(scope: ScopeRow, touched: readonly MemoryRef[]): NewOperation {
  return { ...operationOf(scope, 'reinforce', null, {}), payload: null, touched }
}

/** Makes an operation that adds a memory: an utterance, unless `change` says otherwise. `turns` are the ids of its evidence. */
export function addOf(
  scope: ScopeRow,
  memory: string,
  text: string,
  turns: readonly string[],
  change: MemoryChange = {},
): NewOperation {
  const evidence = turns.map((turn) => ({ turn, quote: text }))
  const utterance = { form: 'utterance', text, evidence, session: 's1', round: 1 } as const
  return operationOf(scope, 'add', memory, { ...utterance, ...change })
}

/** Returns the memory that an `add` operation creates. */
export function memoryOf(add: NewOperation): Memory {
  const memory = applyOperation(undefined, add, add.memory ?? '')
  if (memory === undefined) throw new Error('not an add')
  return memory
}

/** Makes a change with these operations and the memories that result. `before` lists the operations that are already stored. */
export function commitOf(
  { owner: userId, scope }: Pick<ScopeRow, 'owner' | 'scope'>,
  operations: readonly NewOperation[],
  before: readonly NewOperation[] = [],
): Change {
  const touched = new Set(
    operations.flatMap(({ memory, touched: entries }) => [memory, ...entries.map((entry) => entry.memory)]),
  )
  const memories = [...projectLog([...before, ...operations]).values()].filter(({ id }) => touched.has(id))
  return { ...EMPTY_CHANGE, userId, scope, operations, memories }
}

export function jobOf({ scope }: ScopeRow, id: string, session: string | null = null): NewJob {
  return { id, kind: 'consolidate', scope, session, at: 3000 }
}

/** A parked job for a segment that a model answered with unusable text. */
export function unreadSegmentOf(scope: ScopeRow, id: string, to: number, answer: string): NewJob {
  const job = { ...jobOf(scope, id), kind: 'read-segment' as const, branch: 'facts', from: to - 10, to }
  return { ...job, state: 'parked', attempts: 2, reason: 'the model answered with no JSON', answer }
}

export function eraseOf(
  scope: ScopeRow,
  turns: readonly string[],
  memories: readonly string[],
): EraseRequest {
  const operations = memories.map((memory) => operationOf(scope, 'erase', memory, {}))
  return { id: nextId('erasure'), userId: scope.owner, at: 4000, target: { turns, memories }, operations }
}

/** Commits a change that was decided on the user's current revision. */
export async function commit(store: Store, change: Change): Promise<CommitResult> {
  return store.commit(change, await store.revision(change.userId))
}

/** The usage count of one recall in a round, in which the memory had this rank. */
export function usageOf(memory: string, rank: 'first' | 'second', round: number): UsageCount {
  return { memory, tally: tallyOf({ memory, rank }, { round, sessionNumber: 1, at: 1000 * round }) }
}
