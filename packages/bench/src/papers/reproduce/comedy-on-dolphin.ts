// Measures Tables 2 to 4 of the COMEDY paper by the benchmark `comedy`, on a file in the form of the paper's data, Dolphin.
import { comedy } from '../../comedy/comedy.ts'
import type { MeasuredFigure, Reproduction } from '../registry/paper.ts'
import type { RunSummary } from '../../results/run-summary.ts'
import { cellsOf, figuresOf, summariseRuns } from './by-run.ts'
import { runForLog } from './run-for-log.ts'

/** The rows of the paper with which systems compare: those of hosted models that were not tuned. */
const ROWS: Readonly<Record<string, string>> = {
  comedy: 'COMEDY-GPT4',
  'comedy-retrieval': 'Retrieval: GPT4',
  'memory-bank': 'MemoryBank-ChatGPT',
  resum: 'Resum-ChatGPT',
  'context-only': 'Context-only: ChatGPT (8k token)',
  'context-only-2k': 'Context-only: LLaMA 2-13B',
}
const paperRow = (system: string): string | null => ROWS[system] ?? null

/** The columns of Table 2: how near written texts are to the annotated ones, and how varied their words are. */
const WRITTEN = {
  'BLEU-1': 'bleu1',
  'BLEU-2': 'bleu2',
  F1: 'f1',
  'Distinct-1': 'distinct1',
  'Distinct-2': 'distinct2',
}

/** Makes the figures of Table 2. Each of its two tasks has its own row. */
function writtenFigures(summary: RunSummary): MeasuredFigure[] {
  return (['session-memory', 'compression'] as const).flatMap((task, index) =>
    figuresOf({ cells: cellsOf(task, 'percent', WRITTEN), paperRow: () => 'COMEDY-13B' }, summary).map(
      (figure) => ({
        ...figure,
        row: `Task ${index + 1}: ${figure.row}`,
        paperRow: `Task ${index + 1}: ${figure.paperRow}`,
      }),
    ),
  )
}

/** Measures COMEDY's Table 2: written session memories and portraits against the annotated ones. The paper's model was tuned for them. */
export const writtenOnDolphin = onDolphin(writtenFigures, { system: ['comedy'], turns: 1 })

/** More turns than a test session has, so that all its replies are scored. */
const EACH_TURN = { turns: 1_000_000 }

const SCORES = cellsOf('replies', 'score', {
  Coherence: 'coherence',
  Consistency: 'consistency',
  Memorability: 'memorability',
  Engagingness: 'engagingness',
  Humanness: 'humanness',
  Average: 'average',
})
/** Measures COMEDY's Table 3: scores of replies by a judge model. */
export const scoredOnDolphin = onDolphin((summary) => figuresOf({ cells: SCORES, paperRow }, summary))

const RANKS = [
  ...cellsOf('reply-ranks', 'percent', { 'Top@1': 'top1', 'Top@3': 'top3' }),
  ...cellsOf('reply-ranks', 'score', { 'Avg.R': 'rank' }),
]
/** Measures COMEDY's Table 4: ranks of replies by a judge model. */
export const rankedOnDolphin = onDolphin((summary) => figuresOf({ cells: RANKS, paperRow }, summary))

function onDolphin(
  figuresOfSystem: (summary: RunSummary) => MeasuredFigure[],
  systems: { readonly system?: 'comedy'[]; readonly turns: number } = EACH_TURN,
): Reproduction['measure'] {
  return async ({ path, model = '', embedding, judge, limit }, context) => {
    const runs = await runForLog(comedy, { path, model, embedding, judge, limit, ...systems }, context)
    const summaries = runs.flatMap((one) => one.summaries)
    return {
      ...summariseRuns(summaries),
      size: runs.flatMap(({ log }) => log).length,
      figures: summaries.flatMap(figuresOfSystem),
    }
  }
}
