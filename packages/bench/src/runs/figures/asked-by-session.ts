import type { Figure } from '../../log/figure.ts'
import type { AnswerEntry } from '../../log/log-entry.ts'
import { outcomeOf } from '../../metrics/log-metrics.ts'
import { ratioMetric, type SumMetric } from '../../metrics/sum-metric.ts'
import { harmonicMean } from '../../metrics/text/overlap.ts'
import { sliceBy, sumFigures, wholeOf } from './make-figures.ts'

/** A category of a question that is asked after each session: after which, and about which. */
const ASKED = /^S(\d+) Q\d+$/

const isRight = (entry: AnswerEntry): number => Number(outcomeOf(entry) === 'correct')
const isGiven = (entry: AnswerEntry): number => Number(outcomeOf(entry) !== 'omitted')

/** LUFY's table 11: of the answers given those that are right, of the questions those that are answered rightly, and F1. */
const METRICS: readonly SumMetric<AnswerEntry>[] = [
  ratioMetric('precision', (entry) => [isRight(entry), isGiven(entry)]),
  ratioMetric('recall', (entry) => [isRight(entry), 1]),
  {
    name: 'f1',
    add: (entry) => [isRight(entry), isGiven(entry), 1],
    of: ([right = 0, given = 0, all = 0]) => harmonicMean(given === 0 ? 0 : right / given, right / all),
  },
]

/** Figures of questions that are asked anew after each session: over all, after each (table 11), and by what they are about (tables 16 to 18). */
export function askedBySession(
  entries: readonly AnswerEntry[],
  { judge, seed }: { readonly judge: string | null; readonly seed: number },
): Figure[] {
  const own = entries.filter(({ category }) => ASKED.test(category))
  const after = sliceBy(own, 'after', ({ category }) => `s${ASKED.exec(category)?.[1] ?? ''}`)
  const parts = sliceBy(own, 'category', ({ category }) => category).slice(wholeOf(own).length)
  const kind = { task: 'answering', unit: 'share', judge } as const
  return own.length === 0 ? [] : sumFigures(kind, METRICS, [...after, ...parts], seed)
}
