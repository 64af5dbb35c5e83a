import type { OperationKind } from '../memories/operation.ts'
import type { EventMap } from './event-map.ts'

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
