import type { Figure } from '../log/figure.ts'
import type { RetrievalEntry } from '../log/log-entry.ts'
import { bootstrapInterval } from '../metrics/bootstrap-interval.ts'

const METRICS = ['hit@5', 'mrr'] as const

interface Pair {
  readonly person: string
  readonly difference: number
}

/** How much better the same questions do in Chinese than in English, with the interval over people. */
export function languageFigures(entries: readonly RetrievalEntry[]): Figure[] {
  const isEnglish = ({ conversation }: RetrievalEntry): boolean => conversation.startsWith('en/')
  const english = new Map(entries.filter(isEnglish).map((entry) => [keyOf(entry), entry]))
  const chinese = entries.filter((entry) => !isEnglish(entry))
  return METRICS.map((metric): Figure => {
    const pairs = chinese.flatMap((entry): Pair[] => {
      const [own, other] = [entry.scores?.[metric], english.get(keyOf(entry))?.scores?.[metric]]
      return own === undefined || other === undefined
        ? []
        : [{ person: entry.person, difference: own - other }]
    })
    const mean = (pooled: readonly Pair[]): number =>
      pooled.reduce((sum, { difference }) => sum + difference, 0) / pooled.length
    const clusters = [...Map.groupBy(pairs, ({ person }) => person).values()]
    return {
      task: 'retrieval',
      metric,
      slice: 'difference:cn − en',
      value: pairs.length === 0 ? null : mean(pairs),
      interval: pairs.length === 0 ? null : bootstrapInterval(clusters, mean, { seed: 1 }),
      count: pairs.length,
      unit: 'share',
      judge: null,
    }
  })
}

function keyOf({ person, question }: RetrievalEntry): string {
  return JSON.stringify([person, question])
}
