// Drops from an extraction what rests on messages that were forgotten while the model read them.
import { findTerms } from '@keepsake/text'
import type { Evidence } from '../memories/evidence.ts'
import type { ExtractedSegment } from '../merge/merge-facts.ts'
import type { Turn } from '../turns/turn.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'
import { withoutTurns } from './add-segment-summary.ts'

/**
 * Returns an extraction without what rests on words that were forgotten while it was made: by its evidence, or by words
 * that nothing else has.
 *
 * @param left the turns that may be read now, with the words that are left of them
 */
export function dropForgotten(
  { state }: UnitOfWork,
  extracted: ExtractedSegment,
  left: readonly Turn[],
): ExtractedSegment {
  const { segment, extraction, grounded, related } = extracted
  const textOf = new Map(left.map(({ id, text }) => [id, text]))
  const changed = [...(segment.before ?? []), ...segment.turns].filter(
    ({ id, text }) => textOf.get(id) !== text,
  )
  const deleted = related.filter(({ id }) => state.memories.get(id)?.status === 'deleted')
  if (changed.length + deleted.length === 0) return extracted
  const ids = new Set(changed.map(({ id }) => id))
  const known = related.filter((memory) => !deleted.includes(memory))
  const termsOf = (...said: readonly { readonly text: string }[]): Set<string> =>
    new Set(said.flatMap(({ text }) => findTerms(text)))
  const lost = termsOf(...changed, ...deleted).difference(termsOf(...left, ...known))
  const holds = (given: { readonly text?: string; readonly evidence: readonly Evidence[] }): boolean =>
    given.evidence.every(
      ({ turn, quote }) => !ids.has(turn) || textOf.get(turn)?.includes(quote ?? ' ') === true,
    ) && termsOf({ text: given.text ?? '' }).isDisjointFrom(lost)
  const { summary = null, requests } = extraction
  return {
    ...extracted,
    segment: { ...segment, turns: left.filter(({ id }) => segment.turns.some((turn) => turn.id === id)) },
    extraction: {
      ...extraction,
      requests: requests.filter(({ evidence }) => holds({ evidence: [evidence] })),
      summary: summary === null ? null : withoutTurns(summary, changed),
    },
    grounded: {
      candidates: grounded.candidates.filter(({ candidate }) => holds(candidate)),
      operations: grounded.operations.filter(({ operation }) =>
        holds(operation.kind === 'delete' ? operation : operation.candidate),
      ),
    },
  }
}
