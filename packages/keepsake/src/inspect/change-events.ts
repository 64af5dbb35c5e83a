import { EVENT_OF } from '../events/event-map.ts'

/** Kinds of operation that are followed. */
export type Followed = keyof typeof EVENT_OF
const FOLLOWED = Object.keys(EVENT_OF) as readonly Followed[]

/** The events that can be followed after they happened. */
export const CHANGE_EVENTS = [
  'turns-recorded',
  ...FOLLOWED.map((kind) => EVENT_OF[kind]),
  'scope-erased',
] as const
