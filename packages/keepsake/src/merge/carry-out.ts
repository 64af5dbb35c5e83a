import type { Segment } from '../extraction/extractor.ts'
import type { GroundedCandidate } from '../extraction/grounding/grounded-extraction.ts'
import {
  type Candidate,
  inheritMetadata,
  withTurnMetadata,
  memoryOf,
  type NewMemory,
  type Setting,
} from '../memories/candidate.ts'
import { ASKED_TO_FORGET, deleteMemory } from '../memories/delete-memory.ts'
import type { Evidence } from '../memories/evidence.ts'
import type { Origin } from '../memories/memory.ts'
import type { MemoryChange } from '../memories/operation.ts'
import type { UserState } from '../user-state/user-state.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'
import type { MergeDecision } from './known-facts.ts'

/** Maximum evidence of a fact: its latest turns. */
const MOST_EVIDENCE = 12

/** The turns that decisions were extracted from. */
export interface DecisionSource extends Segment {
  /** Time of a statement without turns, set by the application. */
  readonly at?: number
}

/** The parts of a unit of work that decisions are applied to. */
export interface Carrying extends Pick<UnitOfWork, 'changes'> {
  readonly state: Pick<UserState, 'memoriesOfTurn' | 'utteranceOf'>
}

/** Applies merge decisions in order. Added facts are named by their refs until they have ids. */
export function carryOut(
  carrying: Carrying,
  decisions: readonly MergeDecision[],
  segment: DecisionSource,
  origin: Origin,
): void {
  const { changes } = carrying
  const ids = new Map<string, string>()
  for (const decision of decisions) {
    if (decision.kind === 'add') {
      ids.set(decision.ref, changes.add(factOf(decision.candidate, segment), origin).id)
      continue
    }
    const id = ids.get(decision.memory) ?? decision.memory
    const modify = (change: MemoryChange): void => {
      const fresh = withRoundOf(segment, change)
      changes.change('modify', id, withTurnMetadata(changes.read(id), fresh, segment.turns), origin)
    }
    if (decision.kind === 'modify') modify(decision.change)
    else if (decision.kind === 'delete') {
      const { why: reason, validUntil, asked } = decision
      if (asked === null) changes.change('delete', id, { status: 'deleted', reason, validUntil }, origin)
      else dropAsked(carrying, id, asked, origin)
    } else if (decision.evidence.length > 0) {
      const evidence = [...(changes.read(id)?.evidence ?? []), ...decision.evidence].slice(-MOST_EVIDENCE)
      modify({ evidence })
    }
  }
}

/** Quarantines a candidate with the reason, where it can be inspected and released. */
export function quarantine(
  { changes }: Pick<UnitOfWork, 'changes'>,
  { candidate, reason }: GroundedCandidate,
  segment: DecisionSource,
  origin: Origin,
): void {
  changes.add(factOf(candidate, segment, reason), origin)
}

function factOf(candidate: Candidate, segment: DecisionSource, reason: string | null = null): NewMemory {
  const metadata = inheritMetadata(candidate.evidence, segment.turns)
  return memoryOf(candidate, settingOf(segment, candidate), { reason, metadata })
}

function settingOf(segment: DecisionSource, candidate: Candidate): Setting {
  const ids = new Set(candidate.evidence.map((evidence) => evidence.turn))
  const turn = segment.turns.findLast((turn) => ids.has(turn.id)) ?? segment.turns.at(-1)
  const { sessionNumber, round } = segment
  return {
    session: turn?.session ?? segment.session,
    sessionNumber,
    round,
    learnedAt: turn?.at ?? segment.at ?? 0,
  }
}

/** Sets the round of a replaced statement to that of its replacement (MOOM's b). The creation time stays. */
function withRoundOf({ round }: DecisionSource, change: MemoryChange): MemoryChange {
  return change.text === undefined || change.validFrom === undefined ? change : { ...change, round }
}

/** Deletes what the user asked to forget, with the words of the request, so that neither restores the other. */
function dropAsked(
  { changes, state }: Carrying,
  id: string,
  requestEvidence: readonly Evidence[],
  origin: Origin,
): void {
  const memory = changes.read(id)
  if (memory?.status !== 'live') return
  const why = { reason: ASKED_TO_FORGET, origin }
  deleteMemory(changes, memory, why, (turn) => state.memoriesOfTurn(turn))
  for (const { turn } of requestEvidence) {
    const utterance = state.utteranceOf(turn)
    if (utterance !== undefined && changes.read(utterance.id)?.status === 'live')
      deleteMemory(changes, utterance, why, (id) => state.memoriesOfTurn(id))
  }
}
