// Explains in sentences why a memory is kept or forgotten.
import { whyKept, type KeptBecause } from '../facts/kept-facts.ts'
import { explainStrength } from '../forget/policies/select-forgotten.ts'
import type { Strength } from '../forget/policies/forgetting-policy.ts'
import type { Memory } from '../memories/memory.ts'
import type { Operation } from '../memories/operation.ts'
import type { Engine } from '../work/engine.ts'
import { isExempt, judgeMemories, choosePolicy } from '../forget/judge-memories.ts'
import { memoryHistory, requireMemory } from './list-memories.ts'
import { momentOf, viewScope } from '../work/scope-view.ts'
import type { ResolvedScope } from '../work/scope-handle.ts'

/** Why a memory is as it is. */
export interface Explanation {
  readonly memory: Memory
  /** One or two plain sentences that say whether the memory is kept, and why. */
  readonly plain: string
  /** Sentences about its evidence, why it is kept, its use, and the policy's numbers. */
  readonly sentences: readonly string[]
  readonly policy: { readonly name: string; readonly formula: string }
  /** Current strength with the parts of the formula; `null` if the policy does not judge the memory. */
  readonly strength: Strength | null
  /** Rank by strength among the scope's live memories, from 1; `null` if it is not one of them. */
  readonly rank: number | null
  /** Number of ranked memories. */
  readonly of: number
  readonly history: readonly Operation[]
}

function formatDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

function describeOrigin(memory: Memory): string {
  const turns = memory.evidence.map((evidence) => evidence.turn).join(', ')
  const evidence =
    turns === '' ? 'It names no turn as evidence.' : `It rests on turn ${turns} (${memory.label}).`
  return `Made by ${memory.origin.step} of preset ${memory.origin.preset} from session ${memory.session} on ${formatDay(memory.learnedAt)}. ${evidence}`
}

/** Sentences for facts that are never forgotten automatically. */
const PROTECTED_FACT: Readonly<Record<KeptBecause, string>> = {
  pinned: 'Active. It is pinned, so it is never forgotten automatically.',
  stated: 'Active. The application stated it, so it is never forgotten automatically.',
  name: 'Active. It is a name, so it is never forgotten automatically.',
  health: 'Active. It is about health, so it is never forgotten automatically.',
  present: 'Active. It is the current value, so it is never forgotten automatically.',
}

function describeStatus(memory: Memory, { preset, now }: Engine, rank: string): string {
  if (memory.status !== 'live') {
    const status = `${memory.status.charAt(0).toUpperCase()}${memory.status.slice(1)}`
    return memory.reason === null ? `${status}.` : `${status}: ${memory.reason.replace(/\.$/, '')}.`
  }
  if (memory.pinned) return PROTECTED_FACT.pinned
  const isLimitedFact = choosePolicy(memory, preset).policy.judges === 'facts'
  if (isLimitedFact) {
    const protection = whyKept(memory, preset.keyTable, now())
    return protection === null ? `Active.${rank}` : PROTECTED_FACT[protection]
  }
  return isExempt(memory, preset.exempt)
    ? `Active. A ${memory.form} is never forgotten automatically.`
    : `Active.${rank}`
}

function describeUse(memory: Memory): string {
  const { first, second } = memory.use
  if (first + second === 0) return 'No recall has returned it yet.'
  return `Recalls returned it ${first} ${first === 1 ? 'time' : 'times'} among the first and ${second} among the next.`
}

/** Says why a memory was kept or forgotten, from the policy's own numbers. */
export async function explainMemory(
  engine: Engine,
  resolved: ResolvedScope | null,
  id: string,
): Promise<Explanation> {
  const memory = await requireMemory(engine, resolved, id)
  const history = await memoryHistory(engine, resolved, id)
  const { policy, retention } = choosePolicy(memory, engine.preset)
  const row = resolved?.rows.find((row) => row.scope === memory.scope)
  if (resolved === null || row === undefined)
    throw new Error(`scope of memory ${id} is not among those resolved`)
  const view = await viewScope(engine, row)
  const run = await judgeMemories(view, momentOf(view), retention, policy)
  const judged = run.selection.judged.find((verdict) => verdict.memory.id === id)
  const { length: count } = run.selection.judged
  const rank = judged === undefined ? '' : ` By strength it is number ${judged.rank} of ${count} memories.`
  const plain = describeStatus(memory, engine, rank)
  const verdict = judged === undefined ? [] : [explainStrength({ ...run, judged })]
  return {
    memory,
    plain,
    sentences: [describeOrigin(memory), plain, describeUse(memory), ...verdict],
    policy: { name: policy.name, formula: policy.formula },
    strength: judged?.strength ?? null,
    rank: judged?.rank ?? null,
    of: count,
    history,
  }
}
