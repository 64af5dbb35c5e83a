import type { ForgottenMemory } from '../forget/policies/forgetting-policy.ts'
import type { Memory } from '../memories/memory.ts'
import type { MemoryRef, Operation, OperationKind } from '../memories/operation.ts'
import type { LeftOut, ModelCall } from '../models/ask-model.ts'
import type { EventScope } from '../scopes/scope.ts'
import type { EraseReceipt } from '../store/store.ts'

/** The event for each kind of operation; other kinds emit none. */
export const EVENT_OF = {
  add: 'memory-added',
  modify: 'memory-modified',
  delete: 'memory-deleted',
  forget: 'memory-forgotten',
  restore: 'memory-restored',
} as const satisfies Partial<Record<OperationKind, keyof EventMap>>

/** An event about one memory. */
export type MemoryEvent = (typeof EVENT_OF)[keyof typeof EVENT_OF]

/**
 * Every event Keepsake emits, by name. A memory comes with its words, or with those of its turns where it keeps none itself. Listeners run after the change is durable; what they throw is
 * reported as an uncaught exception, as with any Node emitter, and undoes nothing.
 */
export interface EventMap {
  'turns-recorded': [{ scope: EventScope; session: string; turns: readonly string[]; milliseconds: number }]
  'memory-added': [{ scope: EventScope; memory: Memory; operation: Operation }]
  'memory-modified': [{ scope: EventScope; memory: Memory; operation: Operation }]
  'memory-deleted': [{ scope: EventScope; memory: Memory; operation: Operation }]
  'memory-forgotten': [{ scope: EventScope; memory: Memory; operation: Operation }]
  'memory-restored': [{ scope: EventScope; memory: Memory; operation: Operation }]
  'memories-reinforced': [{ scope: EventScope; touched: readonly MemoryRef[] }]
  /** A language model proposed a change that the rules did not let through. */
  'operation-rejected': [
    { scope: EventScope; kind: 'add' | 'modify' | 'delete'; reason: string; prompt: string },
  ]
  /** A session left no summary: nothing in it was worth keeping, or it must not be kept. */
  'session-not-summarised': [{ scope: EventScope; session: string; outcome: 'nothing' | 'unsafe' }]
  /** A session left the portrait as it was: what it rests on must not be kept. */
  'portrait-not-made': [{ scope: EventScope; session: string; outcome: 'unsafe' }]
  /**
   * Not all that belongs to a question could be put to a language model, or was kept of its answer: `count` of `of` things were
   * left out, since the model's window does not hold them (`window`), they must not be kept (`unsafe`), or the answer was too long (`length`).
   */
  'input-left-out': [{ scope: EventScope; prompt: string } & LeftOut]
  'session-ended': [{ scope: EventScope; session: string; forgotten: readonly ForgottenMemory[] }]
  /** The background worker consolidated a scope, or as much of it as one pass does. */
  'scope-consolidated': [{ scope: EventScope; milliseconds: number }]
  'recall-answered': [
    { scope: EventScope; memories: readonly string[]; confidence: number; milliseconds: number },
  ]
  /** A question to the language model ended. Nothing of what was asked or answered is in it. */
  'model-called': [ModelCall]
  'job-failed': [{ scope: EventScope; job: string; attempts: number; parked: boolean; error: Error }]
  /** Work in the background failed that belongs to no job, such as making vectors. It is tried again at the next use. */
  'background-failed': [{ error: Error }]
  /**
   * The user cannot be read any more; `owner` is the row number for `Keepsake.changes`. While `purgedAt` is `null`, bytes remain in the
   * file. `erasedName` is what stands for the user's name in records from now on; `null` where the user stays.
   */
  'scope-erased': [{ owner: number; receipt: EraseReceipt; erasedName: string | null }]
  /** The bytes of an erasure of this process are out of the file, where they were not yet with `scope-erased`. */
  'erasure-proven': [{ receipt: EraseReceipt }]
}

/** The name of an event that `on()` listens to. */
export type EventName = keyof EventMap

const NAMES = {
  'turns-recorded': true,
  'memory-added': true,
  'memory-modified': true,
  'memory-deleted': true,
  'memory-forgotten': true,
  'memory-restored': true,
  'memories-reinforced': true,
  'operation-rejected': true,
  'session-not-summarised': true,
  'portrait-not-made': true,
  'input-left-out': true,
  'session-ended': true,
  'scope-consolidated': true,
  'recall-answered': true,
  'model-called': true,
  'job-failed': true,
  'background-failed': true,
  'scope-erased': true,
  'erasure-proven': true,
} satisfies Readonly<Record<EventName, true>>

/** All events of the engine. */
export const EVENT_NAMES = Object.keys(NAMES) as readonly EventName[]
