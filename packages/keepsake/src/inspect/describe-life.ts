import {
  listJudged,
  isExempt,
  isJudgedBy,
  judgeListed,
  choosePolicy,
  listPolicies,
} from '../forget/judge-memories.ts'
import type { ForgettingPolicy, Retention, Strength } from '../forget/policies/forgetting-policy.ts'
import type { Judged, Selection } from '../forget/policies/select-forgotten.ts'
import { applyOperation } from '../memories/apply-operation.ts'
import type { Memory } from '../memories/memory.ts'
import type { Operation } from '../memories/operation.ts'
import type { SessionRow } from '../store/store.ts'
import type { Turn } from '../turns/turn.ts'
import type { Engine } from '../work/engine.ts'
import type { ResolvedScope } from '../work/scope-handle.ts'
import { momentOf, viewScope, type Moment, type ScopeView } from '../work/scope-view.ts'
import { memoryHistory, requireMemory } from './list-memories.ts'

/** One recall of a memory, or several that were counted together. */
export interface Retrieval {
  /** The entry of the log; `null` for recalls that only counters know of. */
  readonly operation: string | null
  /** Milliseconds since 1970; of several, of the last. */
  readonly at: number
  readonly session: number
  readonly round: number
  /** Number of times it was among the first (used) and among the next (counted only). */
  readonly first: number
  readonly second: number
}

/** The strength of a memory at one time, past or predicted. */
export interface StrengthPoint extends Strength {
  readonly at: number
  readonly session: number
  readonly round: number
  /** Why there is a point: something happened to it then, a session ended, it is now, or it lies ahead. */
  readonly why: State['why']
}

/** A memory as one policy sees it. */
export interface PolicyLife {
  readonly policy: string
  readonly formula: string
  /** Whether it is the preset's policy, or that of its facts, which really decides. */
  readonly isOwn: boolean
  /** Now, among all that the policy judges: what others say too counts (`redundancy`). `null` for what is not judged. */
  readonly strength: Strength | null
  /** Place by strength, from 1, of how many: it goes once fewer than `rank` of them have room. */
  readonly rank: number | null
  readonly of: number
  /** Its strength over time, by itself: as it was recalled, session by session, and ahead, if nothing recalls it any more. */
  readonly points: readonly StrengthPoint[]
  /**
   * When the preset's retention would let it go by this policy, if nothing recalls it and all others stay as they are: now, after so
   * many sessions, or not as far as is looked ahead (`null`).
   */
  readonly goes: { readonly afterSessions: number; readonly at: number } | null
  /** Protection regardless of strength: pinned, not yet covered by a summary, an exempt form, or no policy at all. */
  readonly held: 'pinned' | 'untold' | 'exempt' | 'never' | null
}

/** One memory's life: what it rests on, what happened to it, and how it holds. */
export interface MemoryLife {
  readonly memory: Memory
  /** The turns it rests on, in order; those that were erased are missing. */
  readonly turns: readonly Turn[]
  /** The memories it was made from. */
  readonly sources: readonly Memory[]
  /** Oldest first, as far as they are distinguished: recalls that only counters know of are one entry, the last. */
  readonly retrievals: readonly Retrieval[]
  /** The preset's policy first. */
  readonly policies: readonly PolicyLife[]
}

/** Reads a recall from the log. Returns an empty list for other operations. */
function readRetrieval(operation: Operation, id: string): Retrieval[] {
  const touched = operation.touched.find(({ memory }) => memory === id)
  if (operation.kind !== 'reinforce' || operation.undoes !== null || touched === undefined) return []
  const { rank, tally } = touched
  const { first, second } = tally ?? { first: rank === 'first' ? 1 : 0, second: rank === 'second' ? 1 : 0 }
  const { id: name, at, sessionNumber: session, round } = operation
  return [{ operation: name, at, session, round, first, second }]
}

/** Returns the recalls that only the usage counters know of, as one retrieval. */
function readCountedRetrieval({ state }: ScopeView, { id, scope, learnedAt }: Memory): Retrieval | null {
  const tally = state.usage.get(id)
  if (tally === undefined) return null
  const { first, second, rounds, secondAt, lastAt, lastSession } = tally
  const round = rounds.at(-1) ?? secondAt ?? 0
  const { userPositions, turns } = state.scope(scope)
  const turn = turns[userPositions[round - 1] ?? 0]
  const at = lastAt > 0 ? lastAt : (turn?.at ?? learnedAt)
  const session = lastSession > 0 ? lastSession : state.sessionNumber(scope, turn?.session ?? '')
  return { operation: null, at, session, round, first, second }
}

/** Describes what a memory rests on, its recalls, and its strength over time by each policy. @throws NotFoundError */
export async function describeLife(
  engine: Engine,
  resolved: ResolvedScope | null,
  id: string,
): Promise<MemoryLife> {
  const memory = await requireMemory(engine, resolved, id)
  const row = resolved?.rows.find((row) => row.scope === memory.scope)
  if (resolved === null || row === undefined)
    throw new Error(`scope of memory ${id} is not among those resolved`)
  const history = await memoryHistory(engine, resolved, id)
  const view = await viewScope(engine, row)
  const { turns, memories } = view.state
  const said = [...new Set(memory.evidence.map(({ turn }) => turn))].flatMap((turn) => turns.get(turn) ?? [])
  const sessions = view.state.sessions(row.scope).slice(-MAX_SESSIONS)
  const moment = momentOf(view)
  const counted = readCountedRetrieval(view, memory)
  const states = listStates(memory, { history, sessions, moment, counted })
  return {
    memory,
    turns: said.sort((a, b) => a.position - b.position),
    sources: memory.sources.flatMap((source) => memories.get(source) ?? []),
    retrievals: [
      ...history.flatMap((operation) => readRetrieval(operation, id)),
      ...(counted === null ? [] : [counted]),
    ],
    policies: await describeByPolicies(view, memory, states),
  }
}

/** Maximum number of sessions, the latest ones, that a strength curve shows. */
const MAX_SESSIONS = 200

/** Describes a memory as each policy judges it, beginning with the one that decides. */
async function describeByPolicies(
  view: ScopeView,
  memory: Memory,
  states: readonly State[],
): Promise<PolicyLife[]> {
  const { engine } = view
  const { preset } = engine
  const own = choosePolicy(memory, preset)
  const judged = await listJudged(view)
  // The policy of facts is shown only where it decides.
  const others = listPolicies(engine).filter(
    ({ name, judges }) => name !== own.policy.name && judges === undefined,
  )
  const lives: PolicyLife[] = []
  for (const policy of [own.policy, ...others]) {
    const isOwn = policy === own.policy
    const retention = isOwn ? own.retention : preset.retention
    const listed = policy.judges === undefined ? judged : await listJudged(view, policy)
    const { selection } = await judgeListed(listed, { policy, retention }, momentOf(view))
    const verdict = selection.judged.find((one) => one.memory.id === memory.id)
    const isExempted =
      policy.judges === 'facts'
        ? !isJudgedBy(policy, preset, memory, engine.now())
        : isExempt(memory, preset.exempt)
    const held = isExempted ? 'exempt' : whyProtected(verdict, retention)
    lives.push({ ...describePolicy(policy, selection, verdict, states), isOwn, held })
  }
  return lives
}

function describePolicy(
  policy: ForgettingPolicy,
  selection: Selection,
  verdict: Judged | undefined,
  states: readonly State[],
): Omit<PolicyLife, 'isOwn' | 'held'> {
  const points = states.map((state): StrengthPoint => {
    const [strength = { value: 0, parts: {} }] = policy.strengths([state.memory], momentIn(state))
    const { at, session, round, why } = state
    return { ...strength, at, session, round, why }
  })
  return {
    policy: policy.name,
    formula: policy.formula,
    strength: verdict?.strength ?? null,
    rank: verdict?.rank ?? null,
    of: selection.judged.length,
    points,
    goes: verdict === undefined ? null : predictForgetting(points, verdict, selection),
  }
}

/** Returns why a memory stays whatever its strength is; `null` if it may be forgotten. */
function whyProtected(verdict: Judged | undefined, { when }: Retention): PolicyLife['held'] {
  if (verdict?.because === 'pinned' || verdict?.because === 'untold') return verdict.because
  return when === 'never' ? 'never' : null
}

/**
 * Predicts when a memory is forgotten if nothing recalls it: once its own curve falls below the weakest strength that is kept
 * now. Returns `null` when it stays, as it does while all memories are kept.
 */
function predictForgetting(
  points: readonly StrengthPoint[],
  { kept, because, strength }: Judged,
  { judged, cut }: Selection,
): PolicyLife['goes'] {
  const now = points.find(({ why }) => why === 'now')
  if (now === undefined || because === 'pinned' || because === 'untold') return null
  if (!kept) return { afterSessions: 0, at: now.at }
  if (cut === null || judged.every((verdict) => verdict.kept)) return null
  // The curve shows the memory alone. Its redundancy is assumed to stay as it is now.
  const share = now.value === 0 ? 1 : strength.value / now.value
  const point = points.find(({ why, value }) => why === 'ahead' && value * share < cut)
  return point === undefined ? null : { afterSessions: point.session - now.session, at: point.at }
}

function momentIn({ at, session, round, memory }: State): Moment {
  return { scope: memory.scope, at, now: at, session, sessionNumber: session, round }
}

/** A memory as it was, is or will be at one time. */
export interface State {
  readonly memory: Memory
  readonly at: number
  readonly session: number
  readonly round: number
  readonly why: 'made' | 'recalled' | 'changed' | 'session' | 'now' | 'ahead'
}

/** What the states of a memory are made from. */
export interface StateSources {
  readonly history: readonly Operation[]
  readonly sessions: readonly SessionRow[]
  readonly moment: Moment
  /** When recalls used it that only counters know of, if any did. */
  readonly counted: Pick<State, 'at' | 'session' | 'round'> | null
}

/** The numbers of sessions for which the strength is predicted. */
const FUTURE_SESSIONS = [1, 2, 3, 5, 8, 13, 21, 34, 55, 89]
const DAY_MS = 86_400_000
/** Maximum number of points of a curve. */
const MAX_POINTS = 120

/**
 * Lists the states of a memory for its strength curve: when made, at each operation, at the ends of sessions, now, and in the future
 * without recalls. The log is replayed to restore each state.
 */
export function listStates(memory: Memory, replay: StateSources): State[] {
  const { moment, counted } = replay
  const states = replayLog(memory, replay.history)
  if (counted !== null) {
    const { at, session, round } = counted
    states.push({ memory, at, session, round, why: 'recalled' })
  }
  const now: State = { memory, at: moment.now, session: moment.session, round: moment.round, why: 'now' }
  const past = addSessionEnds(states, replay)
  const kept = past.slice(0, 1).concat(past.slice(1).slice(1 - MAX_POINTS))
  return [...kept, now, ...predictStates(now, replay)]
}

/** Replays the log. Where the log has no text, as for utterances, the current text is used. */
function replayLog({ id, text }: Memory, history: readonly Operation[]): State[] {
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

function predictStates(now: State, { sessions }: StateSources): State[] {
  const first = sessions[0]
  const last = sessions.at(-1)
  const spans = sessions.length - 1
  const gap =
    first === undefined || last === undefined || spans === 0 ? DAY_MS : (last.lastAt - first.lastAt) / spans
  const rounds = now.session === 0 ? 1 : now.round / now.session
  return FUTURE_SESSIONS.map((count) => ({
    ...now,
    at: Math.round(now.at + count * Math.max(gap, 0)),
    session: now.session + count,
    round: Math.round(now.round + count * rounds),
    why: 'ahead',
  }))
}
