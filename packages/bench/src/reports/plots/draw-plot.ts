import type { TopLevelSpec } from 'vega-lite'
import type { Figure } from '../../log/figure.ts'
import { plainText } from '../plain-text.ts'

/** A bar with a name to its left and a text to its right. It may consist of several pieces. */
export interface PlotRow {
  readonly name: string
  readonly text: string
  /** The lengths of the pieces, which are drawn one after another. Empty where the value is unknown. */
  readonly pieces: readonly number[]
  readonly interval: Figure['interval']
}

export interface RowsScale {
  /** Default: the range of the bars. */
  readonly domain?: readonly [low: number, high: number]
  /** Format of its labels, in d3's notation. */
  readonly format: string
  /** Names of the pieces, in order. The last is drawn as the unknown part. Absent: each bar has one piece. */
  readonly pieces?: readonly string[]
}

/** A named point, or several points that a line joins. */
export interface Series {
  readonly name: string
  /** One or more points, by rising x. */
  readonly points: readonly (readonly [x: number, y: number])[]
}

export interface Scale {
  readonly domain: readonly [low: number, high: number]
  /** Default `linear`. */
  readonly type?: 'linear' | 'log' | 'symlog'
  /** Format of its labels, in d3's notation. */
  readonly format: string
  readonly ticks?: readonly number[]
}

type UnitSpec = Record<string, unknown>

/** Width in units of the drawing. It is about that of a phone, so that letters stay readable there. */
const WIDTH = 340
/** Colours as variables of the page's style sheet, which sets them for light, dark and paper. */
const INK = { text: 'var(--ink)', faint: 'var(--faint)', grid: 'var(--rule)', bar: 'var(--bar)' } as const
/** The order keeps neighbouring hues distinct, also for colour-blind readers. */
const HUES = Array.from({ length: 8 }, (_, index) => `var(--hue-${index + 1})`)
const LEGEND_ROW = 17

/** Draws a bar for each system, or one in pieces with a legend below. */
export async function drawRows(rows: readonly PlotRow[], scale: RowsScale): Promise<string> {
  const { pieces: names = [], domain } = scale
  const margins = { left: 122, right: 62, top: 4, bottom: 22 }
  const width = WIDTH - margins.left - margins.right
  const height = 24 * rows.length
  const y = { field: 'row', type: 'ordinal', axis: null }
  const x = {
    type: 'quantitative',
    scale: { nice: false, ...(domain === undefined ? {} : { domain }) },
    axis: { tickCount: 3, format: scale.format },
  }
  const labels = rows.map(({ name, text }, row) => ({ row, name: plainText(name), text }))
  const bars = rows.flatMap(({ pieces }, row) =>
    pieces.map((value, order) => ({ row, value, order, piece: names[order] })),
  )
  const intervals = rows.flatMap(({ interval }, row) => (interval === null ? [] : [{ row, ...interval }]))
  const text = { type: 'text', baseline: 'middle', align: 'right' }
  const inPieces = names.length === 0 ? {} : pieceChannels(names, 8 - margins.left, height + 30)
  const layers: UnitSpec[] = [
    {
      data: { values: bars },
      mark: { type: 'bar', color: INK.bar, height: 13 },
      encoding: { y, x: { ...x, field: 'value' }, ...inPieces },
    },
    {
      data: { values: intervals },
      mark: { type: 'rule', color: INK.text, strokeWidth: 1.5 },
      encoding: { y, x: { ...x, field: 'low' }, x2: { field: 'high' } },
    },
    {
      data: { values: labels },
      mark: { ...text, dx: -8, fontSize: 11, limit: margins.left - 10 },
      encoding: { y, x: { value: 0 }, text: { field: 'name' } },
    },
    {
      data: { values: labels },
      mark: { ...text, dx: margins.right - 2 },
      encoding: { y, x: { value: width }, text: { field: 'text' } },
    },
  ]
  const legend = names.length === 0 ? 0 : 12 + LEGEND_ROW * Math.ceil(names.length / 2)
  return drawPlot(layers, { width, height, margins: { ...margins, bottom: margins.bottom + legend } })
}

function pieceChannels(names: readonly string[], legendX: number, legendY: number): UnitSpec {
  const color = {
    field: 'piece',
    type: 'nominal',
    scale: { domain: names, range: [...HUES.slice(0, names.length - 1), INK.grid] },
    legend: {
      orient: 'none',
      direction: 'vertical',
      columns: 2,
      legendX,
      legendY,
      symbolStrokeWidth: 0,
      rowPadding: 5,
    },
  }
  return { color, order: { field: 'order' } }
}

/** Draws points and lines with a legend at the right. */
export async function drawXy(
  series: readonly Series[],
  scales: { readonly x: Scale; readonly y: Scale },
): Promise<string> {
  const margins = { left: 40, right: 138, top: 10, bottom: 24 }
  const width = WIDTH - margins.left - margins.right
  const height = Math.max(190, LEGEND_ROW * series.length)
  const points = series.flatMap(({ name, points: seriesPoints }) =>
    seriesPoints.map(([x, y]) => ({ name: plainText(name), x, y, isJoined: seriesPoints.length > 1 })),
  )
  const x = channel('x', scales.x)
  const y = channel('y', scales.y)
  const domain = series.map(({ name }) => plainText(name))
  const color = {
    field: 'name',
    type: 'nominal',
    scale: { domain, range: HUES },
    legend: { orient: 'right', labelLimit: 100, symbolLimit: 0 },
  }
  // Hues repeat after eight series. Different shapes keep series of one hue apart.
  const shape = { field: 'name', type: 'nominal', scale: { domain } }
  const isLines = points.some(({ isJoined }) => isJoined)
  return drawPlot(
    [
      {
        data: { values: points.filter(({ isJoined }) => isJoined) },
        mark: { type: 'line', strokeWidth: 2, strokeJoin: 'round' },
        encoding: { x, y, color },
      },
      {
        data: { values: points },
        mark: { type: 'point', filled: true, size: isLines ? 18 : 64, opacity: 1 },
        encoding: { x, y, color, shape: { ...shape, legend: color.legend } },
      },
    ],
    { width, height, margins },
  )
}

function channel(field: string, { domain, type = 'linear', ticks, format }: Scale): UnitSpec {
  const marks = ticks === undefined ? { tickCount: 4 } : { values: ticks, labelOverlap: true }
  return {
    field,
    type: 'quantitative',
    scale: { type, domain, nice: false, ...(type === 'linear' ? { zero: false } : {}) },
    axis: { ...marks, format },
  }
}

interface PlotSize {
  readonly width: number
  readonly height: number
  readonly margins: Readonly<Record<'left' | 'right' | 'top' | 'bottom', number>>
}

/** Draws layers as the text of an SVG, without a browser. Margins are fixed, because Vega cannot measure text without fonts. */
async function drawPlot(layers: readonly UnitSpec[], { width, height, margins }: PlotSize): Promise<string> {
  const spec = {
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
    width,
    height,
    padding: margins,
    autosize: { type: 'none' },
    background: 'transparent',
    layer: layers,
    config: CONFIG,
  }
  // These modules are large, so they are loaded only to draw.
  const [vega, { compile }] = await Promise.all([import('vega'), import('vega-lite')])
  // The layers have no types here. Vega-Lite checks them when it compiles them.
  const compiled = compile(spec as unknown as TopLevelSpec).spec
  const view = new vega.View(vega.parse(compiled), { renderer: 'none' })
  try {
    return fitPage(await view.toSVG())
  } finally {
    view.finalize()
  }
}

const FONT = 'system-ui, sans-serif'
const CONFIG = {
  aria: false,
  font: FONT,
  view: { stroke: null },
  axis: {
    domain: false,
    ticks: false,
    grid: true,
    gridColor: INK.grid,
    labelColor: INK.faint,
    labelFontSize: 11,
    labelFlush: false,
    labelOverlap: false,
    title: null,
  },
  text: { fontSize: 12, fill: INK.text, font: FONT },
  legend: { labelColor: INK.text, labelFontSize: 11.5, title: null, symbolType: 'square' },
}

/** Removes size and background, which the page sets, and namespaces, which HTML does not need. */
function fitPage(svg: string): string {
  return svg
    .replace(/ width="[\d.]+" height="[\d.]+"/, '')
    .replace(/<rect width="[\d.]+" height="[\d.]+" fill="transparent"\/>/, '')
    .replace(/ xmlns(?::xlink)?="[^"]*"/g, '')
    .replace('<svg ', '<svg aria-hidden="true" focusable="false" ')
}
