import { findTerms, type Side, type TimeRange } from '@keepsake/text'
import type { SessionRow } from '../stores/store.ts'
import type { UserState } from '../user-state/user-state.ts'
import type { Asking } from './asked-question.ts'
import type { FoundMemory } from './found-memory.ts'
import { inOrderOf, turnsOfSessions, type ToldTurn } from './gather-told.ts'

const DAY_MS = 86_400_000
/** How far from something its surroundings reach. What came before it is told at the latest some days after. */
const AROUND = {
  before: { from: -10 * DAY_MS, to: 4 * DAY_MS },
  after: { from: -1 * DAY_MS, to: 14 * DAY_MS },
  around: { from: -10 * DAY_MS, to: 14 * DAY_MS },
} as const satisfies Readonly<Record<Side, { readonly from: number; readonly to: number }>>

async function sessionsOf({ engine, resolved, asked }: Asking): Promise<SessionRow[]> {
  const until = asked.asOf ?? asked.now
  const sessions = await engine.store.sessions(resolved.owner, resolved.scopes)
  return sessions
    .filter(({ startedAt }) => startedAt <= until)
    .sort((one, other) => one.startedAt - other.startedAt)
}

/** Those with most to say first; a user's words before an agent's. */
function byWorth(told: readonly ToldTurn[]): ToldTurn[] {
  const says = ({ turn }: ToldTurn): number =>
    turn.role === 'agent' ? 0 : new Set(findTerms(turn.text)).size
  return told
    .map((one) => ({ one, worth: says(one) }))
    .sort((left, right) => right.worth - left.worth)
    .map(({ one }) => one)
}

/** The talk before this one: of the session that ended last, or that nobody added to for as long as ends one. */
export async function gatherLastTalk(asking: Asking, cache: UserState): Promise<FoundMemory[]> {
  const { engine, asked } = asking
  const sessions = await sessionsOf(asking)
  const isOver = ({ endedAt, lastAt }: SessionRow): boolean =>
    endedAt !== null || asked.now - lastAt > engine.preset.sessionGap
  const last = sessions.findLast(isOver) ?? sessions.at(-1)
  if (last === undefined) return []
  return inOrderOf(byWorth(await turnsOfSessions(asking, cache, [last])))
}

/** What was said in stretches of time. */
export async function gatherTimes(
  asking: Asking,
  cache: UserState,
  ranges: readonly TimeRange[],
): Promise<FoundMemory[]> {
  const isIn = (at: number): boolean => ranges.some(({ from, to }) => at >= from && at < to)
  const sessions = (await sessionsOf(asking)).filter(({ startedAt, lastAt }) =>
    ranges.some(({ from, to }) => startedAt < to && lastAt >= from),
  )
  const turns = await turnsOfSessions(asking, cache, sessions)
  return inOrderOf(byWorth(turns.filter(({ turn }) => isIn(turn.at))))
}

/** What was said before or after something: by the time at which what tells of it was said, and always of one session more. */
export async function gatherAround(
  asking: Asking,
  cache: UserState,
  event: FoundMemory,
  side: Side,
): Promise<FoundMemory[]> {
  const { from, to } = AROUND[side]
  const at = event.memory.validFrom
  const sessions = await sessionsOf(asking)
  const place = sessions.findIndex(({ startedAt, lastAt }) => startedAt <= at && at <= lastAt)
  const beside = new Set([
    ...(side === 'after' ? [] : [sessions[place - 1]]),
    ...(side === 'before' ? [] : [sessions[place + 1]]),
  ])
  const near = sessions.filter(
    (session) => beside.has(session) || (session.startedAt < at + to && session.lastAt >= at + from),
  )
  const told = byWorth(await turnsOfSessions(asking, cache, near))
  return inOrderOf([event, ...told])
}
