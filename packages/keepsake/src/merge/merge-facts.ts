import type { Candidate } from '../memories/candidate.ts'
import type { Extractor, Segment } from '../extraction/extractor.ts'
import type { ChangeSet } from '../memories/change-set.ts'
import type { GroundingLabel, Memory, Origin } from '../memories/memory.ts'
import type { MemoryChange } from '../memories/operation.ts'
import {
  contradictionThreshold,
  mergeSnapshot,
  type MergeComplex,
  type MergeDecision,
} from './merge-snapshot.ts'
import { cosine } from '../models/cosine.ts'
import type { Engine } from '../work/engine.ts'
import type { GroundedCandidate } from '../extraction/grounding/grounded-extraction.ts'
import { memoryOf, type Place } from '../memories/make-memory.ts'
import { originOf } from '../work/moment.ts'
import type { OwnerCache } from '../work/owner-cache.ts'

/** A fact heard again and again keeps its latest turns as evidence; more prove nothing more. */
const MOST_EVIDENCE = 12

function placeOf(segment: Segment, candidate: Candidate): Place {
  const ids = new Set(candidate.evidence.map((evidence) => evidence.turn))
  const turn = segment.turns.findLast((one) => ids.has(one.id)) ?? segment.turns.at(-1)
  const { sessionNumber, round } = segment
  return { session: turn?.session ?? segment.session, sessionNumber, round, learnedAt: turn?.at ?? 0 }
}

/** Keeps a candidate that is not believed, with the reason, where it can be seen and released by hand. */
export function quarantine(
  changes: ChangeSet,
  segment: Segment,
  { candidate, label, reason }: GroundedCandidate,
  origin: Origin,
): void {
  changes.add(memoryOf(candidate, placeOf(segment, candidate), label, reason), origin)
}

/**
 * Applies what merging decided, in its order. Facts it added are named by their refs until they have ids.
 *
 * @param drop how a deletion is carried out, where it means more than that something is no longer so
 */
export function applyDecisions(
  changes: ChangeSet,
  segment: Segment,
  decisions: readonly MergeDecision[],
  labels: ReadonlyMap<Candidate, GroundingLabel>,
  origin: Origin,
  drop?: (memory: string) => void,
): void {
  const ids = new Map<string, string>()
  for (const decision of decisions) {
    if (decision.kind === 'add') {
      const { candidate } = decision
      const label = [...labels].find(([one]) => one.evidence === candidate.evidence)?.[1] ?? 'other'
      ids.set(decision.ref, changes.add(memoryOf(candidate, placeOf(segment, candidate), label), origin).id)
      continue
    }
    const id = ids.get(decision.memory) ?? decision.memory
    if (decision.kind === 'modify')
      changes.change('modify', id, withTelling(decision.change, labels, segment), origin)
    if (decision.kind === 'delete') {
      const after = { status: 'deleted', reason: decision.why, validUntil: decision.validUntil } as const
      if (drop === undefined) changes.change('delete', id, after, origin)
      else drop(id)
    }
    if (decision.kind === 'none' && decision.evidence.length > 0) {
      const evidence = [...(changes.read(id)?.evidence ?? []), ...decision.evidence].slice(-MOST_EVIDENCE)
      changes.change('modify', id, { evidence }, origin)
    }
  }
}

/** What takes a statement's place is somebody else's word, maybe, and as fresh in memory as its telling (MOOM's b). */
function withTelling(
  change: MemoryChange,
  labels: ReadonlyMap<Candidate, GroundingLabel>,
  segment: Segment,
): MemoryChange {
  if (change.text === undefined) return change
  const [candidate, label] = [...labels].find(([one]) => one.evidence === change.evidence) ?? []
  if (candidate === undefined || label === undefined) return change
  // When it was first known stays, for what was known then is asked about too.
  return { ...change, label, round: segment.round }
}

/** Live facts of the subjects, as this change set leaves them so far. */
export function knownFacts(
  cache: OwnerCache,
  changes: Pick<ChangeSet, 'read' | 'memories'> | null,
  scope: number,
  subjects: ReadonlySet<string>,
): Memory[] {
  const all = new Map([...cache.memories({ scopes: new Set([scope]) })].map((memory) => [memory.id, memory]))
  for (const memory of changes?.memories ?? []) all.set(memory.id, memory)
  return [...all.values()].filter(
    (memory) => memory.form === 'fact' && memory.status === 'live' && subjects.has(memory.subject),
  )
}

/** Merges candidates that are believed with what is known of their subjects; the others are quarantined. */
export function mergeFacts(
  engine: Engine,
  cache: OwnerCache,
  changes: ChangeSet,
  segment: Segment,
  candidates: readonly GroundedCandidate[],
  extractor: Extractor,
  mergeComplex: MergeComplex | null,
): void {
  const origin = originOf(engine, extractor.id, extractor.prompt)
  for (const one of candidates) if (one.reason !== null) quarantine(changes, segment, one, origin)
  const believed = candidates.filter(({ reason }) => reason === null)
  if (believed.length === 0) return
  const subjects = new Set(believed.map(({ candidate }) => candidate.subject))
  const decisions = mergeSnapshot(
    knownFacts(cache, changes, segment.scope, subjects),
    believed.map(({ candidate }) => candidate),
    {
      table: engine.preset.keyTable,
      similarity: (one, other) =>
        cosine(engine.wordVectors.embedNow(one), engine.wordVectors.embedNow(other)),
      threshold: contradictionThreshold(engine.wordVectors.id),
      ...(mergeComplex === null ? {} : { mergeComplex }),
    },
  )
  const labels = new Map(believed.map(({ candidate, label }) => [candidate, label]))
  applyDecisions(changes, segment, decisions, labels, origin)
}
