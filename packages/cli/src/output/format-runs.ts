import type { Figure, FinishedRun } from '@keepsake/bench'
import type { Io } from '../io.ts'
import { print, table } from './print.ts'
import { styleFor } from './style.ts'

/** What a run is known by, a figure a line; the rest is in its report. */
const HEADLINES: readonly (readonly [task: Figure['task'], metric: string, words: string])[] = [
  ['retrieval', 'hit@5', 'evidence in the first five'],
  ['retrieval', 'recall@10', 'evidence found in the first ten'],
  ['extraction', 'recall', 'gold memories held'],
  ['extraction', 'f1', 'F1 of extraction'],
  ['extraction', 'fmr', 'false memories resisted'],
  ['updating', 'correct', 'updates made'],
  ['answering', 'correct', 'answers right'],
  ['answering', 'hallucinated', 'answers made up'],
  ['answering', 'token_f1', 'words shared with the reference'],
  ['probes', 'accuracy', 'probes right'],
  ['operations', 'type', 'operation types right'],
  ['operations', 'index_where_any', 'operation indices right'],
  ['operations', 'content_where_any', 'operation contents right'],
  ['labels', 'mem_score', 'MemScore'],
  ['labels', 'bertscore', 'labels matched by a memory'],
  ['cost', 'calls', 'model calls a conversation'],
  ['cost', 'retrieve_ms_p50', 'retrieval, median'],
]

/** The main figures of runs side by side, each with who judged it, and where the whole is. */
export function showRuns(io: Io, runs: readonly FinishedRun[]): void {
  const style = styleFor(io)
  const rows = HEADLINES.flatMap(([task, metric, words]) => {
    const found = runs.map(({ summary }) => findFigure(summary.figures, task, metric))
    const judge = found.find((figure) => figure !== undefined)?.judge
    if (judge === undefined || found.every((figure) => (figure?.value ?? null) === null)) return []
    return [[`${task}: ${words}`, ...found.map(show), judge ?? 'computed']]
  })
  const names = runs.map(({ summary }) => summary.system)
  const [first] = runs
  print(
    io,
    style.bold(
      first === undefined ? '' : `${first.summary.dataset}, ${first.summary.conversations} conversations`,
    ),
    table(
      ['', ...names, 'judge'],
      rows,
      names.map((_, index) => index + 1),
    ),
    ...runs.flatMap(({ summary }) =>
      summary.failures === 0
        ? []
        : [`${summary.system}: ${summary.failures} failures, which count as wrong.`],
    ),
    style.dim('95 % intervals, parts and wrong answers:'),
    `  keepsake bench report ${runs.map(({ folder }) => folder).join(' ')} --out report`,
  )
}

function findFigure(figures: readonly Figure[], task: string, metric: string): Figure | undefined {
  return figures.find((figure) => figure.task === task && figure.metric === metric && figure.slice === 'all')
}

function show(figure: Figure | undefined): string {
  if (figure === undefined || figure.value === null) return '–'
  const { value, unit } = figure
  switch (unit) {
    case 'share':
      return `${(value * 100).toFixed(1)} %`
    case 'milliseconds':
      return `${value.toFixed(value < 10 ? 2 : 0)} ms`
    case 'score':
      return value.toFixed(2)
    case 'count':
    case 'tokens':
    case 'bytes':
      return value.toFixed(0)
  }
}
