// Applies the forgetting policy to a scope and records what it forgets. Called after each session and when a capacity is exceeded.
import { whyKept } from '../facts/kept-facts.ts'
import type { ChangeSet } from '../memories/change-set.ts'
import {
  isRawUnit,
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
import { explainStrength, selectForgotten, type Judged, type Selection } from './policies/select-forgotten.ts'
import type {
  ForgettingPolicy,
  Retention,
  ForgettingResult,
  ForgottenMemory,
} from './policies/forgetting-policy.ts'

export interface PolicyRun {
  readonly policy: ForgettingPolicy
  readonly selection: Selection
  readonly retention: Retention
  readonly moment: Moment
}

/** Returns the story units not summarised yet; forgetting them would leave a gap. */
function untoldUnits({ branches }: Preset, memories: readonly Memory[]): ReadonlySet<string> {
  const levels = branches.find((branch) => branch.kind === 'story')?.thresholds.length ?? 0
  const units = memories.filter(({ form, level }) => form === 'story' && level > 0)
  const summarised = new Set(units.flatMap(({ sources }) => sources))
  return new Set(units.flatMap(({ id, level }) => (level < levels && !summarised.has(id) ? [id] : [])))
}

/** Checks whether a form is exempt from forgetting: by the preset, or as a note or block. */
export function isExempt({ form }: Pick<Memory, 'form'>, exempt: readonly MemoryForm[]): boolean {
  return form === 'note' || form === 'block' || exempt.includes(form)
}

/** Checks whether a policy judges a memory: facts that may go, or everything the preset does not exempt. */
export function isJudgedBy(
  { judges }: ForgettingPolicy,
  { exempt, keyTable }: Preset,
  memory: Memory,
  now: number,
): boolean {
  if (judges === 'facts') return memory.form === 'fact' && whyKept(memory, keyTable, now) === null
  return !isExempt(memory, exempt) && !isRawUnit(memory)
}

/** The memories that a policy judges, with the changes so far. */
interface Judgeable {
  readonly live: readonly Memory[]
  /** Counts the forgettable memories ever made. */
  readonly made: () => number
  readonly untold: ReadonlySet<string>
}

type JudgedView = ScopeView & { readonly changes?: ChangeSet }

/** Lists memories by form and status, with pending usage. */
function* seenOf(
  { engine, row, state, changes }: JudgedView,
  forms: readonly MemoryForm[],
  statuses: readonly MemoryStatus[],
): Generator<Memory> {
  const scopes = new Set([row.scope])
  // Filters by status in the index if nothing is changed; most old memories are forgotten.
  for (const known of state.listMemories({ scopes, forms, ...(changes === undefined ? { statuses } : {}) })) {
    const memory = changes?.read(known.id) ?? known
    if (statuses.includes(memory.status)) yield engine.usage.counted(state, memory)
  }
}

export async function gatherJudged(view: JudgedView, policy = view.engine.preset.policy): Promise<Judgeable> {
  const { preset } = view.engine
  const forms: readonly MemoryForm[] =
    policy.judges === 'facts' ? ['fact'] : MEMORY_FORMS.filter((form) => !isExempt({ form }, preset.exempt))
  const judged = (statuses: readonly MemoryStatus[]): Memory[] =>
    [...seenOf(view, forms, statuses)].filter((memory) =>
      isJudgedBy(policy, preset, memory, view.engine.now()),
    )
  const live = withTexts(view.state, judged(['live']))
  const story = forms.includes('story') ? [...seenOf(view, ['story'], MEMORY_STATUSES)] : []
  return { live, made: () => judged(['live', 'forgotten']).length, untold: untoldUnits(preset, story) }
}

export interface Judging {
  readonly policy: ForgettingPolicy
  readonly retention: Retention
  readonly moment: Moment
}

export async function judgeGathered(
  { live, made, untold }: Judgeable,
  { policy, retention, moment }: Judging,
): Promise<PolicyRun> {
  const strengths = (await policy.strengthsInPieces?.(live, moment)) ?? policy.strengths(live, moment)
  const ever = retention.when === 'session-end' ? made() : live.length
  const selection = selectForgotten({ memories: live, strengths, retention, made: ever, untold })
  return { policy, selection, retention, moment }
}

/** Judges a scope's live memories with the changes so far, by the preset's policy by default. */
export async function judgeMemories(
  view: JudgedView,
  moment: Moment,
  retention: Retention,
  policy = view.engine.preset.policy,
): Promise<PolicyRun> {
  return judgeGathered(await gatherJudged(view, policy), { policy, retention, moment })
}

export function tellRun(run: PolicyRun, dryRun: boolean): ForgettingResult {
  const { policy, selection } = run
  const { judged } = selection
  const forgotten = judged
    .filter((verdict) => !verdict.kept)
    .map((verdict): ForgottenMemory => {
      return { memory: verdict.memory.id, strength: verdict.strength, reason: reasonOf(run, verdict) }
    })
  const kept = judged.length - forgotten.length
  return { policy: policy.name, considered: judged.length, kept, forgotten, operations: [], dryRun }
}

export function reasonOf(run: PolicyRun, judged: Judged): string {
  return explainStrength({ ...run, judged })
}

/**
 * Forgets the memories that a run found too weak.
 *
 * @param isOne undoing the first operation undoes them all
 */
export function forgetInto(unit: UnitOfWork, run: PolicyRun, isOne = false): ForgettingResult {
  const result = tellRun(run, false)
  const origin = originOf(unit.engine, `policy:${result.policy}`)
  let parent: string | null = null
  for (const { memory, reason } of result.forgotten) {
    const { id } = unit.changes.change('forget', memory, { status: 'forgotten', reason }, { origin, parent })
    if (isOne) parent ??= id
  }
  return parent === null ? result : { ...result, operations: [parent] }
}
