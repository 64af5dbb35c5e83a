import type { Figure } from '../../runs/figure.ts'
import { formatValue } from '../format-figure.ts'
import { inOrder, metricWords, TASK_TITLES } from '../metric-words.ts'
import type { PlotBlock } from '../report-document.ts'
import type { NamedRun } from '../task-sections.ts'
import { drawScatter, type Point, type Scale } from './scatter-plot.ts'

/** The one figure that stands for how good a system is: the first of these that the runs have. */
const SCORES: readonly (readonly [task: Figure['task'], label: string])[] = [
  ['answering', 'C'],
  ['extraction', 'F1'],
  ['probes', 'right'],
  ['operations', 'type'],
  ['retrieval', 'recall@10'],
  ['retrieval', 'hit@5'],
  ['labels', 'ROUGE-L'],
]
/** A cost is drawn on a logarithmic scale when the dearest is so many times the cheapest. */
const SPREAD_FOR_LOG = 20

/** Score against tokens, and against time; a plot for each judge, as their verdicts do not compare. */
export function costPlots(runs: readonly NamedRun[]): PlotBlock[] {
  const figures = runs.flatMap(({ run }) => run.summary.figures).filter(({ slice }) => slice === 'all')
  const scored = SCORES.find(([task, label]) => figures.some((figure) => isCalled(figure, task, label)))
  if (scored === undefined) return []
  const [task, label] = scored
  const judges = new Set(figures.filter((figure) => isCalled(figure, task, label)).map(({ judge }) => judge))
  const costs = (['tokens', 'milliseconds'] as const).flatMap((unit) => {
    const own = figures.filter((figure) => figure.task === 'cost' && figure.unit === unit)
    const isSpent = (metric: string): boolean =>
      own.some((one) => one.metric === metric && (one.value ?? 0) > 0)
    return inOrder(
      'cost',
      own.map(({ metric }) => metric),
    )
      .filter(isSpent)
      .slice(0, 1)
  })
  return costs.flatMap((cost) =>
    [...judges].flatMap((judge) => {
      const points = runs.flatMap(({ run, name }): Point[] => {
        const all = run.summary.figures.filter(({ slice }) => slice === 'all')
        const x = all.find((figure) => figure.task === 'cost' && figure.metric === cost)?.value ?? null
        const y = all.find((figure) => figure.judge === judge && isCalled(figure, task, label))?.value ?? null
        return x === null || y === null ? [] : [{ name, x, y }]
      })
      const unit = figures.find((figure) => figure.task === 'cost' && figure.metric === cost)?.unit ?? 'count'
      const by = judge === null ? '' : `, judge: ${judge}`
      const title = `${TASK_TITLES[task]} ${label} %${by} (upwards) against ${metricWords('cost', cost).label} (rightwards)`
      return points.length < 2 ? [] : [costPlot(title, points, unit)]
    }),
  )
}

function isCalled(figure: Figure, task: Figure['task'], label: string): boolean {
  return figure.task === task && metricWords(task, figure.metric).label === label
}

function costPlot(title: string, points: readonly Point[], unit: Figure['unit']): PlotBlock {
  const said = points.map(({ name, x, y }) => `${name} ${formatValue(x, unit)}, ${formatValue(y, 'share')} %`)
  const { place, scale, isLog } = costScale(
    points.map(({ x }) => x),
    unit,
  )
  // To the quarter above the best: systems that are all poor would lie on one line.
  const top = Math.min(1, Math.ceil(4.2 * Math.max(...points.map(({ y }) => y), 0.01)) / 4)
  const full = isLog ? `${title}, logarithmic` : title
  return {
    title: full,
    description: `Points. ${full}. ${said.join('; ')}.`,
    draw: () =>
      drawScatter(
        points.map((point) => ({ ...point, x: place(point.x) })),
        { x: scale, y: { domain: [0, top], format: '.0%' } },
      ),
  }
}

/** Where a cost stands: on powers of ten when costs lie far apart, with nought, which has no logarithm, at the left. */
function costScale(
  costs: readonly number[],
  unit: Figure['unit'],
): {
  readonly place: (cost: number) => number
  readonly scale: Scale
  readonly isLog: boolean
} {
  const above = costs.filter((cost) => cost > 0)
  const most = Math.max(...above, 0)
  const least = Math.min(...above, most)
  if (most === 0 || most / least < SPREAD_FOR_LOG) {
    return {
      place: (cost) => cost,
      scale: { domain: [0, 1.06 * most || 1], labelExpr: shortNumber('datum.value', unit) },
      isLog: false,
    }
  }
  const low = Math.floor(Math.log10(least))
  const high = Math.ceil(Math.log10(most))
  const nought = low - 1
  const hasNought = above.length < costs.length
  const decades = Array.from({ length: high - low + 1 }, (_, step) => low + step)
  const every = Math.ceil(decades.length / 4)
  return {
    place: (cost) => (cost > 0 ? Math.log10(cost) : nought),
    scale: {
      domain: [hasNought ? nought - 0.2 : low - 0.1, high + 0.1],
      ticks: [...(hasNought ? [nought] : []), ...decades.filter((_, step) => step % every === 0)],
      labelExpr: `datum.value < ${low - 0.5} ? '0' : ${shortNumber('pow(10, datum.value)', unit)}`,
    },
    isLog: true,
  }
}

/** `20k`, `1.5M`; times in seconds and their parts: `10µs`, `1.5s`. */
function shortNumber(expression: string, unit: Figure['unit']): string {
  return unit === 'milliseconds'
    ? `format((${expression}) / 1000, '~s') + 's'`
    : `format(${expression}, '~s')`
}
