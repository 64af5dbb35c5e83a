import type { Engine } from '../work/engine.ts'
import { gatherJudged, isExempt, isJudgedBy, judgeGathered } from '../forget/forget-memories.ts'
import { keepingOf, allPolicies } from '../forget/choose-policy.ts'
import type { ForgettingPolicy, Retention, Strength } from '../forget/policies/forgetting-policy.ts'
import type { Judged, Selection } from '../forget/policies/select-forgotten.ts'
import type { Memory } from '../memories/memory.ts'
import type { Operation } from '../memories/operation.ts'
import type { Turn } from '../turns/turn.ts'
import type { ResolvedScope } from '../work/scope-handle.ts'
import { momentOf, viewScope, type Moment, type ScopeView } from '../work/scope-view.ts'
import { statesOf, type State } from './replay-memory.ts'
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

function retrievalOf(operation: Operation, id: string): Retrieval[] {
  const touched = operation.touched.find(({ memory }) => memory === id)
  if (operation.kind !== 'reinforce' || operation.undoes !== null || touched === undefined) return []
  const { rank, tally } = touched
  const { first, second } = tally ?? { first: rank === 'first' ? 1 : 0, second: rank === 'second' ? 1 : 0 }
  const { id: name, at, sessionNumber: session, round } = operation
  return [{ operation: name, at, session, round, first, second }]
}

/** What the counters say of a memory's recalls. */
function countedRetrieval({ state }: ScopeView, { id, scope, learnedAt }: Memory): Retrieval | null {
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

/** Describes the life of one memory. @throws NotFoundError */
export async function tellLife(
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
  const sessions = view.state.sessions(row.scope).slice(-LATEST_SESSIONS)
  const moment = momentOf(view)
  const counted = countedRetrieval(view, memory)
  const states = statesOf(memory, { history, sessions, moment, counted })
  const lives = { view, moment, memory, states }
  const policies = await livesUnder(lives)
  return {
    memory,
    turns: said.sort((a, b) => a.position - b.position),
    sources: memory.sources.flatMap((source) => memories.get(source) ?? []),
    retrievals: [
      ...history.flatMap((operation) => retrievalOf(operation, id)),
      ...(counted === null ? [] : [counted]),
    ],
    policies,
  }
}

interface Lives {
  readonly view: ScopeView
  readonly moment: Moment
  readonly memory: Memory
  readonly states: readonly State[]
}

/** A memory as each policy sees it that may judge its like, the one that lets it go first. */
async function livesUnder({ view, moment, memory, states }: Lives): Promise<PolicyLife[]> {
  const { preset } = view.engine
  const own = keepingOf(memory, preset)
  const judged = await gatherJudged(view)
  const lives: PolicyLife[] = []
  for (const policy of policiesFor(memory, view.engine)) {
    const isOwn = policy.name === own.policy.name
    const retention = isOwn ? own.retention : preset.retention
    const gathered = policy.judges === undefined ? judged : await gatherJudged(view, policy)
    const { selection } = await judgeGathered(gathered, { policy, retention, moment })
    const isExempted =
      policy.judges === 'facts'
        ? !isJudgedBy(policy, preset, memory, view.engine.now())
        : isExempt(memory, preset.exempt)
    lives.push(lifeUnder({ policy, isOwn, selection, states, memory, isExempted, retention }))
  }
  return lives
}

/** Facts are seen by the policy of facts only where the preset lets them go by it. */
function policiesFor(memory: Memory, engine: Engine): ForgettingPolicy[] {
  const own = keepingOf(memory, engine.preset).policy
  const others = allPolicies(engine).filter(({ name, judges }) => name !== own.name && judges === undefined)
  return [own, ...others]
}

const LATEST_SESSIONS = 200

interface Living {
  readonly policy: ForgettingPolicy
  readonly selection: Selection
  readonly states: readonly State[]
  readonly memory: Memory
  readonly isExempted: boolean
  readonly isOwn: boolean
  readonly retention: Retention
}

function lifeUnder(living: Living): PolicyLife {
  const { policy, isOwn, selection, states, memory, isExempted, retention } = living
  const standing = selection.judged.find((verdict) => verdict.memory.id === memory.id)
  const points = states.map((state): StrengthPoint => {
    const [strength = { value: 0, parts: {} }] = policy.strengths([state.memory], momentIn(state))
    const { at, session, round, why } = state
    return { ...strength, at, session, round, why }
  })
  return {
    policy: policy.name,
    formula: policy.formula,
    isOwn,
    strength: standing?.strength ?? null,
    rank: standing?.rank ?? null,
    of: selection.judged.length,
    points,
    goes: standing === undefined ? null : whenItGoes(points, standing, selection),
    held: holderOf(standing, isExempted, retention.when === 'never'),
  }
}

function holderOf(standing: Judged | undefined, isExempted: boolean, isNever: boolean): PolicyLife['held'] {
  if (isExempted) return 'exempt'
  if (standing?.because === 'pinned' || standing?.because === 'untold') return standing.because
  return isNever ? 'never' : null
}

/**
 * Ahead it weakens as its own curve does, and goes once it is weaker than the weakest that has room now. Where all have room it
 * stays.
 */
function whenItGoes(
  points: readonly StrengthPoint[],
  { kept, because, strength }: Judged,
  { judged, cut }: Selection,
): PolicyLife['goes'] {
  const now = points.find(({ why }) => why === 'now')
  if (now === undefined || because === 'pinned' || because === 'untold') return null
  if (!kept) return { afterSessions: 0, at: now.at }
  if (cut === null || judged.every((verdict) => verdict.kept)) return null
  // Other scores keep their current share in the future.
  const share = now.value === 0 ? 1 : strength.value / now.value
  const falls = points.find(({ why, value }) => why === 'ahead' && value * share < cut)
  return falls === undefined ? null : { afterSessions: falls.session - now.session, at: falls.at }
}

function momentIn({ at, session, round, memory }: State): Moment {
  return { scope: memory.scope, at, now: at, session, sessionNumber: session, round }
}
