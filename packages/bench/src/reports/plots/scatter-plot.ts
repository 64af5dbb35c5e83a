import { drawPlot, HUES, INK, PLOT_WIDTH, type UnitSpec } from './draw-plot.ts'
import { fitName, spreadLabels } from './fit-text.ts'

export interface Point {
  readonly name: string
  readonly x: number
  readonly y: number
}

export interface Scale {
  readonly domain: readonly [low: number, high: number]
  /** Of its labels, in d3's notation; or an expression of Vega over `datum.value`. */
  readonly format?: string
  readonly labelExpr?: string
  readonly ticks?: readonly number[]
}

const MARGINS = { left: 40, right: 128, top: 10, bottom: 24 }
const HEIGHT = 190
const NAME_COLUMNS = 16
const LABEL_GAP = 15

/** Points with their names in a column at the right, joined by thin lines: names never lie over each other. */
export async function drawScatter(
  points: readonly Point[],
  scales: { readonly x: Scale; readonly y: Scale },
): Promise<string> {
  const width = PLOT_WIDTH - MARGINS.left - MARGINS.right
  const [low, high] = scales.y.domain
  const perUnit = HEIGHT / (high - low || 1)
  const places = spreadLabels(
    points.map(({ y }) => (high - y) * perUnit),
    LABEL_GAP,
    0,
    Math.max(HEIGHT, LABEL_GAP * (points.length - 1)),
  )
  const values = points.map(({ name, x, y }, index) => ({
    name: fitName(name, NAME_COLUMNS),
    hue: index,
    x,
    y,
    end: scales.x.domain[1],
    place: high - (places[index] ?? 0) / perUnit,
  }))
  return drawPlot(layersOf(values, scales), { width, height: HEIGHT, margins: MARGINS })
}

function layersOf(values: unknown, scales: { readonly x: Scale; readonly y: Scale }): UnitSpec[] {
  const x = channel('x', scales.x)
  const y = channel('y', scales.y)
  const color = { field: 'hue', type: 'ordinal', scale: { range: HUES }, legend: null }
  return [
    {
      data: { values },
      mark: { type: 'rule', color: INK.grid, strokeWidth: 1 },
      encoding: { x, x2: { field: 'end' }, y, y2: { field: 'place' } },
    },
    {
      data: { values },
      mark: { type: 'point', filled: true, size: 64, opacity: 1 },
      encoding: { x, y, color },
    },
    {
      data: { values },
      mark: { type: 'text', align: 'left', baseline: 'middle', dx: 6, fontSize: 11 },
      encoding: { x: { ...x, field: 'end' }, y: { ...y, field: 'place' }, color, text: { field: 'name' } },
    },
  ]
}

function channel(field: string, { domain, format, labelExpr, ticks }: Scale): UnitSpec {
  return {
    field,
    type: 'quantitative',
    scale: { domain, nice: false, zero: false },
    axis: {
      ...(ticks === undefined ? { tickCount: 4 } : { values: ticks }),
      ...(format === undefined ? {} : { format }),
      ...(labelExpr === undefined ? {} : { labelExpr }),
    },
  }
}
