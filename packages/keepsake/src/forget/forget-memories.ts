import { whyKept } from '../facts/kept-facts.ts'
import type { ChangeSet } from '../memories/change-set.ts'
import { isRawUnit } from '../memories/is-raw-unit.ts'
import {
  MEMORY_FORMS,
  MEMORY_STATUSES,
  type Memory,
  type MemoryForm,
  type MemoryStatus,
} from '../memories/memory.ts'
import type { Preset } from '../presets/preset.ts'
import { withTexts } from '../work/read-memories.ts'
import { originOf, type Moment, type ScopeView } from '../work/scope-view.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'
import { explainStrength } from './policies/explain-strength.ts'
import type { ForgettingPolicy, Retention } from './policies/forgetting-policy.ts'
import type { ForgettingResult, ForgottenMemory } from './policies/forgetting-result.ts'
import { selectForgotten, type Judged, type Selection } from './policies/select-forgotten.ts'

/** A run of the policy over a scope, before anything is changed. */
export interface PolicyRun {
  readonly policy: ForgettingPolicy
  readonly selection: Selection
  readonly retention: Retention
  readonly moment: Moment
}

/** Units of the story that one above is still to be made of: let go before, they would leave a gap in it. */
function untoldUnits({ branches }: Preset, memories: readonly Memory[]): ReadonlySet<string> {
  const levels = branches.find((branch) => branch.kind === 'story')?.thresholds.length ?? 0
  const units = memories.filter(({ form, level }) => form === 'story' && level > 0)
  const told = new Set(units.flatMap(({ sources }) => sources))
  return new Set(units.flatMap(({ id, level }) => (level < levels && !told.has(id) ? [id] : [])))
}

/** Whether no policy judges it: what the preset exempts, and what the application keeps, which is its own to let go. */
export function isExempt({ form }: Pick<Memory, 'form'>, exempt: readonly MemoryForm[]): boolean {
  return form === 'note' || exempt.includes(form)
}

/** Whether a policy judges a memory: facts that may go, or what the preset does not exempt. */
export function isJudgedBy(
  { judges }: ForgettingPolicy,
  { exempt, keyTable }: Preset,
  memory: Memory,
): boolean {
  if (judges === 'facts') return memory.form === 'fact' && whyKept(memory, keyTable) === null
  return !isExempt(memory, exempt) && !isRawUnit(memory)
}

/** What a policy judges of a scope, as the changes of a unit of work leave it so far. */
interface Judgeable {
  /** With their words. */
  readonly live: readonly Memory[]
  /** How many were ever made of what can be forgotten. */
  readonly made: () => number
  readonly untold: ReadonlySet<string>
}

type Seen = ScopeView & { readonly changes?: ChangeSet }

/** What a scope has of some forms and statuses, with what recalls did to it lately. */
function* seenOf(
  { engine, row, state, changes }: Seen,
  forms: readonly MemoryForm[],
  statuses: readonly MemoryStatus[],
): Generator<Memory> {
  const scopes = new Set([row.scope])
  // What no change touches is passed over without being read: of a long past most was forgotten long ago.
  for (const known of state.listMemories({ scopes, forms, ...(changes === undefined ? { statuses } : {}) })) {
    const memory = changes?.read(known.id) ?? known
    if (statuses.includes(memory.status)) yield engine.usage.counted(state, memory)
  }
}

/** Reads what a policy judges of a scope. */
export async function gatherJudged(view: Seen, policy = view.engine.preset.policy): Promise<Judgeable> {
  const { preset } = view.engine
  const forms: readonly MemoryForm[] =
    policy.judges === 'facts' ? ['fact'] : MEMORY_FORMS.filter((form) => !isExempt({ form }, preset.exempt))
  const judged = (statuses: readonly MemoryStatus[]): Memory[] =>
    [...seenOf(view, forms, statuses)].filter((memory) => isJudgedBy(policy, preset, memory))
  const live = withTexts(view.state, judged(['live']))
  const story = forms.includes('story') ? [...seenOf(view, ['story'], MEMORY_STATUSES)] : []
  return { live, made: () => judged(['live', 'forgotten']).length, untold: untoldUnits(preset, story) }
}

/** By which policy, how much and when is judged. */
export interface Judging {
  readonly policy: ForgettingPolicy
  readonly retention: Retention
  readonly moment: Moment
}

/** Judges what was gathered of a scope. */
export async function judgeGathered(
  { live, made, untold }: Judgeable,
  { policy, retention, moment }: Judging,
): Promise<PolicyRun> {
  const strengths = (await policy.strengthsInPieces?.(live, moment)) ?? policy.strengths(live, moment)
  const ever = retention.when === 'session-end' ? made() : live.length
  const selection = selectForgotten({ memories: live, strengths, retention, made: ever, untold })
  return { policy, selection, retention, moment }
}

/** Judges a scope's live memories, as the changes of a unit of work leave them so far; by the preset's policy where none is named. */
export async function judgeMemories(
  view: Seen,
  moment: Moment,
  retention: Retention,
  policy = view.engine.preset.policy,
): Promise<PolicyRun> {
  return judgeGathered(await gatherJudged(view, policy), { policy, retention, moment })
}

/** What a run says, before or after it is carried out. */
export function tellRun(run: PolicyRun, dryRun: boolean): ForgettingResult {
  const { policy, selection } = run
  const { judged } = selection
  const forgotten = judged
    .filter((one) => !one.kept)
    .map((one): ForgottenMemory => {
      return { memory: one.memory.id, strength: one.strength, reason: reasonOf(run, one) }
    })
  const kept = judged.length - forgotten.length
  return { policy: policy.name, considered: judged.length, kept, forgotten, dryRun }
}

/** Why one of those judged stays or goes. */
export function reasonOf(run: PolicyRun, judged: Judged): string {
  return explainStrength({ ...run, judged })
}

/** Forgets what a run of the policy found too weak to stay. */
export function forgetInto(unit: UnitOfWork, run: PolicyRun): ForgettingResult {
  const result = tellRun(run, false)
  const origin = originOf(unit.engine, `policy:${result.policy}`)
  for (const { memory, reason } of result.forgotten)
    unit.changes.change('forget', memory, { status: 'forgotten', reason }, origin)
  return result
}
