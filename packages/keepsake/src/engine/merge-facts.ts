import type { Candidate, Segment } from '../extraction/candidate.ts'
import { groundCandidate } from '../grounding/ground-candidate.ts'
import type { ChangeSet } from '../operations/change-set.ts'
import type { GroundingLabel, Memory } from '../operations/memory.ts'
import { contradictionThreshold, mergeSnapshot, type MergeDecision } from '../persona/merge-snapshot.ts'
import { cosine } from '../retrieval/cosine.ts'
import type { Engine } from './engine.ts'
import { memoryOf, type Place } from './make-memory.ts'
import { originOf } from './moment.ts'
import type { OwnerCache } from './owner-cache.ts'

/** A fact heard again and again keeps its latest turns as evidence; more prove nothing more. */
const MOST_EVIDENCE = 12

interface Grounded {
  readonly candidate: Candidate
  readonly label: GroundingLabel
  /** Why it is not believed; `null` when it is. */
  readonly reason: string | null
}

function ground(engine: Engine, segment: Segment, candidate: Candidate): Grounded {
  const result = groundCandidate(candidate, segment.turns)
  const doubted = result.outcome === 'quarantined' && engine.preset.grounding
  return { candidate, label: result.label, reason: doubted ? result.reason : null }
}

function placeOf(segment: Segment, candidate: Candidate): Place {
  const ids = new Set(candidate.evidence.map((evidence) => evidence.turn))
  const turn = segment.turns.findLast((one) => ids.has(one.id)) ?? segment.turns.at(-1)
  const { sessionNumber, round } = segment
  return { session: turn?.session ?? segment.session, sessionNumber, round, learnedAt: turn?.at ?? 0 }
}

/** Applies what merging decided, in its order. Facts it added are named by their refs until they have ids. */
function applyDecisions(
  engine: Engine,
  changes: ChangeSet,
  segment: Segment,
  decisions: readonly MergeDecision[],
  labels: ReadonlyMap<Candidate, GroundingLabel>,
  step: string,
): void {
  const ids = new Map<string, string>()
  const origin = originOf(engine, step)
  for (const decision of decisions) {
    if (decision.kind === 'add') {
      const { candidate } = decision
      const label = [...labels].find(([one]) => one.evidence === candidate.evidence)?.[1] ?? 'other'
      ids.set(decision.ref, changes.add(memoryOf(candidate, placeOf(segment, candidate), label), origin).id)
      continue
    }
    const id = ids.get(decision.memory) ?? decision.memory
    if (decision.kind === 'modify') changes.change('modify', id, decision.change, origin)
    if (decision.kind === 'delete') {
      const after = { status: 'deleted', reason: decision.why, validUntil: decision.validUntil } as const
      changes.change('delete', id, after, origin)
    }
    if (decision.kind === 'none' && decision.evidence.length > 0) {
      const evidence = [...(changes.read(id)?.evidence ?? []), ...decision.evidence].slice(-MOST_EVIDENCE)
      changes.change('modify', id, { evidence }, origin)
    }
  }
}

/** Grounds candidates and merges those that are believed with what is known of their subjects; the others are quarantined. */
export function mergeFacts(
  engine: Engine,
  cache: OwnerCache,
  changes: ChangeSet,
  segment: Segment,
  candidates: readonly Candidate[],
  step: string,
): void {
  const grounded = candidates.map((candidate) => ground(engine, segment, candidate))
  for (const { candidate, label, reason } of grounded) {
    if (reason !== null)
      changes.add(memoryOf(candidate, placeOf(segment, candidate), label, reason), originOf(engine, step))
  }
  const believed = grounded.filter(({ reason }) => reason === null)
  if (believed.length === 0) return
  const subjects = new Set(believed.map(({ candidate }) => candidate.subject))
  const known = [...cache.memories({ scopes: new Set([segment.scope]) })].filter(
    (memory): memory is Memory =>
      memory.form === 'fact' && memory.status === 'live' && subjects.has(memory.subject),
  )
  const decisions = mergeSnapshot(
    known,
    believed.map(({ candidate }) => candidate),
    {
      table: engine.preset.keyTable,
      similarity: (one, other) =>
        cosine(engine.wordVectors.embedNow(one), engine.wordVectors.embedNow(other)),
      threshold: contradictionThreshold(engine.wordVectors.id),
    },
  )
  const labels = new Map(believed.map(({ candidate, label }) => [candidate, label]))
  applyDecisions(engine, changes, segment, decisions, labels, step)
}
