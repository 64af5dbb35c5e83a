import { ChangedFacts, type FactLookup } from '../facts/fact-lookup.ts'
import type { Candidate } from '../memories/candidate.ts'
import type { Segment } from '../extraction/extractor.ts'
import type { ChangeSet } from '../memories/change-set.ts'
import type { Memory } from '../memories/memory.ts'
import { originOf, type ScopeView } from '../work/scope-view.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'
import { carryOut, quarantine } from './carry-out.ts'
import type { ExtractedSegment } from './drawn.ts'
import { mergeByKey } from './merge-by-key.ts'

/** Maps the facts that a change set touches to their current state; `null` for those no longer live. */
export function factsChanged({ changes }: { readonly changes?: ChangeSet }): Map<string, Memory | null> {
  const facts = (changes?.memories ?? []).filter(({ form }) => form === 'fact')
  return new Map(facts.map((fact) => [fact.id, fact.status === 'live' ? fact : null]))
}

/** Reads the live facts of a scope with the change set applied. */
export function knownFacts(view: ScopeView & { readonly changes?: ChangeSet }): FactLookup<Memory> {
  return new ChangedFacts(view.state.facts(view.row.scope), factsChanged(view))
}

/** Merges grounded candidates with the known facts; quarantines the others. */
export function mergeFacts(unit: UnitOfWork, drawn: ExtractedSegment): void {
  const { segment, extractor, grounded, mergeComplex, isAlike } = drawn
  const { engine } = unit
  const origin = originOf(engine, extractor.id, extractor.prompt)
  const { candidates } = grounded
  for (const one of candidates) if (one.reason !== null) quarantine(unit, one, segment, origin)
  const believed = candidates.flatMap(({ candidate, reason }) => (reason === null ? [candidate] : []))
  if (believed.length === 0) return
  const decisions = mergeByKey(knownFacts(unit), believed, {
    table: engine.preset.keyTable,
    isAlike,
    keepsMatters: extractor.tellsMatters === true,
    statedAt: (candidate) => statedAt(candidate, segment),
    ...(mergeComplex === null ? {} : { mergeComplex }),
  })
  carryOut(unit, decisions, segment, origin)
}

function statedAt({ evidence, validFrom }: Candidate, { turns }: Segment): number {
  const ids = new Set(evidence.map(({ turn }) => turn))
  return Math.max(validFrom, ...turns.filter(({ id }) => ids.has(id)).map(({ at }) => at))
}
