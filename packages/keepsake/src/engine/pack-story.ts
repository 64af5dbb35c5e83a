import type { Candidate } from '../extraction/candidate.ts'
import type { Memory } from '../operations/memory.ts'
import type { StoryBranch } from '../presets/preset.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import { roundsOf, type Round } from '../segmentation/rounds.ts'
import { rawUnit, sourcesOfUnits, summaryUnit } from '../story/make-story-unit.ts'
import { packUnits, type UnitPlan } from '../story/pack-units.ts'
import type { Turn } from '../turns/turn.ts'
import { commitChanges } from './commit-changes.ts'
import type { Engine } from './engine.ts'
import { memoryOf, type Place } from './make-memory.ts'
import { momentOf, originOf, startChanges } from './moment.ts'
import type { OwnerCache } from './owner-cache.ts'
import { readTurns } from './read-memories.ts'
import { readUnread } from './read-unread.ts'

const TURNS_AT_A_TIME = 256

type Unit = Pick<Candidate, 'evidence' | 'validFrom'>

function storyOf(cache: OwnerCache, scope: number): Memory[] {
  return [...cache.memories({ scopes: new Set([scope]) })].filter((memory) => memory.form === 'story')
}

/** The plan's unit, made; `null` when there is nothing in it worth telling. */
async function makeUnit(
  engine: Engine,
  row: ScopeRow,
  plan: UnitPlan,
  below: ReadonlyMap<string, Unit>,
): Promise<Candidate> {
  if ('rounds' in plan) return rawUnit(plan.rounds)
  const units = plan.units.flatMap((ref) => below.get(ref) ?? [])
  const turns = await readTurns(
    engine,
    row.owner,
    units.flatMap((unit) => unit.evidence.map((evidence) => evidence.turn)),
  )
  const sources = sourcesOfUnits(units, (id) => turns.get(id))
  const at = Math.min(...units.map((unit) => unit.validFrom))
  const made = await summaryUnit(plan.level, sources, at, engine.preset.summariser, {
    embedding: engine.wordVectors,
  })
  // A stretch with nothing to tell keeps its place, so that the levels above count on.
  return made ?? { ...rawUnit([]), level: plan.level, validFrom: at }
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
  known: ReadonlyMap<string, Unit>,
): Promise<Candidate[]> {
  const below = new Map(known)
  const units: Candidate[] = []
  for (const plan of plans) {
    const unit = await makeUnit(engine, row, plan, below)
    below.set(plan.ref, unit)
    units.push(unit)
  }
  return units
}

/** Whether the talk asked to drop a turn, or the application did: the story leaves it out. */
function isDropped(cache: OwnerCache, turn: Turn): boolean {
  if (cache.utteranceOf(turn.id) !== undefined) return false
  return [...cache.memoriesOfTurn(turn.id)].some(
    (memory) => memory.form === 'utterance' && memory.status === 'deleted',
  )
}

function lastPacked(plans: readonly UnitPlan[]): Turn | undefined {
  const rounds: readonly Round[] = plans.flatMap((plan) => ('rounds' in plan ? plan.rounds : []))
  return rounds.at(-1)?.turns.at(-1)
}

/** Packs the rounds not read yet into MOOM's hierarchy, as far as they fill units. */
export async function packStory(engine: Engine, row: ScopeRow, branch: StoryBranch): Promise<boolean> {
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
  const units = await makeUnits(engine, row, plans, new Map(existing.map((memory) => [memory.id, memory])))
  const sessions = new Map(
    (await engine.store.sessions(row.owner, [row.scope])).map((one) => [one.id, one.number]),
  )
  const changes = startChanges(engine, cache, await momentOf(engine, row, cache))
  const place = placeOf(cache, row, reached, sessions)
  for (const unit of units)
    changes.add(memoryOf(unit, place, 'other'), originOf(engine, engine.preset.summariser.id))
  await commitChanges(engine, row, changes, {
    epoch,
    progress: [{ branch: branch.kind, from, to: reached.position }],
  })
  return true
}
