import type { Figure } from '../../log/figure.ts'
import { metricWords } from '../../results/metric-words.ts'
import { taskTitle } from '../../results/task-words.ts'
import { figureAt, isFmr, type FigureColumn, type FigureRow } from '../figure-table.ts'
import { NOTHING, formatInterval, formatValue, whole } from '../format-figure.ts'
import type { PlotBlock } from '../report-document.ts'
import type { NamedRun } from '../report-run.ts'
import { costPlots } from './cost-plot.ts'
import { drawRows, drawXy, type PlotRow, type Series } from './draw-plot.ts'

const CAPACITY = /^capacity:(\d+)$/
/** A logarithmic scale is used when the largest capacity is this many times the smallest. */
const SPREAD_FOR_LOG = 8

/** A line a policy: one metric against the capacity. */
function capacityPlot(rows: readonly FigureRow[], { task, metric }: FigureColumn): PlotBlock[] {
  const lines = rows.flatMap(({ run, label }): Series[] => {
    const points = run.summary.figures.flatMap((figure): [number, number][] => {
      const capacity = CAPACITY.exec(figure.slice)?.[1]
      const isOurs = figure.task === task && figure.metric === metric && capacity !== undefined
      return isOurs && figure.value !== null ? [[Number(capacity), figure.value]] : []
    })
    return points.length === 0 ? [] : [{ name: label, points: points.toSorted(([a], [b]) => a - b) }]
  })
  if (lines.length === 0) return []
  const sentences = lines.map(({ name, points }) => {
    const [first, last] = [points[0], points.at(-1)].map((point) =>
      point === undefined ? '' : `${formatValue(point[1], 'share')} % at ${point[0]}`,
    )
    return `${name} from ${first ?? ''} to ${last ?? ''}`
  })
  const title = `${metricWords(task, metric).label}, % (upwards) against capacity (rightwards)`
  return [
    {
      title,
      description: `Lines. ${title}. ${sentences.join('; ')}.`,
      draw: () => drawXy(lines, scalesOf(lines.flatMap(({ points }) => points))),
    },
  ]
}

function scalesOf(points: Series['points']) {
  const capacities = points.map(([capacity]) => capacity)
  const [least, most] = [Math.min(...capacities), Math.max(...capacities)]
  const type = least > 0 && most / least >= SPREAD_FOR_LOG ? 'log' : 'linear'
  return {
    x: { type, domain: [least, least === most ? most + 1 : most], ticks: capacities, format: '~s' },
    y: { domain: [0, Math.max(...points.map(([, value]) => value), 0.05)], format: '.0%' },
  } as const
}

/**
 * A task's plots: a small one for each metric, a bar a system. False-memory resistance is drawn against recall, since alone it would reward
 * an empty system. Forgetting is drawn over capacities, wrong answers in pieces by their lost step, and cost against score.
 *
 * @param columns of one task
 */
export function taskPlots(
  runs: readonly NamedRun[],
  rows: readonly FigureRow[],
  columns: readonly FigureColumn[],
  judge: string | null,
): PlotBlock[] {
  const [first] = columns
  if (first === undefined) return []
  switch (first.task) {
    case 'cost':
      return runs.length < 2 ? [] : costPlots(runs)
    case 'attribution':
      return [lostPlot(rows, columns, judge)]
    case 'capacity':
      return columns.flatMap((column) => capacityPlot(rows, column))
    default:
      return columns.flatMap((column) =>
        isFmr(column.metric) ? resistancePlot(rows, column, judge) : barsPlot(rows, column, judge),
      )
  }
}

function barsPlot(rows: readonly FigureRow[], column: FigureColumn, judge: string | null): PlotBlock[] {
  const figures = rows.map((row) => figureAt(row, column, judge))
  const measured = figures.flatMap((figure) =>
    figure === undefined || figure.value === null ? [] : [figure],
  )
  const unit = measured[0]?.unit
  if (unit === undefined) return []
  const bars = rows.map(({ label }, index): PlotRow => {
    const { value, interval } = figures[index] ?? { value: null, interval: null }
    return value === null
      ? { name: label, text: NOTHING, pieces: [], interval: null }
      : { name: label, text: formatValue(value, unit), pieces: [value], interval }
  })
  const title = `${metricWords(column.task, column.metric).label}${unit === 'share' ? ', %' : ''}`
  const sentences = bars.map(({ name, text, interval }) =>
    interval === null ? `${name} ${text}` : `${name} ${text} (${formatInterval(interval, unit)})`,
  )
  const scale = { domain: domainOf(measured), format: unit === 'share' ? '.0%' : '~s' }
  return [
    {
      title,
      description: `Bars. ${taskTitle(column.task)}: ${title}. ${sentences.join('; ')}.`,
      draw: () => drawRows(bars, scale),
    },
  ]
}

/** From zero, or the lowest value below it, to the maximum. */
function domainOf(figures: readonly Figure[]): [number, number] {
  const ends = figures.flatMap(({ value, interval }) => [
    value ?? 0,
    interval?.low ?? value ?? 0,
    interval?.high ?? value ?? 0,
  ])
  const low = Math.min(0, ...ends)
  const high = Math.max(...ends)
  const isUpToOne = figures.every(({ unit }) => unit === 'share' || unit === 'score') && high <= 1
  const isUpToFive = figures.every(({ unit }) => unit === 'score') && high <= 5
  return [low, isUpToOne ? 1 : isUpToFive ? 5 : high || 1]
}

const SHARES = { domain: [0, 1], format: '.0%' } as const

function resistancePlot(rows: readonly FigureRow[], column: FigureColumn, judge: string | null): PlotBlock[] {
  const points = rows.flatMap((row) => {
    const recall = figureAt(row, { ...column, metric: 'recall' }, judge)?.value ?? null
    const fmr = figureAt(row, column, judge)?.value ?? null
    return recall === null || fmr === null ? [] : [{ name: row.label, points: [[recall, fmr]] as const }]
  })
  if (points.length === 0) return []
  const percent = (share: number): string => `${formatValue(share, 'share')} %`
  const sentences = points.map(
    ({ name, points: [[recall, fmr]] }) => `${name} R ${percent(recall)}, FMR ${percent(fmr)}`,
  )
  return [
    {
      title: 'FMR (upwards) against R (rightwards), %',
      description: `Points. False-memory resistance against recall. ${sentences.join('; ')}.`,
      draw: () => drawXy(points, { x: SHARES, y: SHARES }),
    },
  ]
}

/** Each system's wrong answers as one bar, in pieces by the lost step. */
function lostPlot(
  rows: readonly FigureRow[],
  columns: readonly FigureColumn[],
  judge: string | null,
): PlotBlock {
  const labels = columns.map(({ task, metric }) => metricWords(task, metric).label)
  const bars = rows.map((row): PlotRow => {
    const figures = columns.map((column) => figureAt(row, column, judge))
    const pieces = figures.map((figure) => (figure?.value ?? 0) * (figure?.count ?? 0))
    const wrong = Math.max(...figures.map((figure) => figure?.count ?? 0))
    return { name: row.label, text: whole(wrong), pieces, interval: null }
  })
  const sentences = bars.map(({ name, pieces }) => {
    const parts = pieces.flatMap((count, index) =>
      count > 0 ? [`${labels[index] ?? ''} ${whole(count)}`] : [],
    )
    return `${name}: ${parts.join(', ') || 'none'}`
  })
  const title = `Wrong answers by the step that lost them; judge: ${judge ?? 'none'}`
  return {
    title,
    description: `Stacked bars. ${title}. ${sentences.join('; ')}.`,
    draw: () => drawRows(bars, { format: '~s', pieces: labels }),
  }
}
