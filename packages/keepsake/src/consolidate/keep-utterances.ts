import { candidateOf, type Candidate, inheritMetadata, memoryOf } from '../memories/candidate.ts'
import type { GroundingLabel, Signals } from '../memories/memory.ts'
import type { UtteranceBranch } from '../presets/preset.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import { pairTurns } from '../turns/rounds.ts'
import { type Turn, subjectOfRole } from '../turns/turn.ts'
import type { Engine } from '../work/engine.ts'
import { settingOfTurn, originOf } from '../work/scope-view.ts'
import { decideAndCommit, type UnitOfWork } from '../work/unit-of-work.ts'
import { measureSignals } from './measure-signals.ts'
import { readUnread, type Reach } from './read-unread.ts'

/** Turns read at a time; a speaker who stays silent for this long closes a round. */
const TURNS_AT_A_TIME = 256
/** Rounds measured and committed at a time, which blocks the thread for some 30 ms. */
const ROUNDS_AT_A_TIME = 64
const STEP = 'pair/1'

/** Returns the rounds to store now, and the position they reach. */
function completeUnits(turns: readonly Turn[], branch: UtteranceBranch, endingSession: string | null) {
  const found = unitsIn(turns, branch, endingSession)
  // An incomplete batch waits for more turns, unless the session ends.
  const isEnding = turns.some((turn) => turn.session === endingSession)
  const isShort = found.units.length < (branch.every ?? 1)
  return isShort && !isEnding && turns.length < TURNS_AT_A_TIME ? { units: [], reached: 0 } : found
}

/**
 * Returns the complete rounds and the position they reach. An unanswered turn holds back later rounds until its
 * session ends or the window is full.
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

/** Returns the first rounds; more if sessions interleave, so that progress skips none of their turns. */
function firstUnits(units: readonly (readonly Turn[])[]): readonly (readonly Turn[])[] {
  let reached = 0
  for (const [index, unit] of units.entries()) {
    const isAhead = (rest: readonly Turn[]) => (rest[0]?.position ?? 0) > reached
    if (index >= ROUNDS_AT_A_TIME && units.slice(index).every(isAhead)) return units.slice(0, index)
    reached = Math.max(reached, unit.at(-1)?.position ?? 0)
  }
  return units
}

/** Makes an utterance memory of a round; its subject is the answering speaker. */
export function utteranceCandidate(round: readonly Turn[], signals: Signals): Candidate {
  const last = round.at(-1)
  const speaker = round.find((turn) => turn.role === 'user') ?? last
  const evidence = round.map((turn) => ({ turn: turn.id, quote: null }))
  const subject = speaker?.speaker ?? subjectOfRole(speaker?.role ?? 'other')
  return candidateOf({ form: 'utterance', subject, evidence, validFrom: last?.at ?? 0, signals })
}

function labelOf(unit: readonly Turn[]): GroundingLabel {
  if (unit.some((turn) => turn.role === 'user')) return 'user-stated'
  return unit.some((turn) => turn.role === 'assistant') ? 'agent-stated' : 'other'
}

function addUtterances(
  unit: UnitOfWork,
  units: readonly (readonly Turn[])[],
  signals: readonly Signals[],
): void {
  const { engine, changes } = unit
  for (const [index, turns] of units.entries()) {
    const last = turns.at(-1)
    if (last === undefined) continue
    const measured = signals[index] ?? { arousal: null, surprise: null, importance: null }
    const candidate = { ...utteranceCandidate(turns, measured), label: labelOf(turns) }
    const metadata = inheritMetadata(candidate.evidence, turns)
    changes.add(memoryOf(candidate, settingOfTurn(unit, last), { metadata }), originOf(engine, STEP))
  }
}

/** Stores complete unread rounds verbatim, with LUFY's signals. */
export async function keepUtterances(
  engine: Engine,
  row: ScopeRow,
  branch: UtteranceBranch,
  { endingSession, upTo }: Reach,
): Promise<boolean> {
  const { revision, from, turns } = await readUnread(engine, row, branch, { most: TURNS_AT_A_TIME, upTo })
  const { units, reached } = completeUnits(turns, branch, endingSession)
  if (units.length === 0) return false
  const signals = branch.isMeasured === false ? [] : await measureSignals(engine, row, units)
  const progress = [{ branch: branch.kind, from, to: reached }]
  await decideAndCommit(engine, row, (unit) => addUtterances(unit, units, signals), {
    revision,
    progress,
  })
  return true
}
