import type { Memory } from './memory.ts'

/** The step that keeps that somebody asked to have something forgotten. */
export const KEPT_REQUEST = 'kept-request/1'

/** The step that keeps that somebody asked for everything to be forgotten, until they confirm it. */
export const HELD_REQUEST = 'held-request/1'

/** Words of a question by which it asks what was to be forgotten. */
const ASKS = /\bforg[eo]t|\b(?:erase|delete|unsay|unsaid)|忘|抹掉|删/iu

/** Whether a question asks of requests to forget: no other is answered by one. */
export function asksOfRequests(question: string): boolean {
  return ASKS.test(question)
}

/** Whether it tells that there was a request to forget. It tells of no matter, so no request means it, and no model is shown it. */
export function tellsOfRequest({ origin }: Pick<Memory, 'origin'>): boolean {
  return origin.step === KEPT_REQUEST || origin.step === HELD_REQUEST
}

/** Whether it is a request that waits to be confirmed. */
export function isHeld({ origin, status }: Pick<Memory, 'origin' | 'status'>): boolean {
  return origin.step === HELD_REQUEST && status === 'live'
}
