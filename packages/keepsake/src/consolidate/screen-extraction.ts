import type { Extraction } from '../extraction/extractor.ts'
import type { GroundedExtraction } from '../extraction/grounding/grounded-extraction.ts'
import type { Candidate } from '../memories/candidate.ts'
import type { AskModel } from '../models/ask-model.ts'
import { NEVER_KEPT } from '../guidelines/guidelines.ts'
import { findNever, sentencesToScreen, withoutSentences } from './screen-texts.ts'

interface CheckedExtraction {
  readonly extraction: Extraction
  readonly grounded: GroundedExtraction
}

/**
 * Withholds statements that fall under what is never kept. Each leaves an entry in quarantine, and so in the log: the line it falls under
 * and the turns it came from, and none of its words. The same sentences leave the summary.
 */
export async function screenExtraction(
  { extraction, grounded }: CheckedExtraction,
  never: readonly string[],
  ask: AskModel | null,
): Promise<CheckedExtraction> {
  if (never.length === 0) return { extraction, grounded }
  const changed = grounded.operations.flatMap(({ operation }) =>
    operation.kind === 'delete' ? [] : [operation.candidate],
  )
  const all = [...grounded.candidates.map(({ candidate }) => candidate), ...changed]
  const summary = extraction.summary ?? null
  const sentences = sentencesToScreen(summary?.text ?? '')
  const found = await findNever([...all, ...sentences], never, ask)
  const lineOf = new Map(all.map((candidate, i) => [candidate, found[i] ?? null]))
  const dropped = sentences.flatMap((sentence, index) =>
    (found[all.length + index] ?? null) === null ? [] : [sentence.text],
  )
  const text = withoutSentences(summary?.text ?? '', new Set(dropped))
  const screened = <Statement extends { readonly reason: string | null }>(
    statement: Statement,
    candidate: Candidate,
    withBlank: (blank: Candidate) => Statement,
  ): Statement => {
    const line = lineOf.get(candidate) ?? null
    return line === null
      ? statement
      : { ...withBlank(blankOf(candidate, line)), reason: `${NEVER_KEPT} “${line}”` }
  }
  const texts = new Set(
    all.filter((candidate) => (lineOf.get(candidate) ?? null) !== null).map(({ text }) => text),
  )
  return {
    extraction: {
      ...extraction,
      ...(summary === null ? {} : { summary: text === '' ? null : { ...summary, text } }),
    },
    grounded: {
      candidates: grounded.candidates.map((grounding) =>
        screened(grounding, grounding.candidate, (candidate) => ({ ...grounding, candidate })),
      ),
      operations: grounded.operations.map((grounding) => {
        const { operation } = grounding
        if (operation.kind !== 'delete')
          return screened(grounding, operation.candidate, (candidate) => ({
            ...grounding,
            operation: { ...operation, candidate },
          }))
        // What it would have taken the place of stays.
        const isScreened = operation.successor !== undefined && texts.has(operation.successor.text)
        return isScreened ? { ...grounding, reason: NEVER_KEPT } : grounding
      }),
    },
  }
}

/** A statement without its words: what is left of it is where it came from. */
function blankOf(
  { form, evidence, validFrom, label, level, validUntil }: Candidate,
  line: string,
): Candidate {
  return {
    form,
    type: 'event',
    subject: 'user',
    text: `[not kept: ${line}]`,
    key: null,
    value: null,
    level,
    evidence: evidence.map(({ turn }) => ({ turn, quote: null })),
    validFrom,
    validUntil,
    signals: { arousal: null, surprise: null, importance: null },
    ...(label === undefined ? {} : { label }),
  }
}
