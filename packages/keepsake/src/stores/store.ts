import type { Memory, MemoryForm, MemoryStatus } from '../memories/memory.ts'
import type { NewOperation, Operation } from '../memories/operation.ts'
import type { ScopeRow, StoredScopeKey } from '../scopes/scope.ts'
import type { Role, Turn } from '../turns/turn.ts'

/**
 * The port behind which rows are kept. A store supplies rows and makes changes atomic and durable; it
 * ranks nothing and decides nothing, so that results are the same on every store. Every call names the
 * owner (the person's row number): no query crosses that wall.
 *
 * Glossary: an *owner* is a (tenant, user) pair. Its *revision* rises with every change; rows carry the
 * revision that last wrote them, so that a cache can ask for what is newer than it has seen. Its *epoch*
 * rises when content was removed (erased): a cache of an older epoch must be dropped whole.
 *
 * Errors: {@link StoreError} with a code; what was acknowledged before stays safe, the failed call changed nothing.
 */
export interface Store {
  /** Shown in messages and stats, e.g. the file's path. */
  readonly name: string

  /** The scope with exactly this key, or `null`. Agent and app absent mean the person's general scope. */
  findScope(key: StoredScopeKey): Promise<ScopeRow | null>
  /** The scope with exactly this key, made when missing. */
  ensureScope(key: StoredScopeKey): Promise<ScopeRow>
  /** Scopes, of all owners or of those that match. Erased people are not listed. */
  listScopes(filter?: { tenant?: string; user?: string }): Promise<ScopeRow[]>

  /**
   * Stores turns with their sessions and index rows, all or none, durable on return. A turn whose id is
   * known in the scope with the same role, speaker and text is a repeat (left out of `added`), and so is one
   * that was erased. Ids are unique within the owner. Texts must be well-formed Unicode (`toWellFormed`).
   * @throws TurnConflictError when an id is known with other content, or in another of the owner's scopes.
   */
  append(request: AppendRequest): Promise<AppendResult>

  /** Turns in order of scope and position. */
  turns(query: TurnQuery): Promise<Turn[]>
  /** Sessions of the scopes, in order of scope and number. */
  sessions(owner: number, scopes: readonly number[]): Promise<SessionRow[]>
  /** How far each branch has worked, and the last position there is. */
  progress(owner: number, scope: number): Promise<ScopeProgress>

  /**
   * Applies operations with the memories they yield, index rows, a branch's progress and job changes, all
   * or none. Answers `conflict`, changing nothing, when an expectation does not hold: another process was
   * first; read again and decide again.
   */
  commit(request: CommitRequest): Promise<CommitResult>

  /** Memories with their current state, in order of making. */
  memories(query: MemoryQuery): Promise<StoredMemory[]>
  /** The log, in order of sequence. */
  operations(query: OperationQuery): Promise<Operation[]>

  /** The owner's revision and epoch; cheap (asked at each recall). */
  version(owner: number): Promise<OwnerVersion>
  /** What the in-memory index needs, newer than `after` (0 for everything). */
  indexRows(owner: number, after: number): Promise<IndexRows>
  /** Full-precision vectors of documents, for exact rescoring. Documents without one of `embedder` are left out. */
  vectors(owner: number, documents: readonly string[], embedder: string): Promise<Map<string, Float32Array>>
  /** Replaces index rows (after a change of tokeniser or embedder). Touches no memory and no log. */
  reindex(owner: number, documents: readonly NewDocument[]): Promise<void>

  /** Unfinished and parked jobs, oldest first. */
  jobs(filter?: { owner?: number; state?: JobState }): Promise<JobRow[]>
  /** Sets a job's state, attempts, reason and answer. A job that was finished meanwhile is left alone. */
  updateJob(job: string, change: JobChange): Promise<void>

  /**
   * Removes text, vectors, index rows and payloads for good, leaving tombstones without content, and
   * scrubs the file so that no byte of it stays in database, journal or temporary files. Reasons and raw answers of
   * the owner's failed jobs go with it, since they may quote anything. A durable job:
   * killed at any point, it is finished when the store is next opened. Backups made before are out of its reach.
   * @throws StoreError `store-busy`, erasing nothing, when a memory that rests (or ever rested) on a named turn is
   * not named: it was made meanwhile. Ask for `evidenceTurns` again.
   */
  erase(request: EraseRequest): Promise<EraseReceipt>
  /** Ids of the owner's finished and unfinished erasures. */
  receipts(owner: number): Promise<EraseReceipt[]>

  /** A consistent copy in another file while the store is in use. @throws StoreError when the file exists. */
  backup(path: string): Promise<void>
  /** Rows and bytes, of one owner or of all. */
  stats(owner?: number): Promise<StoreStats>

  /** Every row of an owner, in an order in which it can be read back. */
  exportRows(owner: number): AsyncIterable<ExportRow>
  /** Reads an export back, all or none, under the keys it carries. @throws NotPossibleError when that person has rows already. */
  importRows(rows: AsyncIterable<ExportRow> | Iterable<ExportRow>): Promise<ScopeRow[]>

  /** Finishes what is under way and lets go of the file. */
  close(): Promise<void>
}

/** A text as the index sees it. */
export interface NewDocument {
  /** The turn's or memory's id. */
  readonly id: string
  readonly kind: 'turn' | 'memory'
  readonly terms: readonly string[]
  /** Bits of text/text-traits.ts, an integer of at most 31 bits. */
  readonly traits: number
  /** Tokeniser, stemmer and ICU version that made terms and traits. */
  readonly analyser: string
  /** `null` while it is not yet embedded. */
  readonly vector: Float32Array | null
  readonly embedder: string | null
}

export interface NewTurn {
  readonly id: string
  readonly role: Role
  readonly speaker: string | null
  readonly text: string
  readonly at: number
  readonly timeZone: string | null
  readonly document: Omit<NewDocument, 'id' | 'kind'>
}

export interface AppendRequest {
  readonly owner: number
  readonly scope: number
  /** Made when missing. */
  readonly session: string
  readonly turns: readonly NewTurn[]
  /** Jobs to queue in the same transaction. One like it is not doubled, see {@link NewJob}. */
  readonly jobs: readonly NewJob[]
}

export interface AppendResult {
  readonly added: readonly Turn[]
  /** Ids that were known with the same content. */
  readonly repeated: readonly string[]
  readonly session: SessionRow
  readonly version: OwnerVersion
}

export interface SessionRow {
  readonly scope: number
  readonly id: string
  /** 1 for the scope's first. */
  readonly number: number
  /** Time of the first and last turn, milliseconds since 1970. */
  readonly startedAt: number
  readonly lastAt: number
  /** `null` while open. */
  readonly endedAt: number | null
}

export interface TurnQuery {
  readonly owner: number
  readonly scopes?: readonly number[]
  readonly ids?: readonly string[]
  readonly session?: string
  /** Only turns with a greater position. */
  readonly afterPosition?: number
  readonly limit?: number
}

export interface ScopeProgress {
  readonly lastPosition: number
  /** Position up to which each branch has worked; 0 for those not named. */
  readonly branches: Readonly<Record<string, number>>
}

export interface StoredMemory {
  readonly memory: Memory
  /** Sequence of the last operation that changed it: what `CommitRequest.expect` compares. */
  readonly sequence: number
}

export interface CommitRequest {
  readonly owner: number
  readonly scope: number
  readonly operations: readonly NewOperation[]
  /** The memories these operations leave, whole. */
  readonly memories: readonly Memory[]
  readonly documents: readonly NewDocument[]
  /** Advances a branch from one position to another; a conflict when it is no longer at `from`. */
  readonly progress: readonly { branch: string; from: number; to: number }[]
  /** The owner's epoch when what this rests on was read: a conflict when content was erased since. `null` rests on none. */
  readonly epoch: number | null
  /** A conflict when one of these memories was changed after that sequence. */
  readonly expect: readonly { memory: string; sequence: number }[]
  readonly endSessions: readonly { session: string; at: number }[]
  readonly queueJobs: readonly NewJob[]
  readonly finishJobs: readonly string[]
  /** Jobs of which this is the work: a conflict when one is finished, since another process did it first. */
  readonly expectJobs?: readonly string[]
  /**
   * Whether it has to outlive a failure of power when it returns, as everything acknowledged has to. Default `true`. `false`: it
   * outlives the process, and a failure of power from the next flushed write on; for what nobody waits for.
   */
  readonly flush?: boolean
}

export type CommitResult =
  | {
      readonly outcome: 'committed'
      readonly version: OwnerVersion
      readonly operations: readonly Operation[]
    }
  | {
      readonly outcome: 'conflict'
      readonly on: ConflictOn
      /** What stood where, in a sentence. */
      readonly reason: string
    }

/**
 * Which expectation did not hold, and so what has to be read again: `memory` (one was changed since, or an operation of
 * this commit is in the log already), `progress` (a branch is elsewhere), `job` (somebody did this work), `epoch`
 * (content was erased since).
 */
export type ConflictOn = 'memory' | 'progress' | 'job' | 'epoch'

export interface MemoryQuery {
  readonly owner: number
  readonly scopes?: readonly number[]
  readonly ids?: readonly string[]
  readonly statuses?: readonly MemoryStatus[]
  readonly forms?: readonly MemoryForm[]
  /** Memories that rest on any of these turns, or ever did (their log may still quote them). */
  readonly evidenceTurns?: readonly string[]
  readonly session?: string
}

export interface OperationQuery {
  readonly owner: number
  readonly scopes?: readonly number[]
  readonly memory?: string
  readonly ids?: readonly string[]
  /** Operations done as a consequence of this one. */
  readonly parent?: string
  readonly afterSequence?: number
  readonly limit?: number
}

export interface OwnerVersion {
  readonly revision: number
  readonly epoch: number
}

/** A turn or memory as the index needs it. Turn fields are those of the turn; for memories, of the memory. */
export interface IndexRow {
  readonly id: string
  readonly kind: 'turn' | 'memory'
  readonly scope: number
  readonly session: string
  readonly position: number
  readonly role: Role
  readonly speaker: string | null
  readonly at: number
  readonly terms: readonly string[]
  readonly traits: number
  readonly analyser: string
  readonly vector: Float32Array | null
  readonly embedder: string | null
}

export interface IndexRows {
  readonly version: OwnerVersion
  readonly documents: readonly IndexRow[]
  /** All statuses: what is not live must leave the index. */
  readonly memories: readonly StoredMemory[]
}

/**
 * `read-segment`: turns that a branch passed over, since the model answered with something unusable; its `branch`,
 * `from` and `to` say which.
 */
export type JobKind = 'consolidate' | 'end-session' | 'read-segment'
/** `queued` waits (also after a failure that will be tried again); `parked` failed for good, with its reason. Finished jobs are removed. */
export type JobState = 'queued' | 'parked'

/**
 * A job to queue. Of jobs that are alike in kind, scope, session, branch and positions, the first in a state is kept
 * and the others are not stored: work that waits is not doubled, and a parked job holds up none that is queued.
 */
export interface NewJob {
  readonly id: string
  readonly kind: JobKind
  readonly scope: number
  readonly session: string | null
  readonly at: number
  /** The branch whose work it is; `null` when absent: all of them. */
  readonly branch?: string | null
  /** The turns it is about, those with `from` < position <= `to`; `null` when absent: whatever is unread. */
  readonly from?: number | null
  readonly to?: number | null
  /** `queued` when absent. */
  readonly state?: JobState
  /** Tries that failed; 0 when absent. */
  readonly attempts?: number
  readonly reason?: string | null
  /** What the model answered, raw, for whoever looks into the failure. It may hold words of the talk. */
  readonly answer?: string | null
}

export interface JobRow extends Required<NewJob> {
  readonly owner: number
}

export interface JobChange {
  readonly state: JobState
  readonly attempts: number
  readonly reason: string | null
  /** Left as it is when absent. */
  readonly answer?: string | null
  /**
   * The owner's epoch when the turns that were handed to the model were read. When content was erased since, neither
   * reason nor answer is kept: they could bring back what is gone.
   */
  readonly epoch?: number
}

export interface EraseRequest {
  readonly id: string
  readonly owner: number
  readonly at: number
  /** `person`: everything, the person's key included. Otherwise the named turns and memories. */
  readonly target: 'person' | { readonly turns: readonly string[]; readonly memories: readonly string[] }
  /** `erase` operations to log, one a memory, for partial erasure. Memories become tombstones. */
  readonly operations: readonly NewOperation[]
}

/** Says what was removed, and nothing of what it said. */
export interface EraseReceipt {
  readonly id: string
  readonly at: number
  readonly turns: number
  readonly memories: number
  readonly payloads: number
  readonly documents: number
  /** When file and journal were scrubbed; `null` while that is still to do. */
  readonly scrubbedAt: number | null
}

export interface StoreStats {
  readonly owners: number
  readonly scopes: number
  readonly sessions: number
  readonly turns: number
  readonly operations: number
  readonly memories: Readonly<Record<MemoryStatus, number>>
  readonly jobs: number
  /** Size of database and journal files together. */
  readonly bytes: number
  readonly schema: number
}

/** A line of an export. */
export type ExportRow =
  | { readonly row: 'keepsake-export'; readonly format: 1; readonly tenant: string; readonly user: string }
  | {
      readonly row: 'scope'
      readonly scope: number
      readonly agent: string | null
      readonly app: string | null
    }
  | ({ readonly row: 'session' } & SessionRow)
  | ({ readonly row: 'turn' } & Turn)
  | ({ readonly row: 'erased-turn' } & Pick<Turn, 'id' | 'scope' | 'session' | 'position' | 'role' | 'at'>)
  | ({ readonly row: 'operation' } & Operation)
  | { readonly row: 'progress'; readonly scope: number; readonly branch: string; readonly position: number }
  | ({ readonly row: 'job' } & Omit<JobRow, 'owner'>)
