import type { Figure, SystemFigures } from '../log/figure.ts'
import { meanMetric, shareMetric } from '../metrics/sum-metric.ts'
import { distinctN } from '../metrics/text/overlap.ts'
import { splitWords } from '../metrics/text/split-words.ts'
import { figure, sumFigures, wholeOf } from '../runs/figures/make-figures.ts'
import type { JudgedReply } from './judge-replies.ts'
import type { EpisodeRecord, WrittenText } from './measure-episode.ts'
import { DIMENSIONS, type Dimension } from './prompts/score-reply.ts'
import type { ReplierName } from './repliers.ts'

const SEED = 20_240_501
const TOP = [1, 3] as const

/** Computes the figures of Tables 2 to 4 of the COMEDY paper. Intervals are over episodes. */
export function comedyFigures(
  records: readonly EpisodeRecord[],
  systems: readonly ReplierName[],
  judge: string | null,
): SystemFigures[] {
  return systems.map((system) => {
    const isOfSystem = (item: { readonly system: ReplierName }): boolean => item.system === system
    const memories = records.flatMap((record) => record.memories.filter(isOfSystem))
    const portraits = records.flatMap((record) => record.portraits.filter(isOfSystem))
    const replies = records.flatMap((record) => record.replies.filter(isOfSystem))
    const judged = judge === null ? [] : [...scoreFigures(replies, judge), ...rankFigures(replies, judge)]
    return {
      system,
      figures: [
        ...writtenFigures('session-memory', memories),
        ...writtenFigures('compression', portraits),
        ...judged,
      ],
    }
  })
}

function writtenFigures(task: 'session-memory' | 'compression', texts: readonly WrittenText[]): Figure[] {
  if (texts.length === 0) return []
  const kind = { task, unit: 'share', judge: null } as const
  const metrics = (['bleu1', 'bleu2', 'f1'] as const).map((name) =>
    meanMetric<WrittenText>(name, (text) => text[name]),
  )
  const words = texts.map(({ text, language }) => splitWords(text, { language }))
  const distinct = ([1, 2] as const).map((size) =>
    figure(kind, { metric: `distinct${size}`, value: distinctN(words, size), count: texts.length }),
  )
  return [...sumFigures(kind, metrics, wholeOf(texts), SEED), ...distinct]
}

function scoreFigures(replies: readonly JudgedReply[], judge: string): Figure[] {
  const mean = (scores: Readonly<Record<Dimension, number>>): number =>
    DIMENSIONS.reduce((sum, name) => sum + scores[name], 0) / DIMENSIONS.length
  const metrics = [
    meanMetric<JudgedReply>('average', ({ scores }) => (scores === null ? null : mean(scores))),
    ...DIMENSIONS.map((name) => meanMetric<JudgedReply>(name, ({ scores }) => scores?.[name] ?? null)),
  ]
  return sumFigures({ task: 'replies', unit: 'score', judge }, metrics, wholeOf(replies), SEED)
}

function rankFigures(replies: readonly JudgedReply[], judge: string): Figure[] {
  const ranked = replies.filter(({ rank }) => rank !== null)
  if (ranked.length === 0) return []
  const kind = { task: 'reply-ranks', judge } as const
  const shares = TOP.map((maxRank) =>
    shareMetric<JudgedReply>(`top${maxRank}`, ({ rank }) => (rank === null ? null : rank <= maxRank)),
  )
  const meanRank = meanMetric<JudgedReply>('rank', ({ rank }) => rank)
  const slices = wholeOf(ranked)
  return [
    ...sumFigures({ ...kind, unit: 'share' }, shares, slices, SEED),
    ...sumFigures({ ...kind, unit: 'score' }, [meanRank], slices, SEED),
  ]
}
