import { metricWords } from '../../results/metric-words.ts'
import type { FigureColumn, FigureRow } from '../figure-table.ts'
import { formatValue } from '../format-figure.ts'
import type { PlotBlock } from '../report-document.ts'
import { drawXy, type Scale, type Series } from './xy-plot.ts'

const CAPACITY = /^capacity:(\d+)$/
/** Capacities are drawn on a logarithmic scale when the largest is so many times the smallest. */
const SPREAD_FOR_LOG = 8
const MOST_TICKS = 5

/** A line a policy: one metric against how much may be held. */
export function capacityPlot(rows: readonly FigureRow[], { task, metric }: FigureColumn): PlotBlock[] {
  const lines = rows.flatMap(({ run, label }): Series[] => {
    const points = run.summary.figures.flatMap((figure): [number, number][] => {
      const capacity = CAPACITY.exec(figure.slice)?.[1]
      const isOurs = figure.task === task && figure.metric === metric && capacity !== undefined
      return isOurs && figure.value !== null ? [[Number(capacity), figure.value]] : []
    })
    return points.length === 0 ? [] : [{ name: label, points: points.toSorted(([a], [b]) => a - b) }]
  })
  if (lines.length === 0) return []
  const said = lines.map(({ name, points }) => {
    const [first, last] = [points[0], points.at(-1)].map((point) =>
      point === undefined ? '' : `${formatValue(point[1], 'share')} % at ${point[0]}`,
    )
    return `${name} from ${first ?? ''} to ${last ?? ''}`
  })
  const title = `${metricWords(task, metric).label}, % (upwards) against capacity (rightwards)`
  return [
    {
      title,
      description: `Lines. ${title}. ${said.join('; ')}.`,
      draw: () => drawXy(lines, scalesOf(lines.flatMap(({ points }) => points))),
    },
  ]
}

function scalesOf(points: Series['points']): { readonly x: Scale; readonly y: Scale } {
  const capacities = [...new Set(points.map(([capacity]) => capacity))].toSorted((a, b) => a - b)
  const [least, most] = [capacities[0] ?? 1, capacities.at(-1) ?? 1]
  return {
    x: {
      type: least > 0 && most / least >= SPREAD_FOR_LOG ? 'log' : 'linear',
      domain: [least, least === most ? most + 1 : most],
      ticks: someOf(capacities),
      format: '~s',
    },
    y: { domain: [0, Math.max(...points.map(([, value]) => value), 0.05)], format: '.0%' },
  }
}

/** Ends and what lies about evenly between them: labels of all would lie over each other. */
function someOf(capacities: readonly number[]): number[] {
  const steps = Math.min(MOST_TICKS, capacities.length) - 1
  const at = (step: number): number => Math.round((step * (capacities.length - 1)) / Math.max(1, steps))
  return Array.from({ length: steps + 1 }, (_, step) => capacities[at(step)] ?? 0)
}
