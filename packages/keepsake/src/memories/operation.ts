import type { Memory, Origin } from './memory.ts'

/** The kinds of operations on memories. */
export type OperationKind = (typeof OPERATION_KINDS)[number]
/** Every kind of operation in the log. */
export const OPERATION_KINDS = ['add', 'modify', 'delete', 'forget', 'restore', 'reinforce', 'erase'] as const

/** Kinds that set fields of one existing memory. */
export type ChangeKind = Exclude<OperationKind, 'add' | 'reinforce' | 'erase'>

/** The fields of a memory that an operation may set. Its id and scope never change. */
export type MemoryChange = Partial<Omit<Memory, 'id' | 'scope'>>

/** A memory that a recall returned, with its rank: among the first (used) or the next (counted only). */
export interface MemoryRef {
  readonly memory: string
  /** The highest rank of several recalls. */
  readonly rank: 'first' | 'second'
  /** Combined usage of several recalls. Absent for a single recall, whose round, session and time are those of the operation. */
  readonly tally?: Tally
}

/** Combined usage of a memory by several recalls. */
export interface Tally {
  /** Number of recalls with the memory among the first, and among the next. */
  readonly first: number
  readonly second: number
  /** Distinct rounds in which it was among the first, in order. */
  readonly rounds: readonly number[]
  /** Round in which the memory is suppressed. `null` if a suppression was lifted; absent if nothing changed. */
  readonly secondAt?: number | null
  /** Latest session and time at which it was among the first; 0 when it never was. */
  readonly lastSession: number
  readonly lastAt: number
}

/** The texts of an operation. They can be erased, although the log is append-only. */
export interface OperationPayload {
  /** The former values; `null` for an add. */
  readonly before: MemoryChange | null
  readonly after: MemoryChange
}

/** An entry of the append-only log. It holds ids and kinds, and no text. */
export interface Operation {
  readonly id: string
  /** Sequence number in the user's log, from 1, which the store assigns. Logs of earlier versions have gaps. */
  readonly sequence: number
  readonly scope: number
  readonly kind: OperationKind
  /** `null` for `reinforce`, which names several. */
  readonly memory: string | null
  /** Time of the operation, in milliseconds since 1970. */
  readonly at: number
  readonly origin: Origin
  /** The operation that caused this one (a cascade). Undoing that one undoes this one. */
  readonly parent: string | null
  readonly undoes: string | null
  /** Set for `reinforce` only. */
  readonly touched: readonly MemoryRef[]
  /** Session number and round of the operation, used for strengths. */
  readonly sessionNumber: number
  readonly round: number
  /** `null` once erased, and for kinds that need none. */
  readonly payload: OperationPayload | null
}

/** An operation before the store assigns its sequence number. */
export type NewOperation = Omit<Operation, 'sequence'>

export interface ChangeMoment {
  readonly scope: number
  readonly at: number
  readonly sessionNumber: number
  readonly round: number
}

/** Returns an operation with default values and no memory. */
export function blankOperation(
  id: string,
  kind: OperationKind,
  { scope, at, sessionNumber, round }: ChangeMoment,
  origin: Origin,
): NewOperation {
  const moment = { scope, at, sessionNumber, round }
  return { ...moment, id, kind, memory: null, origin, parent: null, undoes: null, touched: [], payload: null }
}
