import { drawPlot, HUES, INK, PLOT_WIDTH, type UnitSpec } from './draw-plot.ts'
import { fitName, spreadLabels } from './fit-text.ts'

/** A point with its name, or several that a line joins. */
export interface Series {
  readonly name: string
  /** Rightwards; at least one. */
  readonly points: readonly (readonly [x: number, y: number])[]
}

export interface Scale {
  readonly domain: readonly [low: number, high: number]
  /** Default `linear`. */
  readonly type?: 'linear' | 'log'
  /** Of its labels, in d3's notation; or an expression of Vega over `datum.value`. */
  readonly format?: string
  readonly labelExpr?: string
  readonly ticks?: readonly number[]
}

const MARGINS = { left: 40, right: 128, top: 10, bottom: 24 }
const HEIGHT = 190
const NAME_COLUMNS = 16
const LABEL_GAP = 15
/** Where hues come round again lines are dashed. */
const DASHES = [
  [1, 0],
  [5, 3],
  [1.5, 2.5],
] as const

/** Points and lines with their names in a column at the right, each led to by a thin line: names never lie over each other. */
export async function drawXy(
  series: readonly Series[],
  scales: { readonly x: Scale; readonly y: Scale },
): Promise<string> {
  const [low, high] = scales.y.domain
  const perUnit = HEIGHT / (high - low || 1)
  const ends = series.map(({ points }) => points.at(-1) ?? ([0, 0] as const))
  const places = spreadLabels(
    ends.map(([, y]) => (high - y) * perUnit),
    LABEL_GAP,
    0,
    Math.max(HEIGHT, LABEL_GAP * (series.length - 1)),
  )
  const labels = series.map(({ name, points }, line) => ({
    line,
    name: isDashed(line, points) ? `${fitName(name, NAME_COLUMNS - 2)} ┄` : fitName(name, NAME_COLUMNS),
    x: ends[line]?.[0],
    y: ends[line]?.[1],
    end: scales.x.domain[1],
    place: high - (places[line] ?? 0) / perUnit,
  }))
  const points = series.flatMap((one, line) =>
    one.points.map(([x, y]) => ({ line, x, y, isJoined: one.points.length > 1 })),
  )
  const width = PLOT_WIDTH - MARGINS.left - MARGINS.right
  return drawPlot(layersOf(points, labels, scales), { width, height: HEIGHT, margins: MARGINS })
}

function isDashed(line: number, points: Series['points']): boolean {
  return line >= HUES.length && points.length > 1
}

function layersOf(
  points: readonly { readonly line: number; readonly isJoined: boolean }[],
  labels: readonly { readonly line: number }[],
  scales: { readonly x: Scale; readonly y: Scale },
): UnitSpec[] {
  const x = channel('x', scales.x)
  const y = channel('y', scales.y)
  const domain = labels.map(({ line }) => line)
  const color = { field: 'line', type: 'nominal', scale: { domain, range: HUES }, legend: null }
  const dashes = domain.map((line) => DASHES[Math.floor(line / HUES.length) % DASHES.length])
  const strokeDash = { field: 'line', type: 'nominal', scale: { domain, range: dashes }, legend: null }
  const joined = points.filter(({ isJoined }) => isJoined)
  const size = joined.length > 0 ? 18 : 64
  return [
    {
      data: { values: labels },
      mark: { type: 'rule', color: INK.grid, strokeWidth: 1 },
      encoding: { x, x2: { field: 'end' }, y, y2: { field: 'place' } },
    },
    {
      data: { values: joined },
      mark: { type: 'line', strokeWidth: 2, strokeJoin: 'round' },
      encoding: { x, y, color, strokeDash },
    },
    {
      data: { values: points },
      mark: { type: 'point', filled: true, size, opacity: 1 },
      encoding: { x, y, color },
    },
    {
      data: { values: labels },
      mark: { type: 'text', align: 'left', baseline: 'middle', dx: 6, fontSize: 11 },
      encoding: { x: { ...x, field: 'end' }, y: { ...y, field: 'place' }, color, text: { field: 'name' } },
    },
  ]
}

function channel(field: string, { domain, type = 'linear', ticks, format, labelExpr }: Scale): UnitSpec {
  return {
    field,
    type: 'quantitative',
    scale: { type, domain, nice: false, ...(type === 'linear' ? { zero: false } : {}) },
    axis: {
      ...(ticks === undefined ? { tickCount: 4 } : { values: ticks, labelOverlap: true }),
      ...(format === undefined ? {} : { format }),
      ...(labelExpr === undefined ? {} : { labelExpr }),
    },
  }
}
