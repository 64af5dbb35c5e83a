import { comedy } from '../../comedy/comedy.ts'
import type { FigureTask } from '../../log/figure.ts'
import { findFigure } from '../../results/plain-figures.ts'
import type { PublishedUnit, HereFigure, Reproduction } from '../registry/paper.ts'
import { measuredOf } from './by-run.ts'
import { hereFigure } from './here-figure.ts'
import { runForLog } from './run-for-log.ts'

interface Cell {
  readonly task: FigureTask
  readonly metric: string
  readonly column: string
  readonly unit: PublishedUnit
  /** Precedes the system's name in the row: `Task 1: `. */
  readonly part?: string
}

const WRITTEN = {
  'BLEU-1': 'bleu1',
  'BLEU-2': 'bleu2',
  F1: 'f1',
  'Distinct-1': 'distinct1',
  'Distinct-2': 'distinct2',
} as const
const PARTS = { 'Task 1: ': 'session-memory', 'Task 2: ': 'compression' } as const

const writtenCells = Object.entries(PARTS).flatMap(([part, task]) =>
  Object.entries(WRITTEN).map(([column, metric]): Cell => ({ task, metric, column, unit: 'percent', part })),
)
const scoreCells = ['Coherence', 'Consistency', 'Memorability', 'Engagingness', 'Humanness', 'Average'].map(
  (column): Cell => ({ task: 'replies', metric: column.toLowerCase(), column, unit: 'score' }),
)
const rankCells: readonly Cell[] = [
  { task: 'reply-ranks', metric: 'top1', column: 'Top@1', unit: 'percent' },
  { task: 'reply-ranks', metric: 'top3', column: 'Top@3', unit: 'percent' },
  { task: 'reply-ranks', metric: 'rank', column: 'Avg.R', unit: 'score' },
]

/** The paper's rows of an untuned hosted model. */
const ROWS: Readonly<Record<string, string>> = {
  comedy: 'COMEDY-GPT4',
  'comedy-retrieval': 'Retrieval: GPT4',
  'memory-bank': 'MemoryBank-ChatGPT',
  resum: 'Resum-ChatGPT',
  'context-only': 'Context-only: ChatGPT (8k token)',
  'context-only-2k': 'Context-only: LLaMA 2-13B',
}

/** COMEDY's Table 2: session memories and compressions against the annotated ones; the paper's model was tuned for them. */
export const writtenOnDolphin = onDolphin(writtenCells, ['comedy'])
/** COMEDY's Table 3, by a judge model. */
export const scoredOnDolphin = onDolphin(scoreCells)
/** COMEDY's Table 4, by a judge model. */
export const rankedOnDolphin = onDolphin(rankCells)

function onDolphin(cells: readonly Cell[], system?: readonly 'comedy'[]): Reproduction['measure'] {
  return async ({ path, model = '', embedding, judge, limit }, context) => {
    const systems = system === undefined ? {} : { system: [...system] }
    const runs = await runForLog(comedy, { path, model, embedding, judge, limit, ...systems }, context)
    const summaries = runs.flatMap((one) => one.summaries)
    const figures = summaries.flatMap(({ system: name, figures: own }) =>
      cells.flatMap(({ task, metric, column, unit, part = '' }): HereFigure[] => {
        const figure = findFigure(own, task, metric)
        const beside = part === '' ? (ROWS[name] ?? null) : `${part}COMEDY-13B`
        return figure === undefined
          ? []
          : [hereFigure({ row: `${part}${name}`, column, beside, unit }, figure)]
      }),
    )
    const measured = measuredOf(summaries)
    return { ...measured, size: runs.flatMap(({ log }) => log).length, figures }
  }
}
