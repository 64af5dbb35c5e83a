import { TASKS, type Figure, type FigureTask } from '../log/figure.ts'
import { metricWords } from '../results/metric-words.ts'
import { formatInterval, formatValue, NOTHING, formatCount } from './format-figure.ts'
import type { Cell, Column, ReportTable, Row } from './report-document.ts'
import type { ReportRun } from './report-run.ts'

/** A column of a table: one metric of a task. */
export interface FigureColumn {
  readonly task: FigureTask
  readonly metric: string
  /** A heading that adjacent columns share. */
  readonly group?: string
}

/** A row of a table: one run, over all items or a slice of them. */
export interface FigureRow {
  readonly run: ReportRun
  readonly label: string
  readonly slice: string
  /** A heading that adjacent rows share. */
  readonly group?: string
}

export interface FigureTableOptions {
  readonly caption: string
  readonly rows: readonly FigureRow[]
  readonly columns: readonly FigureColumn[]
  readonly judge: string | null
  /** Whether the table has no intervals and counts. Default: only if all figures are plain numbers with a fixed unit. */
  readonly isBrief?: boolean
  readonly isFolded?: boolean
  readonly notes?: readonly string[]
}

const NOTE_ON_CORRECT =
  'C: for questions whose answer was never said, “I don’t know” is correct. A system that always answers this is correct on all of them. Abstention and the categories show the difference.'
const NOTE_ON_FMR =
  'FMR: a system that stores nothing resists every false memory and scores 100 %. Read FMR only together with R.'

/** Whether high or low values are better, as an arrow. */
const ARROWS = { high: ' ↑', low: ' ↓', neither: '' } as const

/** Makes a table of runs (rows) and metrics (columns) under one judge. Verdicts of two judges never share a column. */
export function figureTable(options: FigureTableOptions): ReportTable {
  const { caption, rows, judge, isFolded = false, notes = [] } = options
  const columns = withRecallForFmr(options.columns)
  const isPlain = columns.every(({ task, metric }) => metricWords(task, metric).unit !== null)
  const { isBrief = isPlain } = options
  const figures = rows.map((row) => columns.map((column) => figureAt(row, column, judge)))
  const figuresOfColumns = columns.map((_, place) => figures.map((figuresOfRow) => figuresOfRow[place]))
  // If all cells of each row have the same count, the table has a column of counts. Otherwise each cell shows its count.
  const counts = isBrief ? null : countsOfRows(figures)
  const showsCounts = !isBrief && counts === null

  const tableRows = rows.map((row, rowIndex): Row => {
    const cells = columns.map((column, place): Cell => {
      const figure = figures[rowIndex]?.[place]
      return figure === undefined || figure.value === null
        ? { text: NOTHING, missing: whyMissing(row, column, figure, figuresOfColumns[place] ?? []) }
        : figureCell({ ...figure, value: figure.value }, isBrief, showsCounts)
    })
    const countCells = counts === null ? [] : [{ text: formatCount(counts[rowIndex] ?? 0) }]
    return { cells: [{ text: row.label }, ...cells, ...countCells], ...groupOf(row) }
  })
  const heads: Column[] = [{ label: 'system', align: 'left' }]
  for (const [place, column] of columns.entries()) heads.push(headOf(column, figuresOfColumns[place] ?? []))
  if (counts !== null) heads.push({ label: 'n', align: 'right' })
  return {
    kind: 'table',
    caption,
    columns: heads,
    rows: tableRows,
    notes: [...notes, ...notesOn(columns)],
    ...(isFolded ? { isFolded } : {}),
  }
}

function figureAt(row: FigureRow, column: FigureColumn, judge: string | null): Figure | undefined {
  return row.run.summary.figures.find(
    (figure) =>
      figure.task === column.task &&
      figure.metric === column.metric &&
      figure.slice === row.slice &&
      figure.judge === judge,
  )
}

/** Reports whether a metric is HaluMem's false-memory resistance, the share of false memories that a system did not store. */
function isFmr({ metric }: FigureColumn): boolean {
  return metric === 'fmr'
}

/** Adds recall to columns with FMR, because FMR alone rewards a system that stores nothing. */
function withRecallForFmr(columns: readonly FigureColumn[]): readonly FigureColumn[] {
  const isRecall = ({ task, metric }: FigureColumn): boolean => task === 'extraction' && metric === 'recall'
  const fmr = columns.find(isFmr)
  return fmr === undefined || columns.some(isRecall) ? columns : [{ ...fmr, metric: 'recall' }, ...columns]
}

function notesOn(columns: readonly FigureColumn[]): string[] {
  const isCorrectAnswers = ({ task, metric }: FigureColumn): boolean =>
    task === 'answering' && metric === 'correct'
  const notes: string[] = []
  if (columns.some(isCorrectAnswers)) notes.push(NOTE_ON_CORRECT)
  if (columns.some(isFmr)) notes.push(NOTE_ON_FMR)
  return notes
}

function groupOf({ group }: { readonly group?: string }): { readonly group?: string } {
  return group === undefined ? {} : { group }
}

/** Returns the count of each row, which all figures of the row share. `null`: the figures of some row have different counts. */
function countsOfRows(figures: readonly (readonly (Figure | undefined)[])[]): number[] | null {
  const countsOfRows = figures.map((row) => [...new Set(row.flatMap((figure) => figure?.count ?? []))])
  if (countsOfRows.some((counts) => counts.length > 1)) return null
  return countsOfRows.map(([count = 0]) => count)
}

function headOf(column: FigureColumn, figures: readonly (Figure | undefined)[]): Column {
  const { label, better } = metricWords(column.task, column.metric)
  const unit = figures.find((figure) => figure !== undefined)?.unit
  const percent = unit === 'share' ? ' %' : ''
  return { label: `${label}${percent}${ARROWS[better ?? 'neither']}`, align: 'right', ...groupOf(column) }
}

function figureCell(
  { value, unit, interval, count }: Figure & { readonly value: number },
  isBrief: boolean,
  showsCount: boolean,
): Cell {
  return {
    text: formatValue(value, unit),
    ...(interval !== null && !isBrief && { interval: formatInterval(interval, unit) }),
    ...(showsCount && { count: formatCount(count) }),
  }
}

/** Explains why a cell has no value. @param figuresOfColumn the figures of all rows in its column */
function whyMissing(
  row: FigureRow,
  { task, metric }: FigureColumn,
  figure: Figure | undefined,
  figuresOfColumn: readonly (Figure | undefined)[],
): string {
  if (metricWords(task, metric).unit !== null) return 'Not measured, or there is nothing to measure.'
  if (figure === undefined) {
    const isRunTask = TASKS.some((runTask) => runTask === task)
    return isRunTask && !row.run.summary.tasks.includes(task)
      ? 'The run did not measure this.'
      : 'The run has no such figure: the data has no case of it, or the system shows too little. A system that names no turns has no retrieval; a system that lists no memories has no extraction.'
  }
  if (metric === 'auroc') return 'The system reports no confidence, or all questions are of one kind.'
  if (task === 'extraction' && extractedNothing(row)) return 'The system has no memory that could be judged.'
  const isCountedElsewhere = figuresOfColumn.some((other) => (other?.count ?? 0) > 0)
  if (figure.count === 0 && !isCountedElsewhere) return 'The data has nothing to count here.'
  switch (task) {
    case 'extraction':
    case 'updating':
    case 'labels':
    case 'operations':
      return 'Unknown: the system does not list its memories, or none of them could be counted.'
    case 'retrieval':
      return 'Unknown: the system does not name the turns of the memories that it retrieves.'
    case 'cost':
      return 'The system does not report it.'
    default:
      return 'There was nothing to count.'
  }
}

/** Reports whether the system left no memory that could contain the gold memories, which the data expects. */
function extractedNothing({ run, slice }: FigureRow): boolean {
  const figureOf = (metric: string): Figure | undefined =>
    run.summary.figures.find((f) => f.task === 'extraction' && f.metric === metric && f.slice === slice)
  return figureOf('recall')?.value === 0 && (figureOf('accuracy')?.count ?? 0) === 0
}
