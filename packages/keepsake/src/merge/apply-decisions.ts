// Applies merge decisions to the memories of a unit of work.
import type { Segment } from '../extraction/extractor.ts'
import type { GroundedCandidate } from '../extraction/grounding/grounded-extraction.ts'
import {
  type Candidate,
  inheritMetadata,
  withTurnMetadata,
  memoryOf,
  type NewMemory,
} from '../memories/candidate.ts'
import { ASKED_TO_FORGET, deleteMemory } from '../memories/delete-memory.ts'
import type { Evidence } from '../memories/evidence.ts'
import type { Origin } from '../memories/memory.ts'
import type { MemoryChange } from '../memories/operation.ts'
import type { UserState } from '../user-state/user-state.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'
import type { MergeDecision } from './merge-decisions.ts'

/** Maximum evidence of a fact. A fact that is often confirmed keeps only the latest. Chosen, not measured. */
const MAX_EVIDENCE = 12

/** The turns from which the decisions were taken. */
export interface DecisionSource extends Segment {
  /** Time of a statement that the application made without turns. */
  readonly at?: number
}

/** The parts of a unit of work that decisions are applied to. */
export interface DecisionTarget extends Pick<UnitOfWork, 'changes'> {
  readonly state: Pick<UserState, 'memoriesOfTurn' | 'utteranceOf'>
}

/** Applies merge decisions in order. A later decision may name an added fact by the `ref` of its addition. */
export function applyDecisions(
  target: DecisionTarget,
  decisions: readonly MergeDecision[],
  source: DecisionSource,
  origin: Origin,
): void {
  const { changes } = target
  const ids = new Map<string, string>()
  for (const decision of decisions) {
    if (decision.kind === 'add') {
      ids.set(decision.ref, changes.add(newFact(decision.candidate, source), origin).id)
      continue
    }
    const id = ids.get(decision.memory) ?? decision.memory
    const memory = changes.read(id)
    const modify = (change: MemoryChange): void => {
      const complete = withTurnMetadata(memory, withRoundOfNewStatement(change, source), source.turns)
      changes.change('modify', id, complete, origin)
    }
    if (decision.kind === 'modify') modify(decision.change)
    else if (decision.kind === 'delete') {
      const { reason, validUntil, request } = decision
      if (request === null) changes.change('delete', id, { status: 'deleted', reason, validUntil }, origin)
      else deleteOnRequest(target, id, request, origin)
    } else if (decision.evidence.length > 0)
      modify({ evidence: [...(memory?.evidence ?? []), ...decision.evidence].slice(-MAX_EVIDENCE) })
  }
}

/** Stores a candidate in quarantine, with the reason. */
export function quarantineCandidate(
  { changes }: Pick<UnitOfWork, 'changes'>,
  { candidate, reason }: GroundedCandidate,
  source: DecisionSource,
  origin: Origin,
): void {
  changes.add(newFact(candidate, source, reason), origin)
}

/** Makes a memory of a candidate, in the session of its last evidence. */
function newFact(candidate: Candidate, source: DecisionSource, reason: string | null = null): NewMemory {
  const { turns, sessionNumber, round } = source
  const ids = new Set(candidate.evidence.map((evidence) => evidence.turn))
  const turn = turns.findLast(({ id }) => ids.has(id)) ?? turns.at(-1)
  const setting = {
    session: turn?.session ?? source.session,
    sessionNumber,
    round,
    learnedAt: turn?.at ?? source.at ?? 0,
  }
  return memoryOf(candidate, setting, { reason, metadata: inheritMetadata(candidate.evidence, turns) })
}

/** Adds the round of a new statement. The preset of the paper MOOM computes the age of a memory from it. */
function withRoundOfNewStatement(change: MemoryChange, { round }: DecisionSource): MemoryChange {
  // Only a change that supersedes the statement sets both its text and its start.
  const isSuperseded = change.text !== undefined && change.validFrom !== undefined
  return isSuperseded ? { ...change, round } : change
}

/** Deletes a memory on request. Deletes also the utterance of the request, which repeats the memory's words. */
function deleteOnRequest(
  { changes, state }: DecisionTarget,
  id: string,
  request: readonly Evidence[],
  origin: Origin,
): void {
  const memory = changes.read(id)
  if (memory?.status !== 'live') return
  const utterances = request.flatMap(({ turn }) => state.utteranceOf(turn) ?? [])
  const deletion = { reason: ASKED_TO_FORGET, origin }
  for (const target of [memory, ...utterances])
    if (changes.read(target.id)?.status === 'live')
      deleteMemory(changes, target, deletion, (turn) => state.memoriesOfTurn(turn))
}
