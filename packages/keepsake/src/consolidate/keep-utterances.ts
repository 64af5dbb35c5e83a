import { utteranceCandidate } from './utterance-candidate.ts'
import type { ChangeSet } from '../memories/change-set.ts'
import type { GroundingLabel } from '../memories/memory.ts'
import type { UtteranceBranch } from '../presets/preset.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import { pairTurns } from '../turns/pair-turns.ts'
import type { Turn } from '../turns/turn.ts'
import { commitChanges } from '../work/commit-changes.ts'
import type { Engine } from '../work/engine.ts'
import { memoryOf } from '../memories/make-memory.ts'
import { measureSignals } from './measure-signals.ts'
import { momentOf, originOf, startChanges } from '../work/moment.ts'
import type { OwnerCache } from '../work/owner-cache.ts'
import { readUnread } from './read-unread.ts'

/** Turns looked at together: a silence of the other side that lasts this long closes a round. */
const TURNS_AT_A_TIME = 256
/** Rounds measured and committed at a time, so that the thread is held for some 30 ms and no longer. */
const ROUNDS_AT_A_TIME = 64
const STEP = 'pair/1'

/** The rounds to keep now, and how far they reach. */
function completeUnits(turns: readonly Turn[], branch: UtteranceBranch, endingSession: string | null) {
  const found = unitsIn(turns, branch, endingSession)
  // Only part of a batch: it waits for more, unless there is no more to come.
  const isEnding = turns.some((turn) => turn.session === endingSession)
  const isShort = found.units.length < (branch.every ?? 1)
  return isShort && !isEnding && turns.length < TURNS_AT_A_TIME ? { units: [], reached: 0 } : found
}

/**
 * The rounds that are complete, and how far they reach. A turn that waits for its answer holds back what
 * came after it, so that progress can be one position; a session that ends, or a window full of waiting turns,
 * closes it.
 */
function unitsIn(turns: readonly Turn[], branch: UtteranceBranch, endingSession: string | null) {
  const isFull = turns.length === TURNS_AT_A_TIME
  const flush = turns.at(-1)?.session === endingSession
  const open = pairTurns(turns, branch.order, { flush })
  const { pairs, waiting } =
    open.pairs.length === 0 && isFull ? pairTurns(turns, branch.order, { flush: true }) : open
  const limit = waiting[0]?.position ?? Number.POSITIVE_INFINITY
  const units = firstUnits(pairs.filter((pair) => (pair.at(-1)?.position ?? 0) < limit))
  const reached = Math.max(0, ...units.map((unit) => unit.at(-1)?.position ?? 0))
  return { units, reached }
}

/** The first rounds; more where sessions ran side by side, so that progress leaves none of their turns behind. */
function firstUnits(units: readonly (readonly Turn[])[]): readonly (readonly Turn[])[] {
  let reached = 0
  for (const [index, unit] of units.entries()) {
    const isAhead = (rest: readonly Turn[]) => (rest[0]?.position ?? 0) > reached
    if (index >= ROUNDS_AT_A_TIME && units.slice(index).every(isAhead)) return units.slice(0, index)
    reached = Math.max(reached, unit.at(-1)?.position ?? 0)
  }
  return units
}

/** Whose word an utterance is: the user's when they speak in it. */
function labelOf(unit: readonly Turn[]): GroundingLabel {
  if (unit.some((turn) => turn.role === 'user')) return 'user-stated'
  return unit.some((turn) => turn.role === 'agent') ? 'agent-stated' : 'other'
}

async function addUnits(
  engine: Engine,
  row: ScopeRow,
  cache: OwnerCache,
  changes: ChangeSet,
  units: readonly (readonly Turn[])[],
): Promise<void> {
  const sessions = new Map(
    (await engine.store.sessions(row.owner, [row.scope])).map((session) => [session.id, session.number]),
  )
  const signals = await measureSignals(engine, row, units)
  for (const [index, unit] of units.entries()) {
    const last = unit.at(-1)
    if (last === undefined) continue
    const place = {
      session: last.session,
      sessionNumber: sessions.get(last.session) ?? 0,
      round: cache.roundAt(row.scope, last.position),
      learnedAt: last.at,
    }
    const measured = signals[index] ?? { arousal: null, surprise: null, importance: null }
    changes.add(memoryOf(utteranceCandidate(unit, measured), place, labelOf(unit)), originOf(engine, STEP))
  }
}

/** Keeps the complete rounds that were not read yet as they were said, with LUFY's signals. */
export async function keepUtterances(
  engine: Engine,
  row: ScopeRow,
  branch: UtteranceBranch,
  endingSession: string | null,
): Promise<boolean> {
  const { epoch, from, turns } = await readUnread(engine, row, branch, TURNS_AT_A_TIME)
  const { units, reached } = completeUnits(turns, branch, endingSession)
  if (units.length === 0) return false
  const cache = await engine.caches.get(row.owner)
  const changes = startChanges(engine, cache, await momentOf(engine, row, cache))
  await addUnits(engine, row, cache, changes, units)
  await commitChanges(engine, row, changes, { epoch, progress: [{ branch: branch.kind, from, to: reached }] })
  return true
}
