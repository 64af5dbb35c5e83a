import { TASKS, type Figure, type FigureTask } from '../log/figure.ts'
import { metricWords } from '../results/metric-words.ts'
import { formatInterval, formatValue, NOTHING, whole } from './format-figure.ts'
import type { Cell, Column, ReportTable, Row } from './report-document.ts'
import type { ReportRun } from './report-run.ts'

export interface FigureColumn {
  readonly task: FigureTask
  readonly metric: string
  readonly group?: string
}

export interface FigureRow {
  readonly run: ReportRun
  readonly label: string
  readonly slice: string
  readonly group?: string
}

export interface FigureTableOptions {
  readonly caption: string
  readonly rows: readonly FigureRow[]
  readonly columns: readonly FigureColumn[]
  readonly judge: string | null
  /** Without intervals and counts, for a table whose figures are repeated in full below. Default: where the figures are plain numbers. */
  readonly isBrief?: boolean
  readonly isFolded?: boolean
  readonly notes?: readonly string[]
}

const WHAT_CORRECT_HIDES =
  'C: where nothing was ever said, not to know is the right answer, so a system that never knows anything is right on all of those; abstention and the categories tell them apart.'
const WHAT_FMR_HIDES =
  'FMR: a system that stores nothing resists every false memory and scores 100 %, so it says nothing without R beside it.'

/** A table of runs and metrics, under one judge: verdicts of two judges never share a column. */
export function figureTable(options: FigureTableOptions): ReportTable {
  const { rows, judge, isFolded = false } = options
  const columns = withRecallBesideFmr(options.columns)
  const { isBrief = columns.every(({ task, metric }) => metricWords(task, metric).unit !== null) } = options
  const figures = rows.map((row) => columns.map((column) => figureAt(row, column, judge)))
  const counts = isBrief ? rows.map(() => null) : figures.map(commonCount)
  const hasCounts = !isBrief && counts.every((count) => count !== null)
  const body = rows.map((row, r): Row => {
    const cells = columns.map((column, c) =>
      figureCell({ row, column, figures, r, c, isBrief, isCounted: !hasCounts }),
    )
    const count: Cell[] = hasCounts ? [{ text: whole(counts[r] ?? 0) }] : []
    return { cells: [{ text: row.label }, ...cells, ...count], ...groupOf(row) }
  })
  return {
    kind: 'table',
    caption: options.caption,
    columns: [
      { label: 'system', align: 'left' },
      ...columns.map((column, c) => headOf(column, figures, c)),
      ...(hasCounts ? [{ label: 'n', align: 'right' } as const] : []),
    ],
    rows: body,
    notes: [
      ...(options.notes ?? []),
      ...(columns.some(isAnsweredRightly) ? [WHAT_CORRECT_HIDES] : []),
      ...(columns.some(({ metric }) => isFmr(metric)) ? [WHAT_FMR_HIDES] : []),
    ],
    ...(isFolded ? { isFolded } : {}),
  }
}

/** The figure of a row in a column, if the run has it. */
export function figureAt(row: FigureRow, column: FigureColumn, judge: string | null): Figure | undefined {
  return row.run.summary.figures.find(
    (figure) =>
      figure.task === column.task &&
      figure.metric === column.metric &&
      figure.slice === row.slice &&
      figure.judge === judge,
  )
}

const isAnsweredRightly = ({ task, metric }: FigureColumn): boolean =>
  task === 'answering' && metric === 'correct'

export const isFmr = (metric: string): boolean => metric === 'fmr'

function withRecallBesideFmr(columns: readonly FigureColumn[]): readonly FigureColumn[] {
  const isRecall = ({ task, metric }: FigureColumn): boolean => task === 'extraction' && metric === 'recall'
  const fmr = columns.find(({ metric }) => isFmr(metric))
  return fmr === undefined || columns.some(isRecall) ? columns : [{ ...fmr, metric: 'recall' }, ...columns]
}

function groupOf(of: { readonly group?: string }): { readonly group?: string } {
  return of.group === undefined ? {} : { group: of.group }
}

/** The common count of a row's figures; `null` when they differ. */
function commonCount(figures: readonly (Figure | undefined)[]): number | null {
  const counts = new Set(figures.flatMap((figure) => (figure === undefined ? [] : [figure.count])))
  return counts.size > 1 ? null : ([...counts][0] ?? 0)
}

function headOf(
  column: FigureColumn,
  figures: readonly (readonly (Figure | undefined)[])[],
  c: number,
): Column {
  const { label, better } = metricWords(column.task, column.metric)
  const unit = figures.map((row) => row[c]).find((figure) => figure !== undefined)?.unit
  const arrow = better === null ? '' : better === 'high' ? ' ↑' : ' ↓'
  return { label: `${label}${unit === 'share' ? ' %' : ''}${arrow}`, align: 'right', ...groupOf(column) }
}

interface CellPlace {
  readonly row: FigureRow
  readonly column: FigureColumn
  readonly figures: readonly (readonly (Figure | undefined)[])[]
  readonly r: number
  readonly c: number
  readonly isBrief: boolean
  /** Whether the cell itself shows its count. */
  readonly isCounted: boolean
}

function figureCell(place: CellPlace): Cell {
  const figure = place.figures[place.r]?.[place.c]
  if (figure === undefined || figure.value === null)
    return { text: NOTHING, missing: whyMissing(place, figure) }
  const { value, unit, interval, count } = figure
  return {
    text: formatValue(value, unit),
    ...(interval === null || place.isBrief ? {} : { interval: formatInterval(interval, unit) }),
    ...(place.isCounted && !place.isBrief ? { count: whole(count) } : {}),
  }
}

function whyMissing({ row, column, figures, c }: CellPlace, figure: Figure | undefined): string {
  const { task, metric } = column
  if (metricWords(task, metric).unit !== null) return 'Not measured, or there is nothing to measure.'
  if (figure === undefined) {
    const isMeasured = !TASKS.some((one) => one === task) || row.run.summary.tasks.includes(task)
    return isMeasured
      ? 'The run has no such figure: the system shows too little for it (one that names no turns has no retrieval, one that lists no memories no extraction), or the data has none of it.'
      : 'The run did not measure this.'
  }
  if (metric === 'auroc') return 'The system gives no confidence, or the questions are all of one kind.'
  if (task === 'extraction' && extractedNothing(row)) return 'The system left no memory that could be judged.'
  const isCountedElsewhere = figures.some((others) => (others[c]?.count ?? 0) > 0)
  if (figure.count === 0 && !isCountedElsewhere) return 'The data has nothing to count here.'
  switch (task) {
    case 'extraction':
    case 'updating':
    case 'labels':
    case 'operations':
      return 'Unknown: the system does not list what it remembers, or nothing of it could be counted.'
    case 'retrieval':
      return 'Unknown: the system does not name the turns behind what it retrieves.'
    case 'cost':
      return 'The system does not say.'
    default:
      return 'There was nothing to count.'
  }
}

/** Whether its gold memories were searched for among no memories at all. */
function extractedNothing({ run, slice }: FigureRow): boolean {
  const valueOf = (metric: string): Figure | undefined =>
    run.summary.figures.find((f) => f.task === 'extraction' && f.metric === metric && f.slice === slice)
  return valueOf('recall')?.value === 0 && (valueOf('accuracy')?.count ?? 0) === 0
}
