import type { Memory, Origin } from './memory.ts'

/** What can happen to memories. `none` is an answer, never an entry of the log. */
export type OperationKind = (typeof OPERATION_KINDS)[number]
export const OPERATION_KINDS = ['add', 'modify', 'delete', 'forget', 'restore', 'reinforce', 'erase'] as const

/** Kinds that set fields of one memory that is there. */
export type ChangeKind = Exclude<OperationKind, 'add' | 'reinforce' | 'erase'>

/** The fields of a memory that an operation may set. Its id and scope never change. */
export type MemoryChange = Partial<Omit<Memory, 'id' | 'scope'>>

/** A memory touched by a recall, and its rank there: among the first (used) or the next (counted only). */
export interface Touched {
  readonly memory: string
  /** Of several recalls, the highest. */
  readonly rank: 'first' | 'second'
  /** What several recalls did to it together; absent where it was one, at the operation's own round, session and time. */
  readonly tally?: Tally
}

/** What several recalls did to a memory, one after another. */
export interface Tally {
  /** How often it was among the first, and how often among the next. */
  readonly first: number
  readonly second: number
  /** Rounds at which it was among the first, each once, in order. */
  readonly rounds: readonly number[]
  /** Round at which it is suppressed afterwards; `null` where that was lifted, absent where nothing bore on it. */
  readonly secondAt?: number | null
  /** Latest session and time at which it was among the first; 0 where it never was. */
  readonly lastSession: number
  readonly lastAt: number
}

/** The texts of an operation, kept beside the log so that they can be erased. */
export interface OperationPayload {
  /** The fields as they were; `null` for an add. */
  readonly before: MemoryChange | null
  readonly after: MemoryChange
}

/** An entry of the append-only log. Holds ids and kinds, and nothing of what was said. */
export interface Operation {
  readonly id: string
  /** Place in the person's log, rising from 1. Given by the store. Gaps are where strengthenings were gathered into a later one. */
  readonly sequence: number
  readonly scope: number
  readonly kind: OperationKind
  /** `null` for `reinforce`, which touches several. */
  readonly memory: string | null
  /** When it was done, milliseconds since 1970. */
  readonly at: number
  /** What asked for it. */
  readonly origin: Origin
  /** Operations done as a consequence of another (a cascade) name it; undoing that undoes these. */
  readonly parent: string | null
  /** The operation this one undoes. */
  readonly undoes: string | null
  /** For `reinforce`. */
  readonly touched: readonly Touched[]
  /** Session ordinal and round at which it was done, for strengths. */
  readonly sessionNumber: number
  readonly round: number
  /** `null` once erased, and where the kind needs none. */
  readonly payload: OperationPayload | null
}

/** An operation before the store has given it its place. */
export type NewOperation = Omit<Operation, 'sequence'>

/** Where and when changes are made. */
export interface ChangeMoment {
  readonly scope: number
  readonly at: number
  readonly sessionNumber: number
  readonly round: number
}

/** An operation of no memory, which says nothing yet. */
export function blankOperation(
  id: string,
  kind: OperationKind,
  { scope, at, sessionNumber, round }: ChangeMoment,
  origin: Origin,
): NewOperation {
  const place = { scope, at, sessionNumber, round }
  return { ...place, id, kind, memory: null, origin, parent: null, undoes: null, touched: [], payload: null }
}
