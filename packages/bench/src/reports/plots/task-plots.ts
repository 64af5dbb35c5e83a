import { type Figure, ALL } from '../../log/figure.ts'
import { metricWords, inOrder } from '../../results/metric-words.ts'
import { taskTitle } from '../../results/task-words.ts'
import { figureAt, isFmr, type FigureColumn, type FigureRow } from '../figure-table.ts'
import { NOTHING, formatInterval, formatValue, formatCount } from '../format-figure.ts'
import type { PlotBlock } from '../report-document.ts'
import type { NamedRun } from '../report-run.ts'
import { drawRows, drawXy, type PlotRow, type Series } from './draw-plot.ts'

const CAPACITY = /^capacity:(\d+)$/
/** A logarithmic scale is used when the largest capacity is this many times the smallest. */
const SPREAD_FOR_LOG = 8

/** Plots a metric against the capacity, with one line for each forgetting policy. */
function capacityPlot(rows: readonly FigureRow[], { task, metric }: FigureColumn): PlotBlock[] {
  const lines = rows.flatMap(({ run, label }): Series[] => {
    const points = run.summary.figures.flatMap((figure): [number, number][] => {
      const capacity = CAPACITY.exec(figure.slice)?.[1]
      const isPlotted = figure.task === task && figure.metric === metric && capacity !== undefined
      return isPlotted && figure.value !== null ? [[Number(capacity), figure.value]] : []
    })
    return points.length === 0 ? [] : [{ name: label, points: points.toSorted(([a], [b]) => a - b) }]
  })
  if (lines.length === 0) return []
  const describePoint = (point: Series['points'][number] | undefined): string =>
    point === undefined ? '' : `${formatValue(point[1], 'share')} % at ${point[0]}`
  const sentences = lines.map(
    ({ name, points }) => `${name} from ${describePoint(points[0])} to ${describePoint(points.at(-1))}`,
  )
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
  const smallest = Math.min(...capacities)
  const largest = Math.max(...capacities)
  const type = smallest > 0 && largest / smallest >= SPREAD_FOR_LOG ? 'log' : 'linear'
  const end = smallest === largest ? largest + 1 : largest
  return {
    x: { type, domain: [smallest, end], ticks: capacities, format: '~s' },
    y: { domain: [0, Math.max(...points.map(([, value]) => value), 0.05)], format: '.0%' },
  } as const
}

/** Makes the plots of a task, mostly a bar per system. False-memory resistance is drawn against recall, cost against the main score. */
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
      return [lostStepsPlot(rows, columns, judge)]
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

/** The range of bars: from zero, or a lower value, to the highest possible value (1 or 5) or the highest one measured. */
function domainOf(figures: readonly Figure[]): [number, number] {
  const ends = figures.flatMap(({ value, interval }) => [
    value ?? 0,
    interval?.low ?? value ?? 0,
    interval?.high ?? value ?? 0,
  ])
  const low = Math.min(0, ...ends)
  const high = Math.max(...ends)
  const areScores = figures.every(({ unit }) => unit === 'score')
  const areSharesOrScores = figures.every(({ unit }) => unit === 'share' || unit === 'score')
  if (areSharesOrScores && high <= 1) return [low, 1]
  return [low, areScores && high <= 5 ? 5 : high || 1]
}

const SHARES = { domain: [0, 1], format: '.0%' } as const

/** Plots false-memory resistance (FMR) against recall (R). */
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

/** Plots the wrong answers of each system as one bar, with a piece for each step that lost answers. */
function lostStepsPlot(
  rows: readonly FigureRow[],
  columns: readonly FigureColumn[],
  judge: string | null,
): PlotBlock {
  const labels = columns.map(({ task, metric }) => metricWords(task, metric).label)
  const bars = rows.map((row): PlotRow => {
    const figures = columns.map((column) => figureAt(row, column, judge))
    const pieces = figures.map((figure) => (figure?.value ?? 0) * (figure?.count ?? 0))
    const wrong = Math.max(...figures.map((figure) => figure?.count ?? 0))
    return { name: row.label, text: formatCount(wrong), pieces, interval: null }
  })
  const sentences = bars.map(({ name, pieces }) => {
    const parts = pieces.flatMap((count, index) =>
      count > 0 ? [`${labels[index] ?? ''} ${formatCount(count)}`] : [],
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

interface Point {
  readonly name: string
  readonly x: number
  readonly y: number
}

/** Metrics that can be the main score of systems. The first that the runs have is drawn. */
const SCORES: readonly (readonly [task: Figure['task'], metric: string])[] = [
  ['answering', 'correct'],
  ['extraction', 'f1'],
  ['probes', 'accuracy'],
  ['operations', 'type'],
  ['retrieval', 'recall@10'],
  ['retrieval', 'hit@5'],
  ['labels', 'rougeL'],
]
/** A logarithmic scale is used when the highest cost is this many times the lowest. */
const COST_SPREAD_FOR_LOG = 20

/** Plots the main score against tokens, and against time. Each judge has plots of its own, as verdicts of two judges are not comparable. */
function costPlots(runs: readonly NamedRun[]): PlotBlock[] {
  const figures = runs.flatMap(({ run }) => run.summary.figures).filter(({ slice }) => slice === ALL)
  const score = SCORES.find(([task, metric]) => figures.some((figure) => isOf(figure, task, metric)))
  if (score === undefined) return []
  const [task, metric] = score
  const judges = new Set(figures.filter((figure) => isOf(figure, task, metric)).map(({ judge }) => judge))
  const plots: PlotBlock[] = []
  for (const unit of ['tokens', 'milliseconds'] as const) {
    const cost = mainCost(figures, unit)
    if (cost === undefined) continue
    for (const judge of judges) {
      const points = runs.flatMap(({ run, name }): Point[] => {
        const all = run.summary.figures.filter(({ slice }) => slice === ALL)
        const x = all.find((figure) => isOf(figure, 'cost', cost))?.value ?? null
        const y = all.find((figure) => figure.judge === judge && isOf(figure, task, metric))?.value ?? null
        return x === null || y === null ? [] : [{ name, x, y }]
      })
      const by = judge === null ? '' : `, judge: ${judge}`
      const title = `${taskTitle(task)} ${metricWords(task, metric).label} %${by} (upwards) against ${metricWords('cost', cost).label} (rightwards)`
      if (points.length > 1) plots.push(costPlot(title, points, unit))
    }
  }
  return plots
}

/** The first cost of a unit, in the order of tables, that is above zero in any run. */
function mainCost(figures: readonly Figure[], unit: Figure['unit']): string | undefined {
  const costs = figures.filter((figure) => figure.task === 'cost' && figure.unit === unit)
  const spent = new Set(costs.filter(({ value }) => (value ?? 0) > 0).map(({ metric }) => metric))
  const metricNames = costs.map(({ metric }) => metric)
  return inOrder('cost', metricNames).find((metric) => spent.has(metric))
}

function isOf(figure: Figure, task: Figure['task'], metric: string): boolean {
  return figure.task === task && figure.metric === metric
}

function costPlot(title: string, points: readonly Point[], unit: Figure['unit']): PlotBlock {
  const costs = points.map(({ x }) => x)
  const lowest = Math.min(...costs.filter((cost) => cost > 0))
  const highest = Math.max(...costs)
  const isLog = highest / lowest >= COST_SPREAD_FOR_LOG
  // The scale ends at the next quarter above the best score. On a scale to 1, poor systems would lie on one line.
  const top = Math.min(1, Math.ceil(4.2 * Math.max(...points.map(({ y }) => y), 0.01)) / 4)
  const full = `${title}${unit === 'milliseconds' ? ', ms' : ''}${isLog ? ', logarithmic' : ''}`
  const values = points.map(
    ({ name, x, y }) => `${name} ${formatValue(x, unit)}, ${formatValue(y, 'share')} %`,
  )
  return {
    title: full,
    description: `Points. ${full}. ${values.join('; ')}.`,
    draw: () =>
      drawXy(
        points.map(({ name, x, y }) => ({ name, points: [[x, y]] })),
        {
          // A symmetric logarithm can show a cost of zero. 6 % more than the highest cost keep its point off the edge.
          x: { domain: [0, 1.06 * highest || 1], type: isLog ? 'symlog' : 'linear', format: '~s' },
          y: { domain: [0, top], format: '.0%' },
        },
      ),
  }
}
