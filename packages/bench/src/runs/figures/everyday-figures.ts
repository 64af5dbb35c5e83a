import type { Figure } from '../../log/figure.ts'
import type { EverydayEntry } from '../../log/log-entry.ts'
import { meanMetric, shareMetric, type SumMetric } from '../../metrics/sum-metric.ts'
import { confidenceFigures } from './confidence-figures.ts'
import { entriesOf, sliceBy, sumFigures, type Slice } from './make-figures.ts'
import { tabulate, type CountedTask } from './count-task.ts'

/** Whether the evidence (the turns that answer) was found. */
const EVIDENCE: readonly SumMetric<EverydayEntry>[] = [
  shareMetric('evidence@4', ({ amongFirst, failure }) => (failure === null ? amongFirst : false)),
  shareMetric('evidence@context', ({ inContext }) => inContext),
]

/** Whether the system knows that an answer exists. Also for both kinds of questions apart, because “always yes” is right for every answerable one. */
const KNOWN: readonly SumMetric<EverydayEntry>[] = [
  shareMetric('known', isKnownRight),
  shareMetric('known_said', (entry) => (entry.answerable ? isKnownRight(entry) : null)),
  shareMetric('known_unsaid', (entry) => (entry.answerable ? null : isKnownRight(entry))),
]

/** Reports whether `known` is right. A failed retrieval counts as wrong. `null`: the system does not say. */
function isKnownRight({ known, answerable, failure }: EverydayEntry): boolean | null {
  if (failure !== null) return false
  return known === null ? null : known === answerable
}

const TOKENS: readonly SumMetric<EverydayEntry>[] = [
  meanMetric('unknown_tokens', ({ answerable, contextTokens }) => (answerable ? null : contextTokens)),
  meanMetric('answerable_tokens', ({ answerable, contextTokens }) => (answerable ? contextTokens : null)),
]

/** Computes figures of questions in plain words: evidence found, answers known, confidence, tokens. Intervals resample questions, because talks are few. */
export const everyday: CountedTask = {
  figuresOf: (log, { seed }) => {
    const entries = byQuestion(entriesOf(log, 'everyday'))
    if (entries.length === 0) return []
    const kind = { task: 'everyday', judge: null } as const
    const [whole, ...languages] = sliceBy(entries, 'language', ({ language }) => language)
    const kinds = (['en', 'zh'] as const).flatMap((language) =>
      sliceBy(
        entries.filter((entry) => entry.language === language),
        language,
        ({ category }) => category,
      ).slice(1),
    )
    const slices: Slice<EverydayEntry>[] = [...(whole === undefined ? [] : [whole]), ...languages, ...kinds]
    return [
      ...sumFigures({ ...kind, unit: 'share' }, [...EVIDENCE, ...KNOWN], slices, seed),
      ...sumFigures({ ...kind, unit: 'tokens' }, TOKENS, slices, seed),
      ...slices.flatMap((slice) => confidenceOf(slice, seed)),
    ]
  },
  itemsOf: (log) => {
    const entries = byQuestion(entriesOf(log, 'everyday'))
    return tabulate('everyday', entries, ({ question }) => question, [...EVIDENCE, ...KNOWN, ...TOKENS])
  },
}

/** Makes each question a separate cluster, so that intervals resample questions. */
function byQuestion(entries: readonly EverydayEntry[]): EverydayEntry[] {
  return entries.map((entry) => ({ ...entry, person: `${entry.conversation}/${entry.question}` }))
}

function confidenceOf({ name: slice, entries }: Slice<EverydayEntry>, seed: number): Figure[] {
  return confidenceFigures('everyday', entries, seed).map((figure) => ({ ...figure, slice }))
}
