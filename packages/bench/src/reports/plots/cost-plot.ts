import { ALL, type Figure } from '../../log/figure.ts'
import { inOrder, metricWords } from '../../results/metric-words.ts'
import { taskTitle } from '../../results/task-words.ts'
import { formatValue } from '../format-figure.ts'
import type { PlotBlock } from '../report-document.ts'
import type { NamedRun } from '../report-run.ts'
import { drawXy } from './draw-plot.ts'

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
const SPREAD_FOR_LOG = 20

/** Plots the main score against tokens, and against time. Each judge has plots of its own, as verdicts of two judges are not comparable. */
export function costPlots(runs: readonly NamedRun[]): PlotBlock[] {
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
  const isLog = highest / lowest >= SPREAD_FOR_LOG
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
