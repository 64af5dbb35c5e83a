import type { Figure } from '../../log/figure.ts'
import type { EverydayEntry } from '../../log/log-entry.ts'
import { meanMetric, shareMetric, type SumMetric } from '../../metrics/sum-metric.ts'
import { confidenceFigures } from './confidence-figures.ts'
import { entriesOf, sliceBy, sumFigures, type Slice } from './make-figures.ts'
import { tabulate, type CountedTask } from './count-task.ts'

/** Talks are few: questions are resampled singly, so that an interval is about these talks alone. */
type Asked = EverydayEntry

const RIGHT: readonly SumMetric<Asked>[] = [
  shareMetric('evidence@4', ({ amongFirst, failure }) => (failure === null ? amongFirst : false)),
  shareMetric('evidence@context', ({ inContext }) => inContext),
  shareMetric('known', ({ known, answerable, failure }) =>
    failure === null ? (known === null ? null : known === answerable) : false,
  ),
]

/** `known` separately for answerable and unanswerable questions, since always saying yes is right on the first. */
const EACH_WAY: readonly SumMetric<Asked>[] = [
  shareMetric('known_said', ({ known, answerable, failure }) =>
    answerable ? (failure === null ? known : false) : null,
  ),
  shareMetric('known_unsaid', ({ known, answerable, failure }) =>
    answerable ? null : failure === null ? isUnknown(known) : false,
  ),
]

const TOKENS: readonly SumMetric<Asked>[] = [
  meanMetric('unknown_tokens', ({ answerable, contextTokens }) => (answerable ? null : contextTokens)),
  meanMetric('answerable_tokens', ({ answerable, contextTokens }) => (answerable ? contextTokens : null)),
]

/**
 * Everyday talk: whether the whole answer is among the first four memories and in the context, over answerable questions; whether its
 * existence is known, over all; the separation by confidence; and context tokens. By language, and by kind within a language. Intervals are
 * by question.
 */
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
    const slices: Slice<Asked>[] = [...(whole === undefined ? [] : [whole]), ...languages, ...kinds]
    return [
      ...sumFigures({ ...kind, unit: 'share' }, [...RIGHT, ...EACH_WAY], slices, seed),
      ...sumFigures({ ...kind, unit: 'tokens' }, TOKENS, slices, seed),
      ...slices.flatMap((slice) => confidenceOf(slice, seed)),
    ]
  },
  itemsOf: (log) => {
    const entries = byQuestion(entriesOf(log, 'everyday'))
    return tabulate('everyday', entries, ({ question }) => question, [...RIGHT, ...EACH_WAY, ...TOKENS])
  },
}

/** `null` when the system does not say. */
function isUnknown(known: boolean | null): boolean | null {
  return known === null ? null : !known
}

function byQuestion(entries: readonly Asked[]): Asked[] {
  return entries.map((entry) => ({ ...entry, person: `${entry.conversation}/${entry.question}` }))
}

function confidenceOf({ name: slice, entries }: Slice<Asked>, seed: number): Figure[] {
  return confidenceFigures('everyday', entries, seed).map((figure) => ({ ...figure, slice }))
}
