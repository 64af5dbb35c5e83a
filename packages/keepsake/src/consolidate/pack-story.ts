// Makes the units of a story, as in the paper MOOM: summaries of rounds, summaries of these summaries, and so on.
import { type Candidate, memoryOf, type Setting } from '../memories/candidate.ts'
import type { Memory } from '../memories/memory.ts'
import type { StoryBranch } from '../presets/preset.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import {
  planUnits,
  rawUnit,
  sourcesOfUnits,
  storyUnit,
  summaryUnit,
  type LowerUnit,
  type StoryUnit,
  type UnitPlan,
} from '../story/story-units.ts'
import { extractiveSummariser } from '../story/summarise-extractively.ts'
import type { Summariser } from '../story/summariser.ts'
import { roundsOf } from '../turns/rounds.ts'
import type { Turn } from '../turns/turn.ts'
import type { Engine } from '../work/engine.ts'
import { isForgotten } from '../work/usable-turns.ts'
import { readTurns, turnsOf } from '../work/read-memories.ts'
import { openWriter } from '../work/scope-guidelines.ts'
import { settingOfTurn, originOf, viewScope, type ScopeView } from '../work/scope-view.ts'
import { decideAndCommit, type UnitOfWork } from '../work/unit-of-work.ts'
import { isUnusableAnswer } from './park-job.ts'
import { readUnread, TO_THE_LAST, type Reach } from './read-unread.ts'
import { screenSummary } from './screen-texts.ts'

/** Maximum number of turns that are read at once. */
const MAX_TURNS = 256
/** Name of the step that makes units without a text, for the log. */
const STEP = 'pack/1'
/** Maximum characters of the previous unit that the summariser reads as context. Chosen, not measured. */
const MAX_CHARACTERS_BEFORE = 1_200

/** The units to make, planned on one revision. */
interface StoryPlan {
  readonly story: StoryView
  readonly plans: readonly UnitPlan[]
  readonly revision: number
  /** The branch's progress before and after these units, as positions of turns. */
  readonly from: number
  readonly to: number
  /** Returns the session, the round and the time under which a unit is stored. */
  readonly settingOf: (unit: UnitOfWork, plan: UnitPlan) => Setting
}

/**
 * Makes the story units for which there are enough unread rounds. With `units: 'segments'` the fact branch makes the first
 * level, and only higher levels are made here.
 *
 * @returns whether there was a unit to make
 */
export async function packStory(
  engine: Engine,
  row: ScopeRow,
  branch: StoryBranch,
  { upTo }: Reach = TO_THE_LAST,
): Promise<boolean> {
  const plan =
    branch.units === 'segments'
      ? await planFromSegments(engine, row, branch)
      : await planFromRounds(engine, row, branch, upTo)
  if (plan === null) return false
  const { story, plans, revision, from, to, settingOf } = plan
  const units = await makeUnits(story, plans)
  const stillHolds = (view: ScopeView): boolean => story.stillHolds(view)
  // A commit with this progress conflicts with another process that makes the same units.
  const progress = [{ branch: branch.kind, from, to }]
  await decideAndCommit(engine, row, (unit) => addUnits(unit, units, branch, settingOf), {
    revision,
    progress,
    stillHolds,
  })
  return true
}

/** Plans the levels above the summaries that the fact branch made of its segments. Reads no turns. */
async function planFromSegments(
  engine: Engine,
  row: ScopeRow,
  branch: StoryBranch,
): Promise<StoryPlan | null> {
  const view = await viewScope(engine, row)
  const { revision } = view.state
  const { branches } = view.state.progress(row.scope)
  const story = new StoryView(view)
  const plans = planUnits(story.units, [], branch.thresholds)
  const { last } = story
  if (plans.length === 0 || last === undefined) return null
  const from = branches[branch.kind] ?? 0
  const { session, sessionNumber, round, learnedAt } = last
  const setting = { session, sessionNumber, round, learnedAt }
  // The story covers the turns that the fact branch has read.
  const to = Math.max(from, branches['facts'] ?? 0)
  return { story, plans, revision, from, to, settingOf: () => setting }
}

/** Plans the units that unread rounds fill, on all levels. */
async function planFromRounds(
  engine: Engine,
  row: ScopeRow,
  branch: StoryBranch,
  upTo: number,
): Promise<StoryPlan | null> {
  const unread = await readUnread(engine, row, branch, { limit: MAX_TURNS, upTo })
  const { revision, from, turns, isFull } = unread
  const view = await viewScope(engine, row)
  const readable = turns.filter((turn) => !isForgotten(view.state, turn))
  const { rounds } = roundsOf(readable, 'answer', { flush: isFull })
  // The story is read only if there are enough rounds for a unit.
  if (!isFull && rounds.length < (branch.thresholds[0] ?? 1)) return null
  const story = new StoryView(view)
  const plans = planUnits(story.units, rounds, branch.thresholds)
  const packedRounds = plans.flatMap((plan) => ('rounds' in plan ? plan.rounds : []))
  const lastPacked = packedRounds.at(-1)?.turns.at(-1)
  const last = lastPacked ?? (isFull ? turns.at(-1) : undefined)
  if (last === undefined) return null
  const settingOf = (unit: UnitOfWork, plan: UnitPlan): Setting =>
    settingOfTurn(unit, lastTurnOf(plan, plans) ?? last)
  return { story, plans, revision, from, to: last.position, settingOf }
}

/** Returns the last turn of a planned unit, which is in the last round of its last lower unit. */
function lastTurnOf(plan: UnitPlan | undefined, plans: readonly UnitPlan[]): Turn | undefined {
  if (plan === undefined) return undefined
  if ('rounds' in plan) return plan.rounds.at(-1)?.turns.at(-1)
  const lastUnit = plans.find(({ ref }) => ref === plan.units.at(-1))
  return lastTurnOf(lastUnit, plans)
}

/** The story of a scope in one state. Records which units were read, so that a commit can check that they still exist. */
class StoryView {
  readonly view: ScopeView
  readonly units: readonly StoryUnit[]
  readonly #read = new Map<string, Memory>()

  constructor(view: ScopeView) {
    this.view = view
    this.units = view.state.storyUnits(view.row.scope)
  }

  get last(): Memory | undefined {
    return this.view.state.memories.get(this.units.at(-1)?.ref ?? '')
  }

  /** Returns a unit. A deleted unit has no text and no evidence. */
  readUnit(ref: string): Memory | undefined {
    const unit = this.view.state.memories.get(ref)
    if (unit === undefined) return undefined
    this.#read.set(ref, unit)
    return unit.status === 'live' ? unit : { ...unit, text: '', evidence: [] }
  }

  /** Returns the last text of a level; empty if there is none. */
  lastText(level: number): string {
    for (const unit of this.units.toReversed()) {
      const text = unit.level === level ? this.readUnit(unit.ref)?.text : undefined
      if (text !== undefined && text !== '') return text
    }
    return ''
  }

  /** Checks whether none of the units that were read has been deleted or has lost evidence. */
  stillHolds({ state }: ScopeView): boolean {
    return [...this.#read.values()].every((unit) => {
      const current = state.memories.get(unit.id)
      return (
        unit.status !== 'live' ||
        (current?.status === 'live' && current.evidence.length >= unit.evidence.length)
      )
    })
  }
}

/** A unit that is ready to be stored. */
interface CompleteUnit {
  readonly plan: UnitPlan
  readonly unit: Candidate
  /** The summariser that wrote the unit; `null` for a unit of rounds, which has no text. */
  readonly summariser: Summariser | null
}

/** Makes the planned units in order. A unit may summarise units that were made before it. */
async function makeUnits(story: StoryView, plans: readonly UnitPlan[]): Promise<CompleteUnit[]> {
  const units: CompleteUnit[] = []
  for (const plan of plans) {
    if ('rounds' in plan) {
      units.push({ plan, unit: rawUnit(plan.rounds), summariser: null })
      continue
    }
    const lowerUnits = plan.units.flatMap(
      (ref) => units.find((other) => other.plan.ref === ref)?.unit ?? story.readUnit(ref) ?? [],
    )
    const previous = units.findLast(({ unit }) => unit.level === plan.level && unit.text !== '')
    const before = (previous?.unit.text ?? story.lastText(plan.level)).slice(-MAX_CHARACTERS_BEFORE)
    units.push({ plan, ...(await summariseUnits(story.view, plan.level, lowerUnits, before)) })
  }
  return units
}

/** Summarises units. A summary without a text is a unit as well, because the level above counts units. */
async function summariseUnits(
  { engine, row }: ScopeView,
  level: number,
  units: readonly LowerUnit[],
  before: string,
): Promise<Omit<CompleteUnit, 'plan'>> {
  const turns = await readTurns(engine, row.owner, units.flatMap(turnsOf))
  const at = Math.min(...units.map((unit) => unit.validFrom))
  const { ask, checking, never } = await openWriter(engine, row, 'story')
  const summariseBy = async (summariser: Summariser): Promise<Omit<CompleteUnit, 'plan'>> => {
    const sources = sourcesOfUnits(units, (id) => turns.get(id), summariser.reads)
    const summary = await summaryUnit({ level, at }, sources, summariser, {
      embedding: engine.wordVectors,
      ask,
      before,
    })
    const text = await screenSummary(summary?.text ?? '', never, checking)
    const isEmpty = summary === null || text === ''
    const unit = storyUnit(level, at, isEmpty ? { text: '', evidence: [] } : { ...summary, text })
    return { unit, summariser }
  }
  try {
    return await summariseBy(engine.preset.summariser)
  } catch (error) {
    if (!isUnusableAnswer(error)) throw error
    // An extractive summary fills the gap, because a retry at every later turn would cost a call each.
    engine.events.emit('background-failed', { error })
    return summariseBy(extractiveSummariser())
  }
}

/** Stores the units in order, each with the units below as its sources. */
function addUnits(
  unitOfWork: UnitOfWork,
  units: readonly CompleteUnit[],
  branch: StoryBranch,
  settingOf: StoryPlan['settingOf'],
): void {
  const { engine, changes } = unitOfWork
  const replacesUtterances = branch.takesIn === true && branch.units !== 'segments'
  const ids = new Map<string, string>()
  for (const { plan, unit, summariser } of units) {
    const sources = 'rounds' in plan ? [] : plan.units.map((ref) => ids.get(ref) ?? ref)
    const origin =
      summariser === null
        ? originOf(engine, STEP)
        : originOf(engine, summariser.id, summariser.prompt, 'story')
    const { id } = changes.add(memoryOf(unit, settingOf(unitOfWork, plan), { sources }), origin)
    ids.set(plan.ref, id)
    if (replacesUtterances) forgetSummarised(unitOfWork, id, sources)
  }
}

/** Forgets the utterances of the rounds that a summary covers, if the preset does so. */
function forgetSummarised(
  { engine, state, changes }: UnitOfWork,
  summary: string,
  sources: readonly string[],
): void {
  const unitsOfRounds = sources.flatMap((id) => changes.read(id) ?? []).filter(({ level }) => level === 1)
  const covered = new Set(unitsOfRounds.flatMap(turnsOf))
  const utterances = new Set([...covered].flatMap((turn) => state.utteranceOf(turn)?.id ?? []))
  const change = { status: 'forgotten', reason: `taken into the story (${summary})` } as const
  for (const id of utterances)
    if (changes.read(id)?.evidence.every(({ turn }) => covered.has(turn)) === true)
      changes.change('forget', id, change, originOf(engine, STEP))
}
