import type { Memory, MemoryForm, MemoryStatus, MemoryType } from '../memories/memory.ts'
import type { NewOperation, Operation, OperationKind, Tally } from '../memories/operation.ts'
import type { Metadata } from '@keepsake/text/names'
import type { Guidelines } from '../guidelines/guidelines.ts'
import type { ScopeRow, StoredScopeKey } from '../scopes/scope.ts'
import type { Turn } from '../turns/turn.ts'
import type { ClaimRequest, ClaimResult, JobChange, JobFilter, JobRow, NewJob } from './jobs.ts'

/**
 * The port behind which everything is stored. A store makes changes atomic and durable; it ranks nothing and decides
 * nothing, so that answers are the same on every store. Every method names the user: no query crosses that wall.
 *
 * A user's *revision* rises with every change. A commit names the revision it was decided on, and conflicts when the
 * user's turns, memories or progress changed since: load what is new and decide again. That is the only conflict rule.
 *
 * Errors are {@link StoreError} with a code. A call that failed changed nothing, and what was acknowledged before is safe.
 */
export interface Store {
  /** Stands in messages and stats, e.g. the path of the file. */
  readonly name: string

  /** The scope with exactly this key, or `null`. Agent and app `null` mean the user's general scope. */
  findScope(key: StoredScopeKey): Promise<ScopeRow | null>
  /** The scope with exactly this key, created when missing. A further scope of a known user moves the revision, so that caches load it. */
  ensureScope(key: StoredScopeKey): Promise<ScopeRow>
  /** Scopes in order of creation, of all users or of those that match. Erased users are not listed. */
  listScopes(filter?: ScopeFilter): Promise<ScopeRow[]>

  /** The user's revision. Cheap: called before each recall. @throws NotFoundError for an unknown user. */
  revision(userId: number): Promise<number>
  /** What changed after a revision, or everything, in one snapshot. */
  loadUser(request: LoadRequest): Promise<UserRows>

  /**
   * Stores turns with their session, documents and jobs, all or none, durable on return. A turn whose id is known in the
   * scope with the same role, speaker and text is a repeat and is left out of `added`; so is one that was erased. Ids are
   * unique within the user. Texts must be well-formed Unicode.
   * @throws TurnConflictError when an id is known with other content, or in another scope of the user.
   */
  append(request: AppendRequest): Promise<AppendResult>
  /** Applies a change, all or none, durable on return unless it is derived, if the user did not change after `expectedRevision`. */
  commit(change: Change, expectedRevision: number): Promise<CommitResult>
  /** Adds to the usage counters of memories. Moves no revision, and need not survive a power failure. */
  addUsage(userId: number, counts: readonly UsageCount[]): Promise<void>
  /**
   * Replaces documents (after a change of analyser, or as vectors come). Moves the revision, so that caches load them, but
   * causes no conflict. Documents of turns and memories that are gone are passed over. @returns the revision after it
   */
  saveDocuments(userId: number, documents: readonly NewDocument[]): Promise<number>

  /** Turns that still have their text, in order of scope and position. */
  listTurns(query: TurnQuery): Promise<Turn[]>
  /** Sessions in order of scope and number. */
  listSessions(query: SessionQuery): Promise<SessionRow[]>
  /** Memories with their current state, in order of creation. */
  listMemories(query: MemoryQuery): Promise<StoredMemory[]>
  /** The operation log, in order of sequence. */
  listOperations(query: OperationQuery): Promise<Operation[]>

  /** Queued and parked jobs, in order of time and id. */
  listJobs(filter?: JobFilter): Promise<JobRow[]>
  /** Sets a job's state after a try that failed. A job that was finished meanwhile is left alone. */
  updateJob(userId: number, job: string, change: JobChange): Promise<void>
  /** Claims the work of one user for the caller until it is released, or the lease ends, or the holder's process is gone. */
  claimJobs(request: ClaimRequest): Promise<ClaimResult>
  /** Extends a claim from now. @returns `false` when it was lost. */
  renewClaim(claim: string, leaseMs: number): Promise<boolean>
  /** Gives a claim back. One that was lost is left to its new holder. */
  releaseClaim(claim: string): Promise<void>

  /** A record that has not expired. Records hold what an application keeps beside the memory: API keys, cached answers. */
  getRecord(collection: string, key: string): Promise<StoredRecord | null>
  /** Records of a collection that have not expired, in order of key. */
  listRecords(query: RecordQuery): Promise<StoredRecord[]>
  /** Writes a record. @returns it as stored, or `null`, having written nothing, when `expect` does not hold. */
  putRecord(record: NewRecord): Promise<StoredRecord | null>
  /** @returns whether there was one, of that version where one is named. */
  removeRecord(collection: string, key: string, version?: string): Promise<boolean>

  /**
   * Removes text, vectors, payloads and metadata for good, leaving tombstones without content, and with it what may quote
   * them: reasons and answers of the user's failed jobs, and records of the user that expire. Repeated under the same id, it
   * returns the first receipt. While `purgedAt` is `null`, another process still holds old pages: the store tries again.
   * @throws StoreError `store-busy`, erasing nothing, when a memory that rests on a named turn is not named.
   */
  erase(request: EraseRequest): Promise<EraseReceipt>
  /** The user's erasures, oldest first. */
  listErasures(userId: number): Promise<EraseReceipt[]>

  /** Every row of a user, in an order in which it can be imported. */
  exportUser(userId: number): AsyncIterable<ExportRow>
  /** Imports an export, all or none, under the keys it carries. @throws NotPossibleError when that user has rows already. */
  importUser(rows: AsyncIterable<ExportRow> | Iterable<ExportRow>): Promise<ScopeRow[]>

  /** Counts of rows, of all users, one, or some scopes of one. */
  stats(filter?: StatsFilter): Promise<StoreStats>
  /**
   * Calls `listener` when another process changed a user or queued work; with `null` when changes may have been missed.
   * Stores that are not notified never call it: the engine polls. @returns a function that ends it
   */
  watch(listener: (note: ChangeNote | null) => void): () => void
  /** Finishes what is under way and releases the database. Closing twice does nothing. */
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

/** What a cache of a user is made of, in order of creation. */
export interface UserRows {
  readonly revision: number
  /** Revision of the last erasure, 0 for none: what rests on an earlier one may quote what was erased. */
  readonly erasedRevision: number
  /** Sequence of the last operation in the user's log. */
  readonly sequence: number
  /** Whether these are all rows: everything loaded before is dropped. True where content was erased since. */
  readonly isWhole: boolean
  readonly scopes: readonly ScopeProgress[]
  /** All sessions, where anything changed. */
  readonly sessions: readonly SessionRow[]
  /** Turns that still have their text. */
  readonly turns: readonly Turn[]
  /** Memories of every status. */
  readonly memories: readonly StoredMemory[]
  readonly documents: readonly NewDocument[]
  /** What was counted of memories since they were stored, in total. */
  readonly usage: readonly UsageCount[]
}

/** A user's scope, its last turn, and how far each branch has read. */
export interface ScopeProgress extends ScopeRow {
  readonly lastPosition: number
  /** By name of the branch; 0 for those not named. */
  readonly branches: Readonly<Record<string, number>>
}

/** What the search index reads of a turn or memory, computed once. */
export interface NewDocument {
  /** Id of the turn or memory. */
  readonly id: string
  readonly kind: 'turn' | 'memory'
  readonly terms: readonly string[]
  /** Bits of text/text-traits.ts, an integer of at most 31 bits. */
  readonly traits: number
  /** Version of tokeniser, stemmer and ICU that made terms and traits. */
  readonly analyser: string
  /** `null` while it is not embedded. */
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

/** What a decision changes: everything in one transaction. */
export interface Change {
  readonly userId: number
  readonly scope: number
  readonly operations: readonly NewOperation[]
  /** The memories that the operations leave, whole. */
  readonly memories: readonly Memory[]
  readonly documents: readonly NewDocument[]
  /** How far branches have read the scope. */
  readonly progress: readonly BranchProgress[]
  readonly endSessions: readonly { readonly session: string; readonly at: number }[]
  readonly queueJobs: readonly NewJob[]
  /** Jobs whose work this is, by id. Those that are gone are passed over. */
  readonly finishJobs: readonly string[]
  /** Need not survive a power failure: the work is done again. */
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
  /** 1 for the scope's first. */
  readonly number: number
  /** Time of the first and last turn, milliseconds since 1970. */
  readonly startedAt: number
  readonly lastAt: number
  /** `null` while open. */
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
  /** Memories that rest on any of these turns, or ever did: their log may still quote them. */
  readonly evidenceTurns?: readonly string[] | undefined
}

export interface OperationQuery {
  readonly userId: number
  readonly scopes?: readonly number[] | undefined
  readonly memory?: string | undefined
  readonly kinds?: readonly OperationKind[] | undefined
  readonly ids?: readonly string[] | undefined
  /** Operations done as a consequence of this one. */
  readonly parent?: string | undefined
  readonly afterSequence?: number | undefined
  readonly beforeSequence?: number | undefined
  readonly newestFirst?: boolean | undefined
  readonly limit?: number | undefined
}

export interface RecordQuery {
  readonly collection: string
  readonly owner?: number
  /** Only keys that begin with this. */
  readonly prefix?: string
  /** Only keys after this one. */
  readonly after?: string
  readonly limit?: number
}

export interface NewRecord {
  readonly collection: string
  readonly key: string
  readonly value: Metadata
  /** The user it concerns: it is erased with them. */
  readonly owner?: number | null
  /** Time until it expires, from now by the store's clock. Never when absent. */
  readonly lastsMs?: number
  /** The version that is stored now: `null` for none. Any when absent. */
  readonly expect?: string | null
  /** Need not survive a power failure. */
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
  /** `user`: everything, the user's key included. Otherwise the named turns and memories. */
  readonly target: 'user' | { readonly turns: readonly string[]; readonly memories: readonly string[] }
  /** `erase` operations to log, one for each memory. Memories become tombstones. */
  readonly operations: readonly NewOperation[]
  /** Written in the same transaction. */
  readonly record?: Pick<NewRecord, 'collection' | 'key' | 'value'>
  /**
   * Salts the digest that replaces an erased user's name in records that belong to no user and list `users`, so that it is the same in
   * each store of a copy. A new one when absent.
   */
  readonly salt?: string
}

/** What was removed, without its content. */
export interface EraseReceipt {
  readonly id: string
  readonly at: number
  readonly turns: number
  readonly memories: number
  readonly payloads: number
  readonly documents: number
  /** When the bytes were gone from the database's files; `null` until then. */
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
  /** Those that still have their text. */
  readonly turns: number
  readonly operations: number
  readonly memories: Readonly<Record<MemoryStatus, number>>
  /** The same by status, form and type, in a fixed order; those of none are left out. */
  readonly kinds: readonly MemoryCount[]
  readonly jobs: number
  /** Size of all files or tables of the store, whatever the filter. */
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

/** That a user was changed or work was queued, and where they stood before. Holds numbers only. */
export interface ChangeNote {
  readonly userId: number
  /** Sequence of the last operation before. */
  readonly sequence: number
  /** The last turn before, of each scope in which turns were added. */
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
  | ({ readonly row: 'job' } & Omit<JobRow, 'owner'>)
  /** The record that is stored as {@link GUIDELINES}, scope by scope. */
  | ({ readonly row: 'guidelines'; readonly scope: number } & Guidelines)

export type * from './jobs.ts'
