import { yieldToEventLoop } from './yield-to-event-loop.ts'

export { yieldToEventLoop as giveWay }

/** Yields for work of many small pieces. */
export function givingWay(): () => Promise<void> {
  return yieldToEventLoop
}
