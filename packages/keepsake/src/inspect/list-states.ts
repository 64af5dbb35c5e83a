// Lists the past, present and future states of a memory, for its strength curve.
import { applyOperation } from '../memories/apply-operation.ts'
import type { Memory } from '../memories/memory.ts'
import type { Operation } from '../memories/operation.ts'
import type { SessionRow } from '../store/store.ts'
import type { Moment } from '../work/scope-view.ts'

/** A memory as it was, is or will be at one time. */
export interface State {
  readonly memory: Memory
  readonly at: number
  readonly session: number
  readonly round: number
  readonly why: 'made' | 'recalled' | 'changed' | 'session' | 'now' | 'ahead'
}

/** The data from which the states of a memory are computed. */
export interface StateSources {
  readonly history: readonly Operation[]
  readonly sessions: readonly SessionRow[]
  readonly moment: Moment
  /** The last recall that is only in the usage counters; `null` without one. */
  readonly counted: Pick<State, 'at' | 'session' | 'round'> | null
}

/** The numbers of sessions for which the strength is predicted. */
const FUTURE_SESSIONS = [1, 2, 3, 5, 8, 13, 21, 34, 55, 89]
const DAY_MS = 86_400_000
/** Maximum number of points of a curve. */
const MAX_POINTS = 120

/** Lists a memory's states for its strength curve, from the log: made, at operations and ends of sessions, now, later. */
export function listStates(memory: Memory, replay: StateSources): State[] {
  const { moment, counted } = replay
  const states = replayLog(memory, replay.history)
  if (counted !== null) {
    const { at, session, round } = counted
    states.push({ memory, at, session, round, why: 'recalled' })
  }
  const now: State = { memory, at: moment.now, session: moment.session, round: moment.round, why: 'now' }
  const past = addSessionEnds(states, replay)
  // The first state stays, because it shows the beginning of the curve.
  const shown = past.slice(0, 1).concat(past.slice(1).slice(1 - MAX_POINTS))
  return [...shown, now, ...predictStates(now, replay)]
}

const WHY_BY_KIND: Readonly<Record<string, State['why']>> = { add: 'made', reinforce: 'recalled' }

/** Replays the log. Where the log has no text, as for utterances, the current text is used. */
function replayLog({ id, text }: Memory, history: readonly Operation[]): State[] {
  const states: State[] = []
  let memory: Memory | undefined
  for (const operation of history) {
    memory = applyOperation(memory, operation, id)
    if (memory === undefined) continue
    const { at, sessionNumber: session, round, kind } = operation
    const why = WHY_BY_KIND[kind] ?? 'changed'
    states.push({ memory: memory.text === '' ? { ...memory, text } : memory, at, session, round, why })
  }
  return states
}

/** Adds the ends of sessions. Rounds are spread evenly over them, because the log does not record the round of an end. */
function addSessionEnds(states: readonly State[], { sessions, moment }: StateSources): State[] {
  const [first] = states
  if (first === undefined) return []
  const ends = sessions.filter(({ number }) => number >= first.session && number < moment.session)
  const withEnds = [...states]
  for (const { number, lastAt } of ends) {
    const before = states.findLast(({ at }) => at <= lastAt)
    if (before === undefined) continue
    const span = moment.session - before.session
    const share = span === 0 ? 0 : Math.max(0, number - before.session) / span
    const round = Math.round(before.round + share * (moment.round - before.round))
    withEnds.push({ memory: before.memory, at: lastAt, session: number, round, why: 'session' })
  }
  return withEnds.toSorted((a, b) => a.at - b.at || a.session - b.session)
}

/** Predicts states at the ends of future sessions, with the average gap and number of rounds of past sessions. */
function predictStates(now: State, { sessions }: StateSources): State[] {
  const gapMs = averageGapMs(sessions)
  const roundsPerSession = now.session === 0 ? 1 : now.round / now.session
  return FUTURE_SESSIONS.map((count) => ({
    ...now,
    at: Math.round(now.at + count * gapMs),
    session: now.session + count,
    round: Math.round(now.round + count * roundsPerSession),
    why: 'ahead',
  }))
}

/** Returns the average time between two sessions; a day if there are fewer than two. */
function averageGapMs(sessions: readonly SessionRow[]): number {
  const first = sessions[0]
  const last = sessions.at(-1)
  if (first === undefined || last === undefined || sessions.length === 1) return DAY_MS
  return Math.max(0, (last.lastAt - first.lastAt) / (sessions.length - 1))
}
