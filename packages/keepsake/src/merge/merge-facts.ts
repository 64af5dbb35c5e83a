import type { ChangeSet } from '../memories/change-set.ts'
import type { Memory } from '../memories/memory.ts'
import { memoriesOf, originOf, type ScopeView } from '../work/scope-view.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'
import { carryOut, quarantine } from './carry-out.ts'
import type { Drawn } from './drawn.ts'
import { mergeByKey } from './merge-by-key.ts'

/** Live facts of the subjects, as the changes leave them so far. */
export function knownFacts(
  view: ScopeView & { readonly changes?: ChangeSet },
  subjects: ReadonlySet<string>,
): Memory[] {
  const all = new Map(memoriesOf(view).map((memory) => [memory.id, memory]))
  for (const memory of view.changes?.memories ?? []) all.set(memory.id, memory)
  return [...all.values()].filter(
    (memory) => memory.form === 'fact' && memory.status === 'live' && subjects.has(memory.subject),
  )
}

/** Merges candidates that are believed with what is known of their subjects; the others are quarantined. */
export function mergeFacts(unit: UnitOfWork, drawn: Drawn): void {
  const { segment, extractor, grounded, mergeComplex, isAlike } = drawn
  const { engine } = unit
  const origin = originOf(engine, extractor.id, extractor.prompt)
  const { candidates } = grounded
  for (const one of candidates) if (one.reason !== null) quarantine(unit, one, segment, origin)
  const believed = candidates.flatMap(({ candidate, reason }) => (reason === null ? [candidate] : []))
  if (believed.length === 0) return
  const known = knownFacts(unit, new Set(believed.map(({ subject }) => subject)))
  const decisions = mergeByKey(known, believed, {
    table: engine.preset.keyTable,
    isAlike,
    keepsMatters: extractor.tellsMatters === true,
    ...(mergeComplex === null ? {} : { mergeComplex }),
  })
  carryOut(unit, decisions, segment, origin)
}
