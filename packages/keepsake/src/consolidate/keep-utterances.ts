// Stores rounds verbatim as utterance memories.
import { candidateOf, inheritMetadata, memoryOf } from '../memories/candidate.ts'
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

/** Maximum number of turns that are read at once. If they complete no round, a round without an answer is stored. */
const MAX_TURNS = 256
/** Maximum number of rounds in a commit. These block the thread for some 30 ms. */
const MAX_ROUNDS = 64
/** Name of this step in the log. */
const STEP = 'pair/1'

type RoundTurns = readonly Turn[]

/**
 * Stores complete unread rounds verbatim, with the signals that the paper LUFY defines.
 *
 * @returns whether there was a round to store
 */
export async function keepUtterances(
  engine: Engine,
  row: ScopeRow,
  branch: UtteranceBranch,
  { endingSession, upTo }: Reach,
): Promise<boolean> {
  const { revision, from, turns } = await readUnread(engine, row, branch, { limit: MAX_TURNS, upTo })
  const rounds = completeRounds(turns, branch, endingSession)
  // A batch that is too small waits for more turns, unless the session ends.
  const isEnding = turns.some((turn) => turn.session === endingSession)
  const isTooSmall = rounds.length < (branch.every ?? 1) && !isEnding && turns.length < MAX_TURNS
  if (rounds.length === 0 || isTooSmall) return false
  const signals = branch.isMeasured === false ? [] : await measureSignals(engine, row, rounds)
  const to = Math.max(...rounds.map(lastPosition))
  const progress = [{ branch: branch.kind, from, to }]
  await decideAndCommit(engine, row, (unit) => addUtterances(unit, rounds, signals), { revision, progress })
  return true
}

/**
 * Returns the complete rounds before the first turn that waits for its answer. Later rounds wait too, because progress is
 * one position. The end of the session ends the wait.
 */
function completeRounds(
  turns: readonly Turn[],
  { order }: UtteranceBranch,
  endingSession: string | null,
): readonly RoundTurns[] {
  const pairing = pairTurns(turns, order, { flush: turns.at(-1)?.session === endingSession })
  // No pair in a full batch: no further turn will be read unless the waiting turns are stored.
  const isStuck = pairing.pairs.length === 0 && turns.length === MAX_TURNS
  const { pairs, waiting } = isStuck ? pairTurns(turns, order, { flush: true }) : pairing
  const firstWaiting = waiting[0]?.position ?? Number.POSITIVE_INFINITY
  return limitRounds(pairs.filter((pair) => lastPosition(pair) < firstWaiting))
}

/** Returns the first `MAX_ROUNDS` rounds. Of interleaved sessions it returns more, so that progress skips none of their turns. */
function limitRounds(rounds: readonly RoundTurns[]): readonly RoundTurns[] {
  let lastIncluded = 0
  for (const [index, round] of rounds.entries()) {
    const isLater = ([first]: RoundTurns): boolean => (first?.position ?? 0) > lastIncluded
    if (index >= MAX_ROUNDS && rounds.slice(index).every(isLater)) return rounds.slice(0, index)
    lastIncluded = Math.max(lastIncluded, lastPosition(round))
  }
  return rounds
}

function lastPosition(round: RoundTurns): number {
  return round.at(-1)?.position ?? 0
}

const UNMEASURED: Signals = { arousal: null, surprise: null, importance: null }

/** Adds an utterance memory for each round. Its subject is the user who speaks in it, else the last speaker. */
function addUtterances(unit: UnitOfWork, rounds: readonly RoundTurns[], signals: readonly Signals[]): void {
  const { engine, changes } = unit
  for (const [index, turns] of rounds.entries()) {
    const last = turns.at(-1)
    if (last === undefined) continue
    const speaker = turns.find((turn) => turn.role === 'user') ?? last
    const evidence = turns.map((turn) => ({ turn: turn.id, quote: null }))
    const candidate = candidateOf({
      form: 'utterance',
      subject: speaker.speaker ?? subjectOfRole(speaker.role),
      label: labelOf(turns),
      evidence,
      validFrom: last.at,
      signals: signals[index] ?? UNMEASURED,
    })
    const metadata = inheritMetadata(evidence, turns)
    changes.add(memoryOf(candidate, settingOfTurn(unit, last), { metadata }), originOf(engine, STEP))
  }
}

function labelOf(turns: RoundTurns): GroundingLabel {
  if (turns.some((turn) => turn.role === 'user')) return 'user-stated'
  return turns.some((turn) => turn.role === 'assistant') ? 'agent-stated' : 'other'
}
