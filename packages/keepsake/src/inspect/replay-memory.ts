import { applyOperation } from '../memories/apply-operation.ts'
import type { Memory } from '../memories/memory.ts'
import type { Operation } from '../memories/operation.ts'
import type { SessionRow } from '../store/store.ts'
import type { Moment } from '../work/scope-view.ts'

export interface State {
  readonly memory: Memory
  readonly at: number
  readonly session: number
  readonly round: number
  readonly why: 'made' | 'recalled' | 'changed' | 'session' | 'now' | 'ahead'
}

export interface Replay {
  readonly history: readonly Operation[]
  readonly sessions: readonly SessionRow[]
  readonly moment: Moment
  /** When recalls used it that only counters know of, if any did. */
  readonly counted: Pick<State, 'at' | 'session' | 'round'> | null
}

/** Sessions looked ahead: each about half as far again as the one before. */
const AHEAD = [1, 2, 3, 5, 8, 13, 21, 34, 55, 89]
const DAY_MS = 86_400_000
/** Maximum number of points of a curve. */
const MOST_POINTS = 120

/**
 * Lists the states of a memory for its strength curve: when made, at each operation, at the ends of sessions, now, and in the future
 * without recalls. The log is replayed to restore each state.
 */
export function statesOf(memory: Memory, replay: Replay): State[] {
  const { moment, counted } = replay
  const states = replayed(memory, replay.history)
  if (counted !== null) {
    const { at, session, round } = counted
    states.push({ memory, at, session, round, why: 'recalled' })
  }
  const now: State = { memory, at: moment.now, session: moment.session, round: moment.round, why: 'now' }
  const past = withSessions(states, replay)
  const kept = past.slice(0, 1).concat(past.slice(1).slice(1 - MOST_POINTS))
  return [...kept, now, ...ahead(now, replay)]
}

/** The text is the current one: an utterance's text is in its turns. */
function replayed({ id, text }: Memory, history: readonly Operation[]): State[] {
  const states: State[] = []
  let memory: Memory | undefined
  for (const operation of history) {
    memory = applyOperation(memory, operation, id)
    if (memory === undefined) continue
    const { at, sessionNumber: session, round, kind } = operation
    const why = kind === 'add' ? 'made' : kind === 'reinforce' ? 'recalled' : 'changed'
    states.push({ memory: memory.text === '' ? { ...memory, text } : memory, at, session, round, why })
  }
  return states
}

/** Adds the ends of later sessions. The rounds between are spread evenly, since the log does not count them. */
function withSessions(states: readonly State[], { sessions, moment }: Replay): State[] {
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

function ahead(now: State, { sessions }: Replay): State[] {
  const first = sessions[0]
  const last = sessions.at(-1)
  const spans = sessions.length - 1
  const gap =
    first === undefined || last === undefined || spans === 0 ? DAY_MS : (last.lastAt - first.lastAt) / spans
  const rounds = now.session === 0 ? 1 : now.round / now.session
  return AHEAD.map((count) => ({
    ...now,
    at: Math.round(now.at + count * Math.max(gap, 0)),
    session: now.session + count,
    round: Math.round(now.round + count * rounds),
    why: 'ahead',
  }))
}
