// Removes from an extraction the statements whose turns were forgotten while the model read them.
import { findTerms } from '@keepsake/text'
import type { Evidence } from '../memories/evidence.ts'
import type { ExtractedSegment } from '../merge/merge-facts.ts'
import type { Turn } from '../turns/turn.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'
import { withoutTurns } from './add-segment-summary.ts'

/**
 * Returns an extraction without the statements and requests that rest on forgotten words. A statement rests on them if it
 * has them as evidence, or contains a word that only they contain.
 *
 * @param readableNow the turns that may be read now, with their remaining words
 */
export function dropForgotten(
  { state }: UnitOfWork,
  extracted: ExtractedSegment,
  readableNow: readonly Turn[],
): ExtractedSegment {
  const { segment, extraction, grounded, related } = extracted
  const textOf = new Map(readableNow.map(({ id, text }) => [id, text]))
  const changed = [...(segment.before ?? []), ...segment.turns].filter(
    ({ id, text }) => textOf.get(id) !== text,
  )
  const deleted = related.filter(({ id }) => state.memories.get(id)?.status === 'deleted')
  if (changed.length + deleted.length === 0) return extracted
  const ids = new Set(changed.map(({ id }) => id))
  const remainingMemories = related.filter((memory) => !deleted.includes(memory))
  const termsOf = (...texts: readonly { readonly text: string }[]): Set<string> =>
    new Set(texts.flatMap(({ text }) => findTerms(text)))
  const forgottenTerms = termsOf(...changed, ...deleted).difference(
    termsOf(...readableNow, ...remainingMemories),
  )
  const isSupported = (item: { readonly text?: string; readonly evidence: readonly Evidence[] }): boolean =>
    item.evidence.every(
      ({ turn, quote }) => !ids.has(turn) || textOf.get(turn)?.includes(quote ?? ' ') === true,
    ) && termsOf({ text: item.text ?? '' }).isDisjointFrom(forgottenTerms)
  const { summary = null, requests } = extraction
  return {
    ...extracted,
    segment: {
      ...segment,
      turns: readableNow.filter(({ id }) => segment.turns.some((turn) => turn.id === id)),
    },
    extraction: {
      ...extraction,
      requests: requests.filter(({ evidence }) => isSupported({ evidence: [evidence] })),
      summary: summary === null ? null : withoutTurns(summary, changed),
    },
    grounded: {
      candidates: grounded.candidates.filter(({ candidate }) => isSupported(candidate)),
      operations: grounded.operations.filter(({ operation }) =>
        isSupported(operation.kind === 'delete' ? operation : operation.candidate),
      ),
    },
  }
}
