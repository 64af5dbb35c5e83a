import type { Memory } from './memory.ts'

/** The step that records a request to forget. */
export const KEPT_REQUEST = 'kept-request/1'

/** The step that records a request to forget everything until it is confirmed. */
export const HELD_REQUEST = 'held-request/1'

/** Words of a question by which it asks what was to be forgotten. */
const ASKS = /\bforg[eo]t|\b(?:erase|delete|unsay|unsaid)|忘|抹掉|删/iu

/** Checks whether a question is about requests to forget. Only such questions return these records. */
export function asksOfRequests(question: string): boolean {
  return ASKS.test(question)
}

/** Checks whether the memory records a request. Such a record has no topic: no request matches it, and no model sees it. */
export function tellsOfRequest({ origin }: Pick<Memory, 'origin'>): boolean {
  return origin.step === KEPT_REQUEST || origin.step === HELD_REQUEST
}

/** Checks whether the request is pending. */
export function isHeld({ origin, status }: Pick<Memory, 'origin' | 'status'>): boolean {
  return origin.step === HELD_REQUEST && status === 'live'
}
