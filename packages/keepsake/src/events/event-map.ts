// The events that the engine emits.
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

/** All events with their listeners' arguments. Listeners run after the change is durable; their errors are uncaught. */
export interface EventMap {
  'turns-recorded': [{ scope: EventScope; session: string; turns: readonly string[]; milliseconds: number }]
  'memory-added': [{ scope: EventScope; memory: Memory; operation: Operation }]
  'memory-modified': [{ scope: EventScope; memory: Memory; operation: Operation }]
  'memory-deleted': [{ scope: EventScope; memory: Memory; operation: Operation }]
  'memory-forgotten': [{ scope: EventScope; memory: Memory; operation: Operation }]
  'memory-restored': [{ scope: EventScope; memory: Memory; operation: Operation }]
  'memories-reinforced': [{ scope: EventScope; touched: readonly MemoryRef[] }]
  /** The rules rejected a change that a language model proposed. */
  'operation-rejected': [
    { scope: EventScope; kind: 'add' | 'modify' | 'delete'; reason: string; prompt: string },
  ]
  /** No summary was made of a session, because nothing in it was worth keeping (`nothing`) or it must not be kept (`unsafe`). */
  'session-not-summarised': [{ scope: EventScope; session: string; outcome: 'nothing' | 'unsafe' }]
  /** No portrait was made after a session, because its content must not be kept. */
  'portrait-not-made': [{ scope: EventScope; session: string; outcome: 'unsafe' }]
  /** A part of a prompt or of an answer was left out: `count` of `of` items, for the reason in `cause`. */
  'input-left-out': [{ scope: EventScope; prompt: string } & LeftOut]
  'session-ended': [{ scope: EventScope; session: string; forgotten: readonly ForgottenMemory[] }]
  /** The background worker consolidated a scope, or a part of it. */
  'scope-consolidated': [{ scope: EventScope; milliseconds: number }]
  'recall-answered': [
    { scope: EventScope; memories: readonly string[]; confidence: number; milliseconds: number },
  ]
  /** A call of a language model ended. The event has none of its content. */
  'model-called': [ModelCall]
  'job-failed': [{ scope: EventScope; job: string; attempts: number; parked: boolean; error: Error }]
  /** Background work that belongs to no job failed, such as embedding. It is retried at the next use. */
  'background-failed': [{ error: Error }]
  /**
   * Data of a user was erased. `owner` is the user's row number. While `purgedAt` of the receipt is `null`, bytes remain in the file.
   * `erasedName` replaces the user's name in records; `null` if the user still exists.
   */
  'scope-erased': [{ owner: number; receipt: EraseReceipt; erasedName: string | null }]
  /** The bytes of an earlier erasure of this process are removed from the file. */
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
