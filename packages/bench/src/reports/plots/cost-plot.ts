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

/** The main score of a system: the first of these that the runs have. */
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

/** Score against tokens, and against time; a plot for each judge, as their verdicts do not compare. */
export function costPlots(runs: readonly NamedRun[]): PlotBlock[] {
  const figures = runs.flatMap(({ run }) => run.summary.figures).filter(({ slice }) => slice === ALL)
  const scored = SCORES.find(([task, metric]) => figures.some((figure) => isOf(figure, task, metric)))
  if (scored === undefined) return []
  const [task, metric] = scored
  const judges = new Set(figures.filter((figure) => isOf(figure, task, metric)).map(({ judge }) => judge))
  const costs = (['tokens', 'milliseconds'] as const).flatMap((unit) => {
    const own = figures.filter((figure) => figure.task === 'cost' && figure.unit === unit)
    const isSpent = (spent: string): boolean =>
      own.some((one) => one.metric === spent && (one.value ?? 0) > 0)
    return inOrder(
      'cost',
      own.map((one) => one.metric),
    )
      .filter(isSpent)
      .slice(0, 1)
  })
  return costs.flatMap((cost) =>
    [...judges].flatMap((judge) => {
      const points = runs.flatMap(({ run, name }): Point[] => {
        const all = run.summary.figures.filter(({ slice }) => slice === ALL)
        const x = all.find((figure) => figure.task === 'cost' && figure.metric === cost)?.value ?? null
        const y = all.find((figure) => figure.judge === judge && isOf(figure, task, metric))?.value ?? null
        return x === null || y === null ? [] : [{ name, x, y }]
      })
      const unit = figures.find((figure) => figure.task === 'cost' && figure.metric === cost)?.unit ?? 'count'
      const by = judge === null ? '' : `, judge: ${judge}`
      const title = `${taskTitle(task)} ${metricWords(task, metric).label} %${by} (upwards) against ${metricWords('cost', cost).label} (rightwards)`
      return points.length < 2 ? [] : [costPlot(title, points, unit)]
    }),
  )
}

function isOf(figure: Figure, task: Figure['task'], metric: string): boolean {
  return figure.task === task && figure.metric === metric
}

function costPlot(title: string, points: readonly Point[], unit: Figure['unit']): PlotBlock {
  const costs = points.map(({ x }) => x)
  const [least, most] = [Math.min(...costs.filter((cost) => cost > 0)), Math.max(...costs)]
  const isLog = most / least >= SPREAD_FOR_LOG
  // To the quarter above the best: systems that are all poor would lie on one line.
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
          // A symmetric logarithm can show a cost of zero.
          x: { domain: [0, 1.06 * most || 1], type: isLog ? 'symlog' : 'linear', format: '~s' },
          y: { domain: [0, top], format: '.0%' },
        },
      ),
  }
}
