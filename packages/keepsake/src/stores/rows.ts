import type { Memory, MemoryForm, MemoryStatus, MemoryType } from '../memories/memory.ts'
import type { NewOperation, Operation, OperationKind } from '../memories/operation.ts'
import type { MetadataFilter } from '../metadata/metadata-filter.ts'
import type { ScopeRow, StoredScopeKey } from '../scopes/scope.ts'
import type { Turn } from '../turns/turn.ts'
import type { NewJob } from './jobs.ts'

/**
 * People's rows: scopes, sessions, turns, the log of operations with the memories it leaves, and what the index reads.
 * A store supplies them and makes changes atomic and durable; it ranks nothing and decides nothing, so that results are
 * the same on every store. Every call names the owner (the person's row number): no query crosses that wall.
 */
export interface Rows {
  /**
   * Whether each question is a way to a server and back. What was read a moment ago is then kept at hand, and work in the background asks
   * for a person's version as it commits ({@link CommitRequest.revision}) and not before. `false` when absent.
   */
  readonly isRemote?: boolean
  /**
   * Has `listener` called when what was told as stored may be gone: commits that need not be flushed ({@link CommitRequest.flush}), where a
   * server stopped and this process went on. Their revisions and places in the log are given again, so that whatever was read before is to
   * be read anew. Called before anything is read from the server as it is now. Absent where what ends the one ends the other.
   */
  onLoss?(listener: () => void): void
  /** The scope with exactly this key, or `null`. Agent and app absent mean the person's general scope. */
  findScope(key: StoredScopeKey): Promise<ScopeRow | null>
  /**
   * What a request by this key sees: the scope that names its agent and application, or, where it names neither, all of the person's,
   * with the version as it stands; `null` where there is none. Optional, for stores that can tell both at once: without it the scopes and
   * the version are asked for one after the other.
   */
  findSeen?(key: StoredScopeKey): Promise<SeenScopes | null>
  /** The scope with exactly this key, made when missing. */
  ensureScope(key: StoredScopeKey): Promise<ScopeRow>
  /** Scopes in order of making, of all owners or of those that match. Erased people are not listed. */
  listScopes(filter?: ScopeFilter): Promise<ScopeRow[]>

  /**
   * Stores turns with their sessions and index rows, all or none, durable on return. A turn whose id is
   * known in the scope with the same role, speaker and text is a repeat (left out of `added`), and so is one
   * that was erased. Ids are unique within the owner. Texts must be well-formed Unicode (`toWellFormed`).
   * @throws TurnConflictError when an id is known with other content, or in another of the owner's scopes.
   */
  append(request: AppendRequest): Promise<AppendResult>

  /** Turns in order of scope and position. */
  turns(query: TurnQuery): Promise<Turn[]>
  /** Sessions of the scopes, in order of scope and number, or as many of them as a page asks for. */
  sessions(owner: number, scopes: readonly number[], page?: SessionPage): Promise<SessionRow[]>
  /** How much there is of these scopes. */
  counts(owner: number, scopes: readonly number[]): Promise<ScopeCounts>
  /** How far each branch has worked, and the last position there is. */
  progress(owner: number, scope: number): Promise<ScopeProgress>

  /**
   * Applies operations with the memories they yield, index rows, a branch's progress and job changes, all
   * or none. No two live memories of a scope have one name. Answers `conflict`, changing nothing, when an expectation does not hold: another process was
   * first; read again and decide again.
   */
  commit(request: CommitRequest): Promise<CommitResult>

  /**
   * Several commits in one transaction, each judged for itself: what conflicts changes nothing, the others are made. Optional: without
   * it they are made one by one.
   */
  commitAll?(requests: readonly CommitRequest[]): Promise<CommitResult[]>

  /** Memories with their current state, in order of making unless the query says otherwise. */
  memories(query: MemoryQuery): Promise<StoredMemory[]>
  /** How many memories a query means, whatever page of them it asks for. */
  countMemories(query: MemoryQuery): Promise<number>
  /** The log, in order of sequence. */
  operations(query: OperationQuery): Promise<Operation[]>
  /**
   * Puts one `reinforce` operation in the place of several of its scope, at the sequence of the last of them, all or nothing: the
   * only way in which entries leave the log. The caller has seen to it that memories stay what they are; no revision rises.
   * Optional: without it the log keeps every strengthening for ever.
   *
   * @returns `false`, changing nothing, when one of them is not in the log any more, or is no `reinforce` of this scope
   */
  gatherOperations?(request: GatherRequest): Promise<boolean>

  /** The owner's revision and epoch; cheap (asked at each recall). */
  version(owner: number): Promise<OwnerVersion>
  /** What the in-memory index needs, newer than `after` (0 for everything). */
  indexRows(owner: number, after: number): Promise<IndexRows>
  /** Full-precision vectors of documents, for exact rescoring. Documents without one of `embedder` are left out. */
  vectors(owner: number, documents: readonly string[], embedder: string): Promise<Map<string, Float32Array>>
  /**
   * Calls the listener when another process changed what is kept of somebody, for stores that are told so (LISTEN/NOTIFY); with `null` when
   * it may have missed something. Changes of this process are not told, and nothing is told of mere strengthening.
   *
   * @returns what ends the watching
   */
  watchChanges?(listener: (note: ChangeNote | null) => void): () => void
  /**
   * Replaces index rows (after a change of tokeniser or embedder, or as vectors come). Touches no memory and no log. Derived: no flush
   * waits for it, and what a failure of power takes is made again; what is flushed later takes it along.
   *
   * @returns the person's version with them
   */
  reindex(owner: number, documents: readonly NewDocument[]): Promise<OwnerVersion>
}

/** The scopes that a request sees, in order of making: at least one. */
export interface SeenScopes {
  readonly rows: readonly ScopeRow[]
  readonly version: OwnerVersion
}

export interface ScopeFilter {
  readonly tenant?: string
  readonly user?: string
  /** Only one person's, by their row number. */
  readonly owner?: number
  /** Only scopes made after this one, by its row number. */
  readonly after?: number
  readonly limit?: number
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

export interface NewTurn extends Omit<Turn, 'scope' | 'session' | 'position'> {
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
  /** Called once others can read the turns, which may be before they are flushed. A store need not call it. */
  readonly onWritten?: (result: AppendResult) => void
}

export interface AppendResult {
  readonly added: readonly Turn[]
  /** Ids that were known with the same content. */
  readonly repeated: readonly string[]
  readonly session: SessionRow
  readonly version: OwnerVersion
  /** Sequence of the last operation in the person's log: what is drawn from these turns comes after it. */
  readonly sequence: number
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

/** Which sessions, by their numbers. */
export interface SessionPage {
  readonly afterNumber?: number | undefined
  readonly beforeNumber?: number | undefined
  /** The last first; by scope and number all the same. */
  readonly newestFirst?: boolean | undefined
  readonly limit?: number | undefined
}

/** How much there is of some scopes of one person. */
export interface ScopeCounts {
  readonly sessions: number
  /** Those that still have their text. */
  readonly turns: number
  readonly operations: number
  /** Of every status, form and type that there is any of, in a fixed order. */
  readonly memories: readonly MemoryCount[]
}

export interface MemoryCount {
  readonly status: MemoryStatus
  readonly form: MemoryForm
  readonly type: MemoryType
  readonly count: number
}

export interface TurnQuery {
  readonly owner: number
  readonly scopes?: readonly number[] | undefined
  readonly ids?: readonly string[] | undefined
  readonly session?: string | undefined
  readonly roles?: readonly Turn['role'][] | undefined
  /** Only turns whose metadata matches this filter. */
  readonly where?: MetadataFilter | undefined
  /** Only turns with a greater position. */
  readonly afterPosition?: number | undefined
  /** Only turns with a smaller one. */
  readonly beforePosition?: number | undefined
  /** The last first: scopes and positions in falling order. */
  readonly newestFirst?: boolean | undefined
  readonly limit?: number | undefined
}

export interface ScopeProgress {
  readonly lastPosition: number
  /** Position up to which each branch has worked; 0 for those not named. */
  readonly branches: Readonly<Record<string, number>>
}

/** A memory as read from the store. */
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
  /** The owner's revision when the decision was taken: a conflict on `memory` when anything of theirs changed since. Any when absent. */
  readonly revision?: number
  /** A conflict when one of these memories was changed after that sequence. */
  readonly expect: readonly { memory: string; sequence: number }[]
  readonly endSessions: readonly { session: string; at: number }[]
  readonly queueJobs: readonly NewJob[]
  readonly finishJobs: readonly string[]
  /**
   * The scope's last position as far as it was read, where jobs are finished because nothing is left to read: a conflict on
   * `progress` when turns came since. They found the job queued and queued none.
   */
  readonly lastPosition?: number
  /** Jobs of which this is the work: a conflict when one is finished, since another process did it first. */
  readonly expectJobs?: readonly string[]
  /** Claims whose work ends with this, given back with it ({@link Jobs.endsClaims}). One that was lost is left to who has it. */
  readonly endClaims?: readonly string[]
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
 * Which expectation did not hold, and so what has to be read again: `memory` (one was changed since, or anything where a revision is expected, one to be made or its
 * name is there, or an operation of this commit is in the log already), `progress` (a branch is elsewhere), `job` (somebody did this work), `epoch`
 * (content was erased since).
 */
export type ConflictOn = 'memory' | 'progress' | 'job' | 'epoch'

export interface MemoryQuery {
  readonly owner: number
  readonly scopes?: readonly number[] | undefined
  readonly ids?: readonly string[] | undefined
  readonly statuses?: readonly MemoryStatus[] | undefined
  readonly forms?: readonly MemoryForm[] | undefined
  readonly types?: readonly MemoryType[] | undefined
  /** Live notes of these names. */
  readonly names?: readonly string[] | undefined
  /** Only memories whose metadata matches this filter. */
  readonly where?: MetadataFilter | undefined
  /** Memories that rest on any of these turns, or ever did (their log may still quote them). */
  readonly evidenceTurns?: readonly string[] | undefined
  readonly session?: string | undefined
  /** Only memories that hold at this moment: those whose `validUntil` is not over by it. */
  readonly holdsAt?: number | undefined
  /** Only memories learned at this moment or after it. */
  readonly learnedFrom?: number | undefined
  /** Only memories learned at this moment or before it. */
  readonly learnedTo?: number | undefined
  /** In order of making, or of `learnedAt` and then of id. `made` when absent. */
  readonly order?: 'made' | 'learned' | undefined
  /** Only memories that come after this one in the list's order. None when there is no such memory. */
  readonly after?: string | undefined
  /** The last of the order comes first. */
  readonly newestFirst?: boolean | undefined
  /** So many of the list are passed over. */
  readonly skip?: number | undefined
  readonly limit?: number | undefined
}

export interface OperationQuery {
  readonly owner: number
  readonly scopes?: readonly number[] | undefined
  readonly memory?: string | undefined
  readonly kinds?: readonly OperationKind[] | undefined
  readonly ids?: readonly string[] | undefined
  /** Operations done as a consequence of this one. */
  readonly parent?: string | undefined
  readonly afterSequence?: number | undefined
  readonly beforeSequence?: number | undefined
  /** What was done last comes first. */
  readonly newestFirst?: boolean | undefined
  readonly limit?: number | undefined
}

export interface GatherRequest {
  readonly owner: number
  readonly scope: number
  /** Ids of the operations that go. */
  readonly operations: readonly string[]
  /** What stands for them. */
  readonly by: NewOperation
}

export interface OwnerVersion {
  readonly revision: number
  readonly epoch: number
}

/** That something of a person was changed, and where they stood before: numbers alone. */
export interface ChangeNote {
  readonly owner: number
  /** The last in their log. */
  readonly sequence: number
  /** The last turn of each scope in which turns came. */
  readonly turns: readonly { readonly scope: number; readonly position: number }[]
  /** How many erasures are among the changes. */
  readonly erasures: number
}

/** A turn or memory as the index needs it. Turn fields are those of the turn; for memories, of the memory. */
export interface IndexRow
  extends NewDocument, Pick<Turn, 'scope' | 'session' | 'position' | 'role' | 'speaker' | 'at'> {}

export interface IndexRows {
  readonly version: OwnerVersion
  readonly documents: readonly IndexRow[]
  /** All statuses: what is not live must leave the index. In order of making, so that what is equal stands in one order everywhere. */
  readonly memories: readonly StoredMemory[]
  /** How far each of the person's scopes was read, in the same snapshot, from stores to which each question is a way there and back. */
  readonly progress?: ReadonlyMap<number, ScopeProgress>
}
