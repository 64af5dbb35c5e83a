// Replaces the facts of the stand-in extractor after a model has read their turns.
import type { Extractor, Segment } from '../extraction/extractor.ts'
import type { Candidate } from '../memories/candidate.ts'
import { BLANK, type Memory } from '../memories/memory.ts'
import type { ExtractedSegment } from '../merge/merge-facts.ts'
import { originOf } from '../work/scope-view.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'

type Fact = Pick<Memory, 'subject' | 'key' | 'value' | 'text'>

/**
 * Deletes the facts that the stand-in extractor found in the turns of a segment, because the model has read them now. Facts that the
 * application has changed since, for example by an edit, stay.
 *
 * @returns what these facts said at first
 */
export async function deleteFactsOfStandIn(
  unit: UnitOfWork,
  standIn: Extractor,
  { turns }: Segment,
): Promise<readonly Fact[]> {
  const { engine, state, row, changes } = unit
  const turnIds = new Set(turns.map(({ id }) => id))
  const facts = [...state.facts(row.scope).live()].filter(
    ({ origin, evidence }) => origin.step === standIn.id && evidence.every(({ turn }) => turnIds.has(turn)),
  )
  const changed: Fact[] = []
  for (const { id: memory } of facts) {
    const log = await engine.store.listOperations({ userId: row.owner, scopes: [row.scope], memory })
    if (log.some(({ origin }) => origin.step === 'api')) {
      changed.push(
        ...log.flatMap(({ kind, payload }) =>
          kind === 'add' && payload !== null ? { ...BLANK, ...payload.after } : [],
        ),
      )
      continue
    }
    changes.change(
      'delete',
      memory,
      { status: 'deleted', reason: 'a language model has read its turns since' },
      originOf(engine, standIn.id),
    )
  }
  return changed
}

/** Removes the statements that repeat what a changed fact said at first, so that they do not replace a correction. */
export function dropCorrected(extracted: ExtractedSegment, first: readonly Fact[]): ExtractedSegment {
  const isRepeat = ({ subject, key, value, text }: Candidate): boolean =>
    first.some(
      (fact) =>
        fact.subject === subject &&
        (fact.text === text || (key !== null && fact.key === key && fact.value === value)),
    )
  const candidates = extracted.grounded.candidates.filter(({ candidate }) => !isRepeat(candidate))
  return { ...extracted, grounded: { ...extracted.grounded, candidates } }
}
