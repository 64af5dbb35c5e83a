// Describes the life of a memory: its evidence, its recalls, and how each policy judges it.
import { listJudged, isExempt, isJudgedBy, judgeListed, choosePolicy } from '../forget/judge-memories.ts'
import type { Retention, Strength } from '../forget/policies/forgetting-policy.ts'
import type { Judged } from '../forget/policies/select-forgotten.ts'
import type { Memory } from '../memories/memory.ts'
import type { Operation } from '../memories/operation.ts'
import type { Turn } from '../turns/turn.ts'
import type { Engine } from '../work/engine.ts'
import type { ResolvedScope } from '../work/scope-handle.ts'
import { momentOf, viewScope, type ScopeView } from '../work/scope-view.ts'
import { memoryHistory, requireMemory } from './list-memories.ts'

/** One recall of a memory, or several recalls that were counted together. */
export interface Retrieval {
  /** Id of the operation; `null` for recalls that are only in the usage counters. */
  readonly operation: string | null
  /** Time of the last recall, milliseconds since 1970. */
  readonly at: number
  readonly session: number
  readonly round: number
  /** How often the memory was among the first results, which counts as use, and among those after them, which does not. */
  readonly first: number
  readonly second: number
}

export interface PolicyLife {
  readonly policy: string
  readonly formula: string
  /** Whether the preset uses this policy for the memory, so that it decides. */
  readonly isOwn: boolean
  /** Current strength. It may depend on the other memories that the policy judges. `null` if the policy does not judge this one. */
  readonly strength: Strength | null
  /** Rank by strength, from 1. The memory is forgotten when fewer than `rank` memories may stay. */
  readonly rank: number | null
  /** Number of ranked memories. */
  readonly of: number
  /**
   * Why the memory stays whatever its strength: it is `pinned`; it is `untold`, which means that no summary covers it yet; it is `exempt`,
   * since its form is never forgotten; or `never`, since nothing is forgotten. `null` if the strength decides.
   */
  readonly held: 'pinned' | 'untold' | 'exempt' | 'never' | null
}

/** The life of a memory: its evidence, its recalls, and the verdict of each policy. */
export interface MemoryLife {
  readonly memory: Memory
  /** The turns of its evidence in order, without erased ones. */
  readonly turns: readonly Turn[]
  /** The memories from which it was made. */
  readonly sources: readonly Memory[]
  /** Recalls, oldest first. Recalls that are only in the usage counters are one entry, the last. */
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
  // `rounds` are those of the recalls among the first results, `secondAt` is the last of the others.
  const round = rounds.at(-1) ?? secondAt ?? 0
  const { userPositions, turns } = state.scope(scope)
  // Only recalls among the first results store a time and a session. For others, those of the round's turn stand in.
  const turnOfRound = turns[userPositions[round - 1] ?? 0]
  const at = lastAt > 0 ? lastAt : (turnOfRound?.at ?? learnedAt)
  const session = lastSession > 0 ? lastSession : state.sessionNumber(scope, turnOfRound?.session ?? '')
  return { operation: null, at, session, round, first, second }
}

/** Describes a memory's evidence, its recalls, and its strength and rank by each policy. @throws NotFoundError */
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
  const evidenceIds = new Set(memory.evidence.map(({ turn }) => turn))
  const evidenceTurns = [...evidenceIds].flatMap((id) => turns.get(id) ?? [])
  const counted = readCountedRetrieval(view, memory)
  return {
    memory,
    turns: evidenceTurns.sort((a, b) => a.position - b.position),
    sources: memory.sources.flatMap((source) => memories.get(source) ?? []),
    retrievals: [
      ...history.flatMap((operation) => readRetrieval(operation, id)),
      ...(counted === null ? [] : [counted]),
    ],
    policies: await describeByPolicies(view, memory),
  }
}

/** Describes a memory as each policy judges it, beginning with the one that decides. */
async function describeByPolicies(view: ScopeView, memory: Memory): Promise<PolicyLife[]> {
  const { engine } = view
  const { preset } = engine
  const own = choosePolicy(memory, preset)
  const judged = await listJudged(view)
  // A policy of facts is shown only if it decides on this memory. All other policies are shown.
  const others = [preset.policy, ...engine.policies.values()].filter(({ judges }) => judges === undefined)
  const lives: PolicyLife[] = []
  for (const policy of new Set([own.policy, ...others])) {
    const isOwn = policy === own.policy
    const retention = isOwn ? own.retention : preset.retention
    const listed = policy.judges === undefined ? judged : await listJudged(view, policy)
    const { selection } = await judgeListed(listed, { policy, retention }, momentOf(view))
    const verdict = selection.judged.find((judgment) => judgment.memory.id === memory.id)
    // A policy of facts also exempts single facts, such as a name. The others exempt whole forms.
    const isExempted =
      policy.judges === 'facts'
        ? !isJudgedBy(policy, preset, memory, engine.now())
        : isExempt(memory, preset.exempt)
    const held = isExempted ? 'exempt' : whyProtected(verdict, retention)
    lives.push({
      policy: policy.name,
      formula: policy.formula,
      isOwn,
      strength: verdict?.strength ?? null,
      rank: verdict?.rank ?? null,
      of: selection.judged.length,
      held,
    })
  }
  return lives
}

/** Returns why a memory stays without regard to its strength; `null` if it may be forgotten. */
function whyProtected(verdict: Judged | undefined, { when }: Retention): PolicyLife['held'] {
  if (verdict?.because === 'pinned' || verdict?.because === 'untold') return verdict.because
  return when === 'never' ? 'never' : null
}
