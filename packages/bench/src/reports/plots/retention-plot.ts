import { formatValue } from '../format-figure.ts'
import type { PlotBlock } from '../report-document.ts'
import type { RetentionReport } from '../report-run.ts'
import { drawPlot, HUES, PLOT_WIDTH, type UnitSpec } from './draw-plot.ts'
import { fitName, spreadLabels } from './fit-text.ts'

const MARGINS = { left: 36, right: 116, top: 10, bottom: 24 }
const HEIGHT = 190
const NAME_COLUMNS = 14
const LABEL_GAP = 15
/** Capacities are drawn on a logarithmic scale when the largest is so many times the smallest. */
const SPREAD_FOR_LOG = 8
const DASHES = [
  [1, 0],
  [5, 3],
  [1.5, 2.5],
] as const

interface LinePoint {
  readonly line: number
  readonly capacity: number
  readonly value: number
}

/** A line a policy: one metric against how much may be held. */
export function retentionPlot(report: RetentionReport, metric: string): PlotBlock {
  const curves = report.capacityCurves.map(({ policy, points }, line) => ({
    policy,
    points: points.flatMap((point): LinePoint[] => {
      const value = point[metric]
      return typeof value === 'number' ? [{ line, capacity: point.capacity, value }] : []
    }),
  }))
  const said = curves.flatMap(({ policy, points }) => {
    const [first, last] = [points[0], points.at(-1)]
    if (first === undefined || last === undefined) return []
    const percent = ({ value, capacity }: LinePoint): string =>
      `${formatValue(value, 'share')} % at ${capacity}`
    return [`${policy} from ${percent(first)} to ${percent(last)}`]
  })
  const title = `${metric.replaceAll('_', ' ')} on ${report.dataset}, % (upwards) against capacity (rightwards)`
  return { title, description: `Lines. ${title}. ${said.join('; ')}.`, draw: () => draw(curves) }
}

async function draw(
  curves: readonly { readonly policy: string; readonly points: readonly LinePoint[] }[],
): Promise<string> {
  const width = PLOT_WIDTH - MARGINS.left - MARGINS.right
  const values = curves.flatMap(({ points }) => points)
  const capacities = [...new Set(values.map(({ capacity }) => capacity))].toSorted((a, b) => a - b)
  const [least, most] = [capacities[0] ?? 1, capacities.at(-1) ?? 1]
  const top = Math.max(...values.map(({ value }) => value), 0.05)
  const shown = curves.filter(({ points }) => points.length > 0)
  const places = spreadLabels(
    shown.map(({ points }) => HEIGHT * (1 - (points.at(-1)?.value ?? 0) / top)),
    LABEL_GAP,
    0,
    HEIGHT,
  )
  const labels = shown.map(({ policy, points }, index) => ({
    line: points[0]?.line,
    name: nameOf(policy, points[0]?.line ?? 0),
    capacity: most,
    value: top * (1 - (places[index] ?? 0) / HEIGHT),
  }))
  const isLog = least > 0 && most / least >= SPREAD_FOR_LOG
  const x = {
    field: 'capacity',
    type: 'quantitative',
    scale: { type: isLog ? 'log' : 'linear', domain: [least, least === most ? most + 1 : most], nice: false },
    axis: { values: someOf(capacities), format: '~s', labelOverlap: true },
  }
  const y = {
    field: 'value',
    type: 'quantitative',
    scale: { domain: [0, top], nice: false },
    axis: { tickCount: 4, format: '.0%' },
  }
  return drawPlot(layersOf(values, labels, x, y, curves.length), { width, height: HEIGHT, margins: MARGINS })
}

/** Where hues come round again lines are dashed, and their names say so. */
function nameOf(policy: string, line: number): string {
  return line < HUES.length ? fitName(policy, NAME_COLUMNS) : `${fitName(policy, NAME_COLUMNS - 2)} ┄`
}

function layersOf(values: unknown, labels: unknown, x: UnitSpec, y: UnitSpec, lines: number): UnitSpec[] {
  const domain = Array.from({ length: lines }, (_, line) => line)
  const color = { field: 'line', type: 'nominal', scale: { domain, range: HUES }, legend: null }
  const strokeDash = {
    field: 'line',
    type: 'nominal',
    scale: { domain, range: domain.map((line) => DASHES[Math.floor(line / HUES.length) % DASHES.length]) },
    legend: null,
  }
  return [
    {
      data: { values },
      mark: { type: 'line', strokeWidth: 2, strokeJoin: 'round' },
      encoding: { x, y, color, strokeDash },
    },
    {
      data: { values },
      mark: { type: 'point', filled: true, size: 18, opacity: 1 },
      encoding: { x, y, color },
    },
    {
      data: { values: labels },
      mark: { type: 'text', align: 'left', baseline: 'middle', dx: 8, fontSize: 11, fontWeight: 600 },
      encoding: { x, y, color, text: { field: 'name' } },
    },
  ]
}

/** Ends and what lies about evenly between them: labels of all would lie over each other. */
function someOf(capacities: readonly number[]): number[] {
  const most = 5
  if (capacities.length <= most) return [...capacities]
  return Array.from(
    { length: most },
    (_, step) => capacities[Math.round((step * (capacities.length - 1)) / (most - 1))] ?? 0,
  )
}
