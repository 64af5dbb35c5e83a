import { type Candidate, memoryOf, type Setting } from '../memories/candidate.ts'
import type { Memory } from '../memories/memory.ts'
import type { StoryBranch } from '../presets/preset.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import { rawUnit, sourcesOfUnits, summaryUnit, type LowerUnit } from '../story/make-story-unit.ts'
import { packLevels, packUnits, type StoryUnit, type UnitPlan } from '../story/pack-units.ts'
import { extractiveSummariser } from '../story/summarise-extractively.ts'
import type { Summariser } from '../story/summariser.ts'
import { roundsOf, type Round } from '../turns/rounds.ts'
import type { Turn } from '../turns/turn.ts'
import type { Engine } from '../work/engine.ts'
import { settingOfTurn, originOf, viewScope, type ScopeView } from '../work/scope-view.ts'
import { readTurns, turnsOf } from '../work/read-memories.ts'
import { openWriter } from '../work/scope-guidelines.ts'
import { decideAndCommit, type UnitOfWork } from '../work/unit-of-work.ts'
import { isDropped } from '../work/living-turns.ts'
import { isUnusableAnswer } from './park-job.ts'
import { readUnread, TO_THE_LAST, type Reach } from './read-unread.ts'
import { screenSummary } from './screen-texts.ts'

const TURNS_AT_A_TIME = 256

/** Reason of forgetting an utterance, followed by the id of the summary. */
const TAKEN_IN = 'taken into the story'

/** Characters of the previous unit given to a summary for context. */
const CHARACTERS_BEFORE = 1_200

interface MadeUnit {
  readonly plan: UnitPlan
  readonly unit: Candidate
  /** The summariser; `null` for a raw unit, which is the conversation itself. */
  readonly by: Summariser | null
}

/** The story as of one state. Reads only the units that are summarised. */
class StoryView {
  readonly view: ScopeView
  readonly refs: readonly StoryUnit[]
  readonly #read = new Map<string, Memory>()

  constructor(view: ScopeView) {
    this.view = view
    this.refs = view.state.storyUnits(view.row.scope)
  }

  get last(): Memory | undefined {
    return this.view.state.memories.get(this.refs.at(-1)?.ref ?? '')
  }

  /** Returns a unit; a deleted one keeps its place without its text. */
  readUnit(ref: string): Memory | undefined {
    const unit = this.#read.get(ref) ?? this.view.state.memories.get(ref)
    if (unit === undefined) return undefined
    this.#read.set(ref, unit)
    return unit.status === 'live' ? unit : { ...unit, text: '', evidence: [] }
  }

  lastText(level: number): string {
    for (let index = this.refs.length - 1; index >= 0; index -= 1) {
      const unit = this.refs[index]
      const text = unit?.level === level ? this.readUnit(unit.ref)?.text : undefined
      if (text !== undefined && text !== '') return text
    }
    return ''
  }

  stillHolds({ state }: ScopeView): boolean {
    return [...this.#read.values()].every((unit) => {
      const now = state.memories.get(unit.id)
      return unit.status !== 'live' || (now?.status === 'live' && now.evidence.length >= unit.evidence.length)
    })
  }
}

/** Makes the plan's unit. A unit with no text keeps its place, so that the levels above count on. */
async function makeUnit(
  { engine, row }: ScopeView,
  plan: UnitPlan,
  before: string,
  below: (ref: string) => LowerUnit | undefined,
): Promise<MadeUnit> {
  if ('rounds' in plan) return { plan, unit: rawUnit(plan.rounds), by: null }
  const units = plan.units.flatMap((ref) => below(ref) ?? [])
  const turns = await readTurns(engine, row.owner, units.flatMap(turnsOf))
  const { level } = plan
  const at = Math.min(...units.map((unit) => unit.validFrom))
  const { ask, checking, never } = await openWriter(engine, row, 'story')
  const summarise = async (by: Summariser): Promise<MadeUnit> => {
    const sources = sourcesOfUnits(units, (id) => turns.get(id), by.reads)
    const options = { embedding: engine.wordVectors, ask, before }
    const unit = await summaryUnit({ level, at }, sources, by, options)
    const text = await screenSummary(unit?.text ?? '', never, checking)
    const kept = unit === null || text === '' ? { ...rawUnit([]), level, validFrom: at } : { ...unit, text }
    return { plan, unit: kept, by }
  }
  try {
    return await summarise(engine.preset.summariser)
  } catch (error) {
    if (!isUnusableAnswer(error)) throw error
    // An extractive summary is better than a gap; retrying at every turn would cost a call each.
    engine.events.emit('background-failed', { error })
    return summarise(extractiveSummariser())
  }
}

async function makeUnits(story: StoryView, plans: readonly UnitPlan[]): Promise<MadeUnit[]> {
  const fresh = new Map<string, Candidate>()
  const below = (ref: string): LowerUnit | undefined => fresh.get(ref) ?? story.readUnit(ref)
  const units: MadeUnit[] = []
  for (const plan of plans) {
    const made = await makeUnit(story.view, plan, textBefore(plan, story, fresh), below)
    fresh.set(plan.ref, made.unit)
    units.push(made)
  }
  return units
}

/** Returns the preceding text of a plan's level, from new or stored units; empty for raw units. */
function textBefore(plan: UnitPlan, story: StoryView, fresh: ReadonlyMap<string, Candidate>): string {
  if ('rounds' in plan) return ''
  const made = [...fresh.values()].findLast((unit) => unit.level === plan.level && unit.text !== '')
  return (made?.text ?? story.lastText(plan.level)).slice(-CHARACTERS_BEFORE)
}

/**
 * Adds the units in order, the higher ones with their sources.
 *
 * @param how.settingOf when a unit was filled
 * @param how.takesIn see {@link StoryBranch}
 */
function addUnits(
  unitOfWork: UnitOfWork,
  made: readonly MadeUnit[],
  { settingOf, takesIn }: { readonly settingOf: (plan: UnitPlan) => Setting; readonly takesIn: boolean },
): void {
  const { engine, changes } = unitOfWork
  const ids = new Map<string, string>()
  for (const { plan, unit, by } of made) {
    const sources = 'rounds' in plan ? [] : plan.units.map((ref) => ids.get(ref) ?? ref)
    const origin = by === null ? originOf(engine, 'pack/1') : originOf(engine, by.id, by.prompt, 'story')
    const { id } = changes.add(memoryOf(unit, settingOf(plan), { sources }), origin)
    ids.set(plan.ref, id)
    if (takesIn) takeIn(unitOfWork, id, sources)
  }
}

/** Forgets the utterances of the rounds that a summary covers. */
function takeIn({ engine, state, changes }: UnitOfWork, summary: string, sources: readonly string[]): void {
  const raw = sources.flatMap((id) => changes.read(id) ?? []).filter(({ level }) => level === 1)
  const covered = new Set(raw.flatMap(turnsOf))
  const kept = new Set([...covered].flatMap((turn) => state.utteranceOf(turn)?.id ?? []))
  const change = { status: 'forgotten', reason: `${TAKEN_IN} (${summary})` } as const
  for (const id of kept) {
    const isWhole = changes.read(id)?.evidence.every(({ turn }) => covered.has(turn)) === true
    if (isWhole) changes.change('forget', id, change, originOf(engine, 'pack/1'))
  }
}

/** Packs the summaries that the fact branch made of its segments; reads no turns. */
async function packSegments(engine: Engine, row: ScopeRow, branch: StoryBranch): Promise<boolean> {
  const state = await engine.users.load(row.owner)
  const { revision } = state
  const { branches } = state.progress(row.scope)
  const story = new StoryView({ engine, row, state })
  const plans = packLevels(story.refs, branch.thresholds)
  const { last } = story
  if (plans.length === 0 || last === undefined) return false
  const made = await makeUnits(story, plans)
  const from = branches[branch.kind] ?? 0
  // Covers the turns that facts were read from. The progress also keeps another process from packing the same units.
  const progress = [{ branch: branch.kind, from, to: Math.max(from, branches['facts'] ?? 0) }]
  const { session, sessionNumber, round, learnedAt } = last
  const setting = { session, sessionNumber, round, learnedAt }
  const stillHolds = (view: ScopeView): boolean => story.stillHolds(view)
  const terms = { revision, progress, stillHolds }
  await decideAndCommit(
    engine,
    row,
    (unit) => addUnits(unit, made, { settingOf: () => setting, takesIn: false }),
    terms,
  )
  return true
}

function filledBy(plan: UnitPlan | undefined, plans: readonly UnitPlan[]): Turn | undefined {
  if (plan === undefined) return undefined
  if ('rounds' in plan) return plan.rounds.at(-1)?.turns.at(-1)
  return filledBy(
    plans.find(({ ref }) => ref === plan.units.at(-1)),
    plans,
  )
}

function lastPacked(plans: readonly UnitPlan[]): Turn | undefined {
  const rounds: readonly Round[] = plans.flatMap((plan) => ('rounds' in plan ? plan.rounds : []))
  return rounds.at(-1)?.turns.at(-1)
}

/** Packs unread rounds into MOOM's hierarchy, as far as they fill units. */
export async function packStory(
  engine: Engine,
  row: ScopeRow,
  branch: StoryBranch,
  { upTo }: Reach = TO_THE_LAST,
): Promise<boolean> {
  if (branch.units === 'segments') return packSegments(engine, row, branch)
  const { revision, from, turns, isFull } = await readUnread(engine, row, branch, {
    most: TURNS_AT_A_TIME,
    upTo,
  })
  const view = await viewScope(engine, row)
  const readable = turns.filter((turn) => !isDropped(view.state, turn))
  const { rounds } = roundsOf(readable, 'answer', { flush: isFull })
  // Mostly no unit is filled, and the story is not read.
  if (!isFull && rounds.length < (branch.thresholds[0] ?? 1)) return false
  const story = new StoryView(view)
  const { plans } = packUnits(story.refs, rounds, branch.thresholds)
  const last = lastPacked(plans)
  const reached = last ?? (isFull ? turns.at(-1) : undefined)
  if (reached === undefined) return false
  const made = await makeUnits(story, plans)
  const progress = [{ branch: branch.kind, from, to: reached.position }]
  const stillHolds = (view: ScopeView): boolean => story.stillHolds(view)
  const terms = { revision, progress, stillHolds }
  await decideAndCommit(
    engine,
    row,
    (unit) => {
      const settingOf = (plan: UnitPlan): Setting => settingOfTurn(unit, filledBy(plan, plans) ?? reached)
      addUnits(unit, made, { settingOf, takesIn: branch.takesIn === true })
    },
    terms,
  )
  return true
}
