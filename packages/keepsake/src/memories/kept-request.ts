import type { Memory } from './memory.ts'

/** The step of earlier versions that noted a request to forget among the memories. The log has it now. */
const KEPT_REQUEST = 'kept-request/1'

/** The step that records a request to forget everything until it is confirmed. */
export const HELD_REQUEST = 'held-request/1'

/** The step that records a doubtful request to forget something until it is confirmed. */
export const HELD_TOPIC = 'held-topic/1'

/** Checks whether the memory records a request. No recall returns it, no request matches it, and no model sees it. */
export function tellsOfRequest({ origin }: Pick<Memory, 'origin'>): boolean {
  return [KEPT_REQUEST, HELD_REQUEST, HELD_TOPIC].includes(origin.step)
}

export function isHeld({ origin, status }: Pick<Memory, 'origin' | 'status'>): boolean {
  return (origin.step === HELD_REQUEST || origin.step === HELD_TOPIC) && status === 'live'
}

/** The step that keeps how a person wants to be talked to. */
export const INSTRUCTION = 'standing-instruction/1'

/** Checks whether a recall may return the memory: requests have no content, and instructions stand ahead of every context. */
export function isRecallable(memory: Pick<Memory, 'origin'>): boolean {
  return memory.origin.step !== INSTRUCTION && !tellsOfRequest(memory)
}
