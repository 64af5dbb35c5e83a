import type { Memory } from './memory.ts'

/** The step with which earlier versions stored a request to forget as a memory. Today only the log has it. */
const KEPT_REQUEST = 'kept-request/1'

/** The step that stores a request to forget everything until the user confirms it. */
export const PENDING_FORGET_ALL = 'held-request/1'

/** The step that stores a doubtful request to forget something until the user confirms it. */
export const PENDING_TOPIC = 'held-topic/1'

/** Checks whether the memory stores a request. No recall returns it, no request deletes it by its words, and no model reads it. */
export function isRequestNote({ origin }: Pick<Memory, 'origin'>): boolean {
  return [KEPT_REQUEST, PENDING_FORGET_ALL, PENDING_TOPIC].includes(origin.step)
}

/** Checks whether the memory stores a request that waits for a confirmation. */
export function isPendingRequest({ origin, status }: Pick<Memory, 'origin' | 'status'>): boolean {
  return (origin.step === PENDING_FORGET_ALL || origin.step === PENDING_TOPIC) && status === 'live'
}

/** Checks whether the memory is a live fact and not the note of a request. */
export function isLiveFact(memory: Pick<Memory, 'origin' | 'form' | 'status'>): boolean {
  return memory.form === 'fact' && memory.status === 'live' && !isRequestNote(memory)
}

/** The step that stores how a user wants to be answered. */
export const INSTRUCTION = 'standing-instruction/1'

/** Checks whether a recall may return the memory. Requests have no content, and instructions begin every context anyway. */
export function isRecallable(memory: Pick<Memory, 'origin'>): boolean {
  return memory.origin.step !== INSTRUCTION && !isRequestNote(memory)
}
