import { TASKS, type Figure, type FigureTask } from '../log/figure.ts'
import { metricWords } from '../results/metric-words.ts'
import { formatInterval, formatValue, NOTHING, formatCount } from './format-figure.ts'
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
  /** Whether intervals and counts are left out. Default: only if all figures are plain numbers with a fixed unit. */
  readonly isBrief?: boolean
  readonly isFolded?: boolean
  readonly notes?: readonly string[]
}

const NOTE_ON_CORRECT =
  'C: where nothing was ever said, not to know is the right answer, so a system that never knows anything is right on all of those; abstention and the categories tell them apart.'
const NOTE_ON_FMR =
  'FMR: a system that stores nothing resists every false memory and scores 100 %, so it says nothing without R beside it.'

/** Makes a table of runs (rows) and metrics (columns) under one judge. Verdicts of two judges never share a column. */
export function figureTable(options: FigureTableOptions): ReportTable {
  const { caption, rows, judge, isFolded = false } = options
  const columns = withRecallForFmr(options.columns)
  const { isBrief = columns.every(({ task, metric }) => metricWords(task, metric).unit !== null) } = options
  const figures = rows.map((row) => columns.map((column) => figureAt(row, column, judge)))
  const counts = isBrief ? rows.map(() => null) : figures.map(commonCount)
  // If each row has one count, it stands in a column of its own; if not, each cell shows its count.
  const hasCountColumn = !isBrief && counts.every((count) => count !== null)
  const tableRows = rows.map((row, r): Row => {
    const cells = columns.map((column, c) =>
      figureCell({ row, column, figures, r, c, isBrief, showsCount: !hasCountColumn }),
    )
    const count: Cell[] = hasCountColumn ? [{ text: formatCount(counts[r] ?? 0) }] : []
    return { cells: [{ text: row.label }, ...cells, ...count], ...groupOf(row) }
  })
  const heads: Column[] = [{ label: 'system', align: 'left' }]
  for (const [c, column] of columns.entries()) heads.push(headOf(column, figures, c))
  if (hasCountColumn) heads.push({ label: 'n', align: 'right' })
  const notes = [...(options.notes ?? [])]
  if (columns.some(isCorrectAnswers)) notes.push(NOTE_ON_CORRECT)
  if (columns.some(({ metric }) => isFmr(metric))) notes.push(NOTE_ON_FMR)
  return { kind: 'table', caption, columns: heads, rows: tableRows, notes, ...(isFolded ? { isFolded } : {}) }
}

export function figureAt(row: FigureRow, column: FigureColumn, judge: string | null): Figure | undefined {
  return row.run.summary.figures.find(
    (figure) =>
      figure.task === column.task &&
      figure.metric === column.metric &&
      figure.slice === row.slice &&
      figure.judge === judge,
  )
}

const isCorrectAnswers = ({ task, metric }: FigureColumn): boolean =>
  task === 'answering' && metric === 'correct'

/** Whether a metric is HaluMem's false-memory resistance, the share of false memories that a system did not store. */
export const isFmr = (metric: string): boolean => metric === 'fmr'

/** Adds recall to columns with FMR, because FMR alone rewards a system that stores nothing. */
function withRecallForFmr(columns: readonly FigureColumn[]): readonly FigureColumn[] {
  const isRecall = ({ task, metric }: FigureColumn): boolean => task === 'extraction' && metric === 'recall'
  const fmr = columns.find(({ metric }) => isFmr(metric))
  return fmr === undefined || columns.some(isRecall) ? columns : [{ ...fmr, metric: 'recall' }, ...columns]
}

function groupOf({ group }: { readonly group?: string }): { readonly group?: string } {
  return group === undefined ? {} : { group }
}

/** The count that all figures of a row share. `null` when they differ. */
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
  return {
    label: `${label}${unit === 'share' ? ' %' : ''}${ARROWS[better ?? 'neither']}`,
    align: 'right',
    ...groupOf(column),
  }
}

/** Shows whether high or low values are better. */
const ARROWS = { high: ' ↑', low: ' ↓', neither: '' } as const

interface CellPlace {
  readonly row: FigureRow
  readonly column: FigureColumn
  readonly figures: readonly (readonly (Figure | undefined)[])[]
  readonly r: number
  readonly c: number
  readonly isBrief: boolean
  readonly showsCount: boolean
}

function figureCell(place: CellPlace): Cell {
  const figure = place.figures[place.r]?.[place.c]
  if (figure === undefined || figure.value === null)
    return { text: NOTHING, missing: whyMissing(place, figure) }
  const { value, unit, interval, count } = figure
  return {
    text: formatValue(value, unit),
    ...(interval === null || place.isBrief ? {} : { interval: formatInterval(interval, unit) }),
    ...(place.showsCount && !place.isBrief ? { count: formatCount(count) } : {}),
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

/** Whether the system left no memory in which the gold memories, which the data expects, could be found. */
function extractedNothing({ run, slice }: FigureRow): boolean {
  const valueOf = (metric: string): Figure | undefined =>
    run.summary.figures.find((f) => f.task === 'extraction' && f.metric === metric && f.slice === slice)
  return valueOf('recall')?.value === 0 && (valueOf('accuracy')?.count ?? 0) === 0
}
