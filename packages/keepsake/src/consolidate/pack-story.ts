import type { Candidate } from '../memories/candidate.ts'
import type { ChangeSet } from '../memories/change-set.ts'
import type { Memory } from '../memories/memory.ts'
import type { StoryBranch } from '../presets/preset.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import { roundsOf, type Round } from '../turns/rounds.ts'
import { eventScope } from '../scopes/scope-key.ts'
import { extractiveSummariser } from '../story/summarise-extractively.ts'
import type { Summariser } from '../story/summariser.ts'
import { rawUnit, sourcesOfUnits, summaryUnit, type LowerUnit } from '../story/make-story-unit.ts'
import { packLevels, packUnits, type UnitPlan } from '../story/pack-units.ts'
import type { Turn } from '../turns/turn.ts'
import { commitChanges } from '../work/commit-changes.ts'
import type { Engine } from '../work/engine.ts'
import { isDropped } from './living-turns.ts'
import { memoryOf, type Place } from '../memories/make-memory.ts'
import { momentOf, originOf, startChanges } from '../work/moment.ts'
import { isUnusableAnswer } from './park-job.ts'
import type { OwnerCache } from '../work/owner-cache.ts'
import { readTurns } from '../work/read-memories.ts'
import { readUnread } from './read-unread.ts'

const TURNS_AT_A_TIME = 256

/** As much of what was told before as a summary is given for context. */
const CHARACTERS_BEFORE = 1_200

function storyOf(cache: OwnerCache, scope: number): Memory[] {
  return [...cache.memories({ scopes: new Set([scope]) })].filter((memory) => memory.form === 'story')
}

/** The plan's unit, made; `null` when there is nothing in it worth telling. */
async function makeUnit(
  engine: Engine,
  row: ScopeRow,
  plan: UnitPlan,
  before: string,
  below: ReadonlyMap<string, LowerUnit>,
): Promise<MadeUnit> {
  if ('rounds' in plan) return { plan, unit: rawUnit(plan.rounds), by: null }
  const units = plan.units.flatMap((ref) => below.get(ref) ?? [])
  const turns = await readTurns(
    engine,
    row.owner,
    units.flatMap((unit) => unit.evidence.map((evidence) => evidence.turn)),
  )
  const { summariser } = engine.preset
  const at = Math.min(...units.map((unit) => unit.validFrom))
  const tell = (by: Summariser): Promise<Candidate | null> =>
    summaryUnit(
      plan.level,
      sourcesOfUnits(units, (id) => turns.get(id), by.reads),
      at,
      by,
      {
        embedding: engine.wordVectors,
        ask: engine.language?.for(eventScope(row)) ?? null,
        before,
      },
    )
  // A stretch with nothing to tell keeps its place, so that the levels above count on.
  const nothing = { ...rawUnit([]), level: plan.level, validFrom: at }
  try {
    return { plan, unit: (await tell(summariser)) ?? nothing, by: summariser }
  } catch (error) {
    if (!isUnusableAnswer(error)) throw error
    // What its turns say is better than a gap, and asking again at every turn would cost a call each.
    engine.events.emit('background-failed', { error })
    const quoting = extractiveSummariser()
    return { plan, unit: (await tell(quoting)) ?? nothing, by: quoting }
  }
}

function placeOf(cache: OwnerCache, row: ScopeRow, last: Turn, sessions: ReadonlyMap<string, number>): Place {
  return {
    session: last.session,
    sessionNumber: sessions.get(last.session) ?? 0,
    round: cache.roundAt(row.scope, last.position),
    learnedAt: last.at,
  }
}

async function makeUnits(
  engine: Engine,
  row: ScopeRow,
  plans: readonly UnitPlan[],
  known: ReadonlyMap<string, Memory>,
): Promise<MadeUnit[]> {
  const below = new Map<string, LowerUnit & { readonly level: number }>(known)
  const units: MadeUnit[] = []
  for (const plan of plans) {
    const told = [...below.values()].filter((unit) => unit.level === plan.level && unit.text !== '')
    const before = (told.at(-1)?.text ?? '').slice(-CHARACTERS_BEFORE)
    const made = await makeUnit(engine, row, plan, before, below)
    below.set(plan.ref, made.unit)
    units.push(made)
  }
  return units
}

interface MadeUnit {
  readonly plan: UnitPlan
  readonly unit: Candidate
  /** What told it; `null` for a raw unit, which is the talk itself. */
  readonly by: Summariser | null
}

/** Adds the units in their order; the higher ones name the lower ones they were made from. */
function addUnits(engine: Engine, changes: ChangeSet, made: readonly MadeUnit[], place: Place): void {
  const ids = new Map<string, string>()
  for (const { plan, unit, by } of made) {
    const sources = 'rounds' in plan ? [] : plan.units.map((ref) => ids.get(ref) ?? ref)
    const origin = by === null ? originOf(engine, 'pack/1') : originOf(engine, by.id, by.prompt)
    ids.set(plan.ref, changes.add(memoryOf(unit, place, 'other', null, sources), origin).id)
  }
}

/** Packs what the fact branch told of its segments; there are no turns to read, only units to pile up. */
async function packSegments(engine: Engine, row: ScopeRow, branch: StoryBranch): Promise<boolean> {
  const { epoch } = await engine.store.version(row.owner)
  const { branches } = await engine.store.progress(row.owner, row.scope)
  const cache = await engine.caches.get(row.owner)
  const existing = storyOf(cache, row.scope)
  const refs = existing.map((memory) => ({ ref: memory.id, level: memory.level }))
  const plans = packLevels(refs, branch.thresholds)
  const last = existing.at(-1)
  if (plans.length === 0 || last === undefined) return false
  const tellable = tellableUnits(existing)
  const made = await makeUnits(engine, row, plans, tellable)
  if (await wasDropped(engine, row, tellable)) return true
  const changes = startChanges(engine, cache, await momentOf(engine, row, cache))
  const { session, sessionNumber, round, learnedAt } = last
  addUnits(engine, changes, made, { session, sessionNumber, round, learnedAt })
  const from = branches[branch.kind] ?? 0
  // Told up to where facts were read. It also keeps another process from piling up the same units.
  const progress = [{ branch: branch.kind, from, to: Math.max(from, branches['facts'] ?? 0) }]
  await commitChanges(engine, row, changes, { epoch, progress })
  return true
}

/** Units with what of them may be told: those that were dropped keep their place and nothing else. */
function tellableUnits(units: readonly Memory[]): Map<string, Memory> {
  const gone = { text: '', evidence: [] }
  return new Map(units.map((unit) => [unit.id, unit.status === 'live' ? unit : { ...unit, ...gone }]))
}

/** Whether a unit was dropped while a model was telling of it: then it is to be told again without. */
async function wasDropped(
  engine: Engine,
  row: ScopeRow,
  told: ReadonlyMap<string, Memory>,
): Promise<boolean> {
  const cache = await engine.caches.get(row.owner)
  return [...told.values()].some((unit) => {
    const now = cache.known(unit.id)?.memory
    return unit.status === 'live' && (now?.status !== 'live' || now.evidence.length < unit.evidence.length)
  })
}

function lastPacked(plans: readonly UnitPlan[]): Turn | undefined {
  const rounds: readonly Round[] = plans.flatMap((plan) => ('rounds' in plan ? plan.rounds : []))
  return rounds.at(-1)?.turns.at(-1)
}

/** Packs the rounds not read yet into MOOM's hierarchy, as far as they fill units. */
export async function packStory(engine: Engine, row: ScopeRow, branch: StoryBranch): Promise<boolean> {
  if (branch.units === 'segments') return packSegments(engine, row, branch)
  const { epoch, from, turns, isFull } = await readUnread(engine, row, branch, TURNS_AT_A_TIME)
  const cache = await engine.caches.get(row.owner)
  const existing = storyOf(cache, row.scope)
  const told = turns.filter((turn) => !isDropped(cache, turn))
  const { rounds } = roundsOf(told, 'answer', { flush: isFull })
  const refs = existing.map((memory) => ({ ref: memory.id, level: memory.level }))
  const { plans } = packUnits(refs, rounds, branch.thresholds)
  const last = lastPacked(plans)
  if (last === undefined && !isFull) return false
  const reached = last ?? turns.at(-1)
  if (reached === undefined) return false
  const tellable = tellableUnits(existing)
  const units = await makeUnits(engine, row, plans, tellable)
  if (await wasDropped(engine, row, tellable)) return true
  const sessions = new Map(
    (await engine.store.sessions(row.owner, [row.scope])).map((one) => [one.id, one.number]),
  )
  const changes = startChanges(engine, cache, await momentOf(engine, row, cache))
  const place = placeOf(cache, row, reached, sessions)
  addUnits(engine, changes, units, place)
  await commitChanges(engine, row, changes, {
    epoch,
    progress: [{ branch: branch.kind, from, to: reached.position }],
  })
  return true
}
