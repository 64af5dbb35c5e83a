// Defines the interface of a store. docs/stores.md says how to write one.
import type { Memory, MemoryForm, MemoryStatus, MemoryType } from '../memories/memory.ts'
import type { NewOperation, Operation, OperationKind, Tally } from '../memories/operation.ts'
import type { Metadata } from '@keepsake/text/names'
import type { Guidelines } from '../guidelines/guidelines.ts'
import type { ScopeRow, StoredScopeKey } from '../scopes/scope.ts'
import type { Turn } from '../turns/turn.ts'
import type { ClaimRequest, ClaimResult, JobChange, JobFilter, JobRow, NewJob } from './jobs.ts'

/**
 * The port to the database. A store makes changes atomic and durable. It does not rank or decide, so that every store gives the
 * same answers. Methods name the user, and no query returns rows of another user.
 *
 * A user's *revision* rises with every change. A commit names the revision on which it was decided. It conflicts if the user's turns,
 * memories or progress changed since: the caller then loads the changes and decides again. There is no other conflict rule.
 *
 * Errors are {@link StoreError} with a code. A failed call changes nothing and loses nothing that was acknowledged before.
 */
export interface Store {
  /** Name for messages, such as the path of the file. */
  readonly name: string

  /** Finds the scope with exactly this key, or `null`. A key whose agent and app are `null` names the user's general scope. */
  findScope(key: StoredScopeKey): Promise<ScopeRow | null>
  /** Finds or creates the scope with exactly this key. A further scope of a known user raises the revision, so that caches load it. */
  ensureScope(key: StoredScopeKey): Promise<ScopeRow>
  /** Lists scopes in order of creation, without those of erased users. */
  listScopes(filter?: ScopeFilter): Promise<ScopeRow[]>

  /** Reads the user's revision. Must be cheap, since each recall calls it. @throws NotFoundError for an unknown user. */
  revision(userId: number): Promise<number>
  /** Loads what changed after a revision, or everything, from one snapshot. */
  loadUser(request: LoadRequest): Promise<UserRows>

  /**
   * Stores turns with their session, documents and jobs, all or none. They are durable on return. A turn that is stored in the
   * scope with the same id, role, speaker and text is a repeat, and so is an erased turn: `added` does not contain repeats. Ids are
   * unique within the user. Texts must be well-formed Unicode.
   * @throws TurnConflictError when an id is known with other content, or in another scope of the user.
   */
  append(request: AppendRequest): Promise<AppendResult>
  /** Applies a whole change if the user did not change after `expectedRevision`. It is durable on return, unless it is derived. */
  commit(change: Change, expectedRevision: number): Promise<CommitResult>
  /** Adds to the usage counters of memories. Does not raise the revision, and need not survive a power failure. */
  addUsage(userId: number, counts: readonly UsageCount[]): Promise<void>
  /** Replaces documents after a new analyser or vectors, without conflict; returns the new revision for caches. */
  saveDocuments(userId: number, documents: readonly NewDocument[]): Promise<number>

  /** Lists turns that are not erased, in order of scope and position. */
  listTurns(query: TurnQuery): Promise<Turn[]>
  /** Lists sessions in order of scope and number. */
  listSessions(query: SessionQuery): Promise<SessionRow[]>
  /** Lists memories with their current state, in order of creation. */
  listMemories(query: MemoryQuery): Promise<StoredMemory[]>
  /** Lists operations of the log, in order of sequence. */
  listOperations(query: OperationQuery): Promise<Operation[]>

  /** Lists queued and parked jobs, in order of time and id. */
  listJobs(filter?: JobFilter): Promise<JobRow[]>
  /** Sets a job's state after a failed try. Does nothing if the job was finished meanwhile. */
  updateJob(userId: number, job: string, change: JobChange): Promise<void>
  /** Claims the work of one user. The claim ends when it is released, its lease ends, or the holder's process ends. */
  claimJobs(request: ClaimRequest): Promise<ClaimResult>
  /** Extends a claim from now. @returns `false` if another holder has claimed the user. */
  renewClaim(claim: string, leaseMs: number): Promise<boolean>
  /** Releases a claim. Does nothing if another holder has claimed the user. */
  releaseClaim(claim: string): Promise<void>

  /** Reads a record that has not expired. Records hold other data of an application, such as API keys and cached answers. */
  getRecord(collection: string, key: string): Promise<StoredRecord | null>
  /** Lists records of a collection that have not expired, in order of key. */
  listRecords(query: RecordQuery): Promise<StoredRecord[]>
  /** Writes a record. @returns the stored record; `null` if `expect` does not hold and nothing was written. */
  putRecord(record: NewRecord): Promise<StoredRecord | null>
  /** Removes a record, with `version` only that version. @returns whether it existed. */
  removeRecord(collection: string, key: string, version?: string): Promise<boolean>

  /**
   * Removes text, vectors, payloads and metadata for good, and leaves tombstones without content. Also removes what may quote them:
   * reasons and answers of the user's failed jobs, and records of the user that expire. A repeated id returns the first receipt.
   * `purgedAt` is `null` while another process still reads old pages; the store then tries again.
   * @throws StoreError `store-busy` if a memory with evidence in a named turn is not named. Nothing is erased then.
   */
  erase(request: EraseRequest): Promise<EraseReceipt>
  /** Lists the user's erasures, oldest first. */
  listErasures(userId: number): Promise<EraseReceipt[]>

  /** Exports every row of a user, in the order that an import needs. */
  exportUser(userId: number): AsyncIterable<ExportRow>
  /** Imports a whole export, under the user's key in its first row. @throws NotPossibleError if that user exists already. */
  importUser(rows: AsyncIterable<ExportRow> | Iterable<ExportRow>): Promise<ScopeRow[]>

  /** Counts the rows of all users, of one user, or of some scopes of one user. */
  stats(filter?: StatsFilter): Promise<StoreStats>
  /** Calls `listener` when another process changed a user or queued work, with `null` if notes were lost. Returns a stop. */
  watch(listener: (note: ChangeNote | null) => void): () => void
  /** Waits for running calls and closes the database. A second call does nothing. */
  close(): Promise<void>
}

/** The part of a store that holds an application's records. */
export type Records = Pick<Store, 'getRecord' | 'listRecords' | 'putRecord' | 'removeRecord'>

export interface ScopeFilter {
  readonly tenant?: string
  readonly user?: string
  /** Only one user's, by their row number. */
  readonly owner?: number
  /** Only scopes created after this one, by its row number. */
  readonly after?: number
  readonly limit?: number
}

export interface LoadRequest {
  readonly userId: number
  /** Only what changed after this revision; 0 for everything. */
  readonly afterRevision: number
}

/** The rows that a cache of a user is made of, in order of creation. */
export interface UserRows {
  readonly revision: number
  /** Revision of the last erasure; 0 for none. Results that are based on an earlier revision may quote erased text. */
  readonly erasedRevision: number
  /** Sequence of the last operation in the user's log. */
  readonly sequence: number
  /** Whether these are all rows, so that the caller drops earlier ones. This is so if content was erased since. */
  readonly isWhole: boolean
  readonly scopes: readonly ScopeProgress[]
  /** All sessions; none if nothing changed. */
  readonly sessions: readonly SessionRow[]
  /** Turns that are not erased. */
  readonly turns: readonly Turn[]
  /** Memories of every status. */
  readonly memories: readonly StoredMemory[]
  readonly documents: readonly NewDocument[]
  /** Total usage counts of memories. */
  readonly usage: readonly UsageCount[]
}

/** A user's scope, its last turn, and how far each branch has read. */
export interface ScopeProgress extends ScopeRow {
  readonly lastPosition: number
  /** Position of the last turn that each branch has read, by name of the branch; 0 if absent. */
  readonly branches: Readonly<Record<string, number>>
}

/** The data of a turn or memory for the search index, computed once. */
export interface NewDocument {
  /** Id of the turn or memory. */
  readonly id: string
  readonly kind: 'turn' | 'memory'
  readonly terms: readonly string[]
  /** Bits of text/text-traits.ts, an integer of at most 31 bits. */
  readonly traits: number
  /** Version of the tokeniser, stemmer and ICU that made terms and traits. */
  readonly analyser: string
  /** `null` while the text is not embedded. */
  readonly vector: Float32Array | null
  readonly embedder: string | null
}

export interface NewTurn extends Omit<Turn, 'scope' | 'session' | 'position'> {
  readonly document: Omit<NewDocument, 'id' | 'kind'>
}

export interface AppendRequest {
  readonly userId: number
  readonly scope: number
  /** Created when missing. */
  readonly session: string
  readonly turns: readonly NewTurn[]
  readonly jobs: readonly NewJob[]
}

export interface AppendResult {
  readonly added: readonly Turn[]
  /** Ids that were known with the same content. */
  readonly repeated: readonly string[]
  readonly session: SessionRow
  readonly revision: number
  /** Sequence of the last operation in the user's log. */
  readonly sequence: number
}

/** The changes of a decision, stored in one transaction. */
export interface Change {
  readonly userId: number
  readonly scope: number
  readonly operations: readonly NewOperation[]
  /** The memories that the operations change, with all fields, as they are after the operations. */
  readonly memories: readonly Memory[]
  readonly documents: readonly NewDocument[]
  /** Positions up to which branches have read the scope. */
  readonly progress: readonly BranchProgress[]
  readonly endSessions: readonly { readonly session: string; readonly at: number }[]
  readonly queueJobs: readonly NewJob[]
  /** Ids of the jobs that this change finishes. Unknown ids are skipped. */
  readonly finishJobs: readonly string[]
  /** Whether the change need not survive a power failure, because the work would be done again. */
  readonly isDerived?: boolean
}

export interface BranchProgress {
  readonly branch: string
  readonly position: number
}

export type CommitResult =
  | { readonly outcome: 'committed'; readonly revision: number; readonly operations: readonly Operation[] }
  /** The user changed after the revision that the change was decided on. Nothing was stored. */
  | { readonly outcome: 'conflict'; readonly revision: number }

export interface UsageCount {
  readonly memory: string
  readonly tally: Tally
}

export interface StoredMemory {
  readonly memory: Memory
  /** Sequence of the last operation that changed it. */
  readonly sequence: number
}

/** One session of a scope. Times are in milliseconds since 1970. */
export interface SessionRow {
  readonly scope: number
  readonly id: string
  /** 1 for the first session of the scope. */
  readonly number: number
  /** Time of the first and last turn, milliseconds since 1970. */
  readonly startedAt: number
  readonly lastAt: number
  /** `null` while the session is open. */
  readonly endedAt: number | null
}

export interface SessionQuery {
  readonly userId: number
  readonly scopes: readonly number[]
  readonly id?: string | undefined
  readonly newestFirst?: boolean | undefined
  readonly limit?: number | undefined
}

export interface TurnQuery {
  readonly userId: number
  readonly scopes?: readonly number[] | undefined
  readonly ids?: readonly string[] | undefined
  readonly afterPosition?: number | undefined
  readonly beforePosition?: number | undefined
  readonly newestFirst?: boolean | undefined
  readonly limit?: number | undefined
}

export interface MemoryQuery {
  readonly userId: number
  readonly scopes?: readonly number[] | undefined
  readonly ids?: readonly string[] | undefined
  /** Only memories with evidence in one of these turns, now or earlier: their log may still quote the turns. */
  readonly evidenceTurns?: readonly string[] | undefined
}

export interface OperationQuery {
  readonly userId: number
  readonly scopes?: readonly number[] | undefined
  readonly memory?: string | undefined
  readonly kinds?: readonly OperationKind[] | undefined
  readonly ids?: readonly string[] | undefined
  /** Only operations that are consequences of this one. */
  readonly parent?: string | undefined
  readonly afterSequence?: number | undefined
  readonly beforeSequence?: number | undefined
  readonly newestFirst?: boolean | undefined
  readonly limit?: number | undefined
}

export interface RecordQuery {
  readonly collection: string
  readonly owner?: number
  /** Only keys that begin with this text. */
  readonly prefix?: string
  /** Only keys after this one. */
  readonly after?: string
  readonly limit?: number
}

export interface NewRecord {
  readonly collection: string
  readonly key: string
  readonly value: Metadata
  /** The user whom the record concerns: it is erased with the user. */
  readonly owner?: number | null
  /** Time until the record expires, from now by the store's clock. It never expires when absent. */
  readonly lastsMs?: number
  /** Version that must be stored now, or `null` if no record may exist. Not checked when absent. */
  readonly expect?: string | null
  /** Whether the record need not survive a power failure. */
  readonly isDerived?: boolean
}

export interface StoredRecord {
  readonly collection: string
  readonly key: string
  readonly value: Metadata
  readonly owner: number | null
  /** Changes with each write, and never repeats. */
  readonly version: string
}

export interface EraseRequest {
  readonly id: string
  readonly userId: number
  readonly at: number
  /** `user` erases everything, the user's key included. Otherwise the named turns and memories are erased. */
  readonly target: 'user' | { readonly turns: readonly string[]; readonly memories: readonly string[] }
  /** Operations of kind `erase` to log, one for each memory. The memories become tombstones. */
  readonly operations: readonly NewOperation[]
  /** A record to write in the same transaction. */
  readonly record?: Pick<NewRecord, 'collection' | 'key' | 'value'>
  /** Salt of the digest that replaces an erased name. Copies of a store with the same salt get the same digest. */
  readonly salt?: string
}

/** The receipt of an erasure, with the numbers of removed rows. */
export interface EraseReceipt {
  readonly id: string
  readonly at: number
  readonly turns: number
  readonly memories: number
  readonly payloads: number
  readonly documents: number
  /** Time at which the bytes were removed from the database's files; `null` until then. */
  readonly purgedAt: number | null
}

export interface StatsFilter {
  readonly userId?: number
  readonly scopes?: readonly number[]
}

export interface StoreStats {
  readonly users: number
  readonly scopes: number
  readonly sessions: number
  /** Turns that are not erased. */
  readonly turns: number
  readonly operations: number
  readonly memories: Readonly<Record<MemoryStatus, number>>
  /** Counts of memories by status, form and type, in a fixed order, without zeros. */
  readonly kinds: readonly MemoryCount[]
  readonly jobs: number
  /** Size of all files or tables of the store; the filter does not change it. */
  readonly bytes: number
  /** Version of the schema. */
  readonly schema: number
}

export interface MemoryCount {
  readonly status: MemoryStatus
  readonly form: MemoryForm
  readonly type: MemoryType
  readonly count: number
}

/** A notification that a user was changed or work was queued. It contains no text. */
export interface ChangeNote {
  readonly userId: number
  /** Sequence of the last operation before the change. */
  readonly sequence: number
  /** For each scope in which turns were added, the position of the last turn before them. */
  readonly turns: readonly { readonly scope: number; readonly position: number }[]
  readonly erasures: number
  readonly hasJobs: boolean
}

/** A line of an export. Scopes are numbered from 1. */
export type ExportRow =
  | { readonly row: 'keepsake-export'; readonly format: 1; readonly tenant: string; readonly user: string }
  | {
      readonly row: 'scope'
      readonly scope: number
      readonly agent: string | null
      readonly app: string | null
    }
  | ({ readonly row: 'session' } & SessionRow)
  | ({ readonly row: 'turn'; readonly metadata?: Metadata } & Omit<Turn, 'metadata'>)
  | ({ readonly row: 'erased-turn' } & Pick<Turn, 'id' | 'scope' | 'session' | 'position' | 'role' | 'at'>)
  | ({ readonly row: 'operation' } & Operation)
  | { readonly row: 'progress'; readonly scope: number; readonly branch: string; readonly position: number }
  | ({ readonly row: 'usage' } & UsageCount)
  | ({ readonly row: 'job' } & Omit<JobRow, 'owner' | 'nextTryAt'>)
  /** The guidelines of one scope, from the record {@link GUIDELINES}. */
  | ({ readonly row: 'guidelines'; readonly scope: number } & Guidelines)

export type * from './jobs.ts'
