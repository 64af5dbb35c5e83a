// Judges the memories of a scope by a forgetting policy: chooses the policy, ranks the memories and finds the weak ones.
import { InvalidInputError, didYouMean, type KeyTable } from '@keepsake/text'
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
import type { UserState } from '../user-state/user-state.ts'
import type { Engine } from '../work/engine.ts'
import { withTexts } from '../work/read-memories.ts'
import { originOf, type Moment, type ScopeView } from '../work/scope-view.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'
import type {
  ForgettingPolicy,
  ForgettingResult,
  ForgottenMemory,
  Retention,
} from './policies/forgetting-policy.ts'
import { fadingFacts } from './policies/known-policies.ts'
import { explainStrength, selectForgotten, type Judged, type Selection } from './policies/select-forgotten.ts'

export type Capacity = Extract<Retention, { when: 'capacity' }>

/** A policy, and how much it may keep. */
export interface PolicyChoice {
  readonly policy: ForgettingPolicy
  readonly retention: Retention
}

/** The policy of facts whose number is limited. */
export const FACT_POLICY = fadingFacts()

/** Returns the capacity for facts; `null` if all facts stay, or if the preset's own policy judges them. */
export function factCapacity({ boundsFacts, exempt }: Preset, retention: Retention): Capacity | null {
  if (retention.when !== 'capacity' || !exempt.includes('fact')) return null
  if (retention.facts === undefined && boundsFacts !== true) return null
  return toFactCapacity(retention)
}

/** Converts a capacity to one for facts; `null` if all facts stay. */
function toFactCapacity({ facts, slack = 0, ...rest }: Capacity): Capacity | null {
  if (facts === 'all') return null
  return facts === undefined ? { ...rest, slack } : { when: 'capacity', memories: facts, slack }
}

/** Returns how much a policy chosen by name may keep. */
export function retentionFor({ judges }: ForgettingPolicy, retention: Retention): Retention {
  if (judges !== 'facts' || retention.when !== 'capacity') return retention
  return toFactCapacity(retention) ?? { when: 'never' }
}

/** Returns the policy that judges a memory. Facts have a policy of their own if their number is limited. */
export function choosePolicy({ form }: Pick<Memory, 'form'>, preset: Preset): PolicyChoice {
  const capacity = form === 'fact' ? factCapacity(preset, preset.retention) : null
  return capacity === null
    ? { policy: preset.policy, retention: preset.retention }
    : { policy: FACT_POLICY, retention: capacity }
}

/** Finds a policy by name; the preset's own without a name. @throws InvalidInputError for a policy that does not exist */
export function findPolicy({ preset, policies }: Engine, name = preset.policy.name): ForgettingPolicy {
  const policy = policies.get(name)
  if (policy !== undefined) return policy
  throw new InvalidInputError(
    `There is no forgetting policy "${name}". ${didYouMean(name, [...policies.keys()])}`,
  )
}

/** Checks whether the facts that may be forgotten are within a capacity. */
export function areFactsWithin(
  state: UserState,
  scope: number,
  { capacity, table, now }: { readonly capacity: Capacity; readonly table: KeyTable; readonly now: number },
): boolean {
  const { memories = Number.POSITIVE_INFINITY, characters = Number.POSITIVE_INFINITY } = capacity
  const live = state.liveCount(scope, 'fact')
  // Usually all facts together are within the capacity, and no fact needs to be read.
  if (live.memories <= memories && live.characters <= characters) return true
  const forgettable = [...state.facts(scope).live()].filter((fact) => whyKept(fact, table, now) === null)
  const total = forgettable.reduce((sum, { text }) => sum + text.length, 0)
  return forgettable.length <= memories && total <= characters
}

/** Checks whether a form is exempt from forgetting: by the preset, or as a note or block. */
export function isExempt({ form }: Pick<Memory, 'form'>, exempt: readonly MemoryForm[]): boolean {
  return form === 'note' || form === 'block' || exempt.includes(form)
}

/** Checks whether a policy judges a memory: facts that may be forgotten, or everything that the preset does not exempt. */
export function isJudgedBy(
  { judges }: ForgettingPolicy,
  { exempt, keyTable }: Preset,
  memory: Memory,
  now: number,
): boolean {
  if (judges === 'facts') return memory.form === 'fact' && whyKept(memory, keyTable, now) === null
  return !isExempt(memory, exempt) && !isRawUnit(memory)
}

/** The memories that a policy judges. */
interface JudgedMemories {
  readonly live: readonly Memory[]
  /** Counts the live and the forgotten memories. */
  readonly countMade: () => number
  /** Ids of story units that no summary covers yet. Forgetting one would leave a gap in the story. */
  readonly unsummarised: ReadonlySet<string>
}

type ChangedView = ScopeView & { readonly changes?: ChangeSet }

/** Lists the memories that a policy judges, with the changes so far and all usage. */
export async function listJudged(
  view: ChangedView,
  policy = view.engine.preset.policy,
): Promise<JudgedMemories> {
  const { preset, now } = view.engine
  const forms: readonly MemoryForm[] =
    policy.judges === 'facts' ? ['fact'] : MEMORY_FORMS.filter((form) => !isExempt({ form }, preset.exempt))
  const list = (statuses: readonly MemoryStatus[]): Memory[] =>
    listMemories(view, forms, statuses).filter((memory) => isJudgedBy(policy, preset, memory, now()))
  const story = forms.includes('story') ? listMemories(view, ['story'], MEMORY_STATUSES) : []
  return {
    live: withTexts(view.state, list(['live'])),
    countMade: () => list(['live', 'forgotten']).length,
    unsummarised: findUnsummarised(preset, story),
  }
}

function listMemories(
  { engine, row, state, changes }: ChangedView,
  forms: readonly MemoryForm[],
  statuses: readonly MemoryStatus[],
): Memory[] {
  const scopes = new Set([row.scope])
  // Without changes, the state's index filters by status, because most old memories are forgotten.
  const filter = changes === undefined ? { scopes, forms, statuses } : { scopes, forms }
  return [...state.listMemories(filter)]
    .map((memory) => changes?.read(memory.id) ?? memory)
    .filter(({ status }) => statuses.includes(status))
    .map((memory) => engine.usage.counted(state, memory))
}

/** Finds the story units below the top level that are no source of a summary. */
function findUnsummarised({ branches }: Preset, story: readonly Memory[]): ReadonlySet<string> {
  const levels = branches.find((branch) => branch.kind === 'story')?.thresholds.length ?? 0
  const units = story.filter(({ level }) => level > 0)
  const summarised = new Set(units.flatMap(({ sources }) => sources))
  return new Set(units.flatMap(({ id, level }) => (level < levels && !summarised.has(id) ? [id] : [])))
}

/** A policy's verdict on the memories of a scope. */
export interface PolicyRun extends PolicyChoice {
  readonly selection: Selection
  readonly moment: Moment
}

/** Ranks listed memories by a policy and selects those that stay. */
export async function judgeListed(
  { live, countMade, unsummarised }: JudgedMemories,
  { policy, retention }: PolicyChoice,
  moment: Moment,
): Promise<PolicyRun> {
  const strengths = (await policy.strengthsInPieces?.(live, moment)) ?? policy.strengths(live, moment)
  const made = retention.when === 'session-end' ? countMade() : live.length
  const selection = selectForgotten({ memories: live, strengths, retention, made, untold: unsummarised })
  return { policy, selection, retention, moment }
}

/** Judges a scope's live memories, with the changes so far. Uses the preset's policy if none is given. */
export async function judgeMemories(
  view: ChangedView,
  moment: Moment,
  retention: Retention,
  policy = view.engine.preset.policy,
): Promise<PolicyRun> {
  return judgeListed(await listJudged(view, policy), { policy, retention }, moment)
}

/** Returns the result of a run without operations. */
export function reportRun(run: PolicyRun, dryRun: boolean): ForgettingResult {
  const { judged } = run.selection
  const forgotten = judged
    .filter(({ kept }) => !kept)
    .map((verdict): ForgottenMemory => {
      return { memory: verdict.memory.id, strength: verdict.strength, reason: explainVerdict(run, verdict) }
    })
  const keptCount = judged.length - forgotten.length
  return {
    policy: run.policy.name,
    considered: judged.length,
    kept: keptCount,
    forgotten,
    operations: [],
    dryRun,
  }
}

/** Explains why a run keeps or forgets a memory. */
export function explainVerdict(run: PolicyRun, judged: Judged): string {
  return explainStrength({ ...run, judged })
}

/** Forgets the memories that a run found too weak. With `isOneUndo`, an undo of the first operation undoes all. */
export function forgetWeak(unit: UnitOfWork, run: PolicyRun, isOneUndo = false): ForgettingResult {
  const result = reportRun(run, false)
  const origin = originOf(unit.engine, `policy:${result.policy}`)
  let parent: string | null = null
  for (const { memory, reason } of result.forgotten) {
    const { id } = unit.changes.change('forget', memory, { status: 'forgotten', reason }, { origin, parent })
    if (isOneUndo) parent ??= id
  }
  return parent === null ? result : { ...result, operations: [parent] }
}
