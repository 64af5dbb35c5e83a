import type { Figure } from '../runs/figure.ts'
import { TASKS, type TaskName } from '../runs/log-entry.ts'
import { figureTable, type FigureColumn, type FigureRow } from './figure-table.ts'
import { inOrder, metricWords, TASK_TITLES, type MetricWords } from './metric-words.ts'
import { figurePlots } from './plots/figure-plots.ts'
import type { Block, Section } from './report-document.ts'
import type { ReportRun } from './report-run.ts'

/** A run and what its rows are called: its label, with its letter where not all runs can be compared. */
export interface NamedRun {
  readonly run: ReportRun
  readonly name: string
}

const ALL = 'all'

/** A section for each task that any of the runs measured: all verdicts of a judge in tables of their own. */
export function taskSections(runs: readonly NamedRun[]): Section[] {
  return TASKS.flatMap((task) => {
    const blocks = judgesOf(runs, [task]).flatMap((judge) => judgedBlocks(runs, task, judge))
    return blocks.length === 0 ? [] : [{ id: task, title: TASK_TITLES[task], blocks }]
  })
}

/** All three of HaluMem's tasks in a row, as its paper prints them. */
export function overviewSection(runs: readonly NamedRun[]): Section[] {
  const isHaluMem = figuresOf(runs).some(({ task }) => task === 'extraction' || task === 'updating')
  if (!isHaluMem) return []
  const shown = ['extraction', 'updating', 'answering'] as const
  const blocks = judgesOf(runs, shown).flatMap((judge): Block[] => {
    if (judge === null) return []
    const columns = shown.flatMap((task) => OVERVIEW[task].flatMap(presentColumn(runs, task, judge)))
    if (!columns.some(({ task }) => task !== 'answering')) return []
    const rows = rowsOf(runs, ALL, shown, judge)
    return [
      figureTable({
        caption: `Extraction, updating and answering; judge: ${judge}`,
        rows,
        columns,
        judge,
        isBrief: true,
        notes: ['Intervals and what each figure is over stand in the tables of each step.'],
      }),
    ]
  })
  return blocks.length === 0 ? [] : [{ id: 'overview', title: 'Memory operations at a glance', blocks }]
}

const OVERVIEW = {
  extraction: ['recall', 'weighted_recall', 'target_precision', 'accuracy', 'fmr', 'f1'],
  updating: ['correct', 'hallucinated', 'omitted'],
  answering: ['correct', 'hallucinated', 'omitted'],
} as const

function presentColumn(runs: readonly NamedRun[], task: TaskName, judge: string) {
  const labels = new Map(
    figuresOf(runs)
      .filter((figure) => figure.task === task && figure.judge === judge && figure.slice === ALL)
      .map(({ metric }) => [metricWords(task, metric).label, metric]),
  )
  return (wanted: string): FigureColumn[] => {
    const metric = labels.get(metricWords(task, wanted).label)
    return metric === undefined ? [] : [{ task, metric, group: TASK_TITLES[task] }]
  }
}

function judgedBlocks(runs: readonly NamedRun[], task: TaskName, judge: string | null): Block[] {
  const figures = figuresOf(runs).filter((figure) => figure.task === task && figure.judge === judge)
  const title = TASK_TITLES[task]
  const by = judge === null ? 'computed, no judge' : `judge: ${judge}`
  const group = judge === null ? 'Computed, no judge' : `Judge: ${judge}`
  const metrics = inOrder(
    task,
    figures.map(({ metric }) => metric),
  )
  const columns = metrics.map((metric): FigureColumn => ({ task, metric, group }))
  const rankOf = ({ metric }: FigureColumn): MetricWords['rank'] => metricWords(task, metric).rank
  const isHeadline = (column: FigureColumn): boolean => rankOf(column) !== 'further'
  const headline = columns.some(isHeadline) ? columns.filter(isHeadline) : columns
  const drawn = columns.filter((column) => rankOf(column) === 'drawn')
  const further = columns.filter((column) => !headline.includes(column))
  const rows = rowsOf(runs, ALL, [task], judge)
  const blocks: Block[] = []
  if (rows.length > 0) {
    blocks.push(
      { kind: 'plots', plots: figurePlots(rows, drawn, judge) },
      figureTable({
        caption: `${title}, ${by}`,
        rows,
        columns: headline,
        judge,
        notes: aboutMetrics(headline),
      }),
    )
    if (further.length > 0) {
      blocks.push(
        figureTable({
          caption: `${title}, ${by}: further figures`,
          rows,
          columns: further,
          judge,
          isFolded: true,
          notes: aboutMetrics(further),
        }),
      )
    }
  }
  return [...blocks, ...sliceTables(runs, figures, headline, judge, `${title}, ${by}`)]
}

/** A table for each way of slicing: by category, by type. */
function sliceTables(
  runs: readonly NamedRun[],
  figures: readonly Figure[],
  columns: readonly FigureColumn[],
  judge: string | null,
  title: string,
): Block[] {
  const slices = [...new Set(figures.map(({ slice }) => slice))].filter((slice) => slice !== ALL)
  const kinds = Map.groupBy(slices, (slice) => slice.split(':', 1)[0] ?? slice)
  return [...kinds].map(([kind, own]) => {
    const used = columns.filter(({ metric }) =>
      figures.some((figure) => figure.metric === metric && own.includes(figure.slice)),
    )
    const others = inOrder(
      figures[0]?.task ?? 'answering',
      figures.filter(({ slice }) => own.includes(slice)).map(({ metric }) => metric),
    ).map((metric): FigureColumn => ({ ...columns[0], task: figures[0]?.task ?? 'answering', metric }))
    return figureTable({
      caption: `${title}, by ${kind.replaceAll(/[_-]/g, ' ')}`,
      rows: own.flatMap((slice) =>
        rowsOf(runs, slice, [figures[0]?.task ?? 'answering'], judge).map((row) => ({
          ...row,
          group: slice.slice(kind.length + 1) || slice,
        })),
      ),
      columns: used.length > 0 ? used : others,
      judge,
    })
  })
}

/** Rows of the runs that this judge judged: another judge's runs are in that judge's table. */
function rowsOf(
  runs: readonly NamedRun[],
  slice: string,
  tasks: readonly Figure['task'][],
  judge: string | null,
): FigureRow[] {
  return runs
    .filter(({ run }) =>
      run.summary.figures.some(
        (figure) => tasks.includes(figure.task) && figure.judge === judge && figure.slice === slice,
      ),
    )
    .map(({ run, name }) => ({ run, label: name, slice }))
}

function figuresOf(runs: readonly NamedRun[]): Figure[] {
  return runs.flatMap(({ run }) => run.summary.figures)
}

/** Judges first, in the order met; what was computed last. */
function judgesOf(runs: readonly NamedRun[], tasks: readonly Figure['task'][]): (string | null)[] {
  const judges = new Set(
    figuresOf(runs)
      .filter(({ task }) => tasks.includes(task))
      .map(({ judge }) => judge),
  )
  return [...judges].toSorted((a, b) => Number(a === null) - Number(b === null))
}

function aboutMetrics(columns: readonly FigureColumn[]): string[] {
  const told = columns.flatMap(({ task, metric }) => {
    const { label, about } = metricWords(task, metric)
    return about === '' ? [] : [`${label}: ${about}.`]
  })
  return told.length === 0 ? [] : [told.join(' ')]
}
