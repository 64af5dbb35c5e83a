import type { Figure } from '../../log/figure.ts'
import { drawPlot, HUES, INK, PLOT_WIDTH, type UnitSpec } from './draw-plot.ts'
import { fitName } from './fit-text.ts'

/** A bar, whole or in pieces, with a name to its left and a text to its right. */
export interface PlotRow {
  readonly name: string
  readonly text: string
  /** Set one after another; none where nothing is known. */
  readonly pieces: readonly number[]
  readonly interval: Figure['interval']
}

export interface RowsScale {
  /** Default: as far as the bars go. */
  readonly domain?: readonly [low: number, high: number]
  /** Of its labels, in d3's notation. */
  readonly format: string
  /** What the pieces are, in their order; without names bars are whole. The last is what could not be told. */
  readonly pieces?: readonly string[]
}

const MARGINS = { left: 122, right: 62, top: 4, bottom: 22 }
const ROW = 24
const NAME_COLUMNS = 17
const LEGEND_ROW = 17

/** A bar a system, or each system's bar in pieces with a legend beneath. */
export async function drawRows(rows: readonly PlotRow[], scale: RowsScale): Promise<string> {
  const { pieces: names = [] } = scale
  const width = PLOT_WIDTH - MARGINS.left - MARGINS.right
  const height = ROW * rows.length
  const y = { field: 'row', type: 'ordinal', axis: null }
  const x = {
    type: 'quantitative',
    scale: { nice: false, ...(scale.domain === undefined ? {} : { domain: scale.domain }) },
    axis: { tickCount: 3, format: scale.format },
  }
  const told = rows.map(({ name, text }, row) => ({ row, name: fitName(name, NAME_COLUMNS), text }))
  const drawn = rows.flatMap(({ pieces }, row) =>
    pieces.map((value, order) => ({ row, value, order, piece: names[order] })),
  )
  const between = rows.flatMap(({ interval }, row) => (interval === null ? [] : [{ row, ...interval }]))
  const layers: UnitSpec[] = [
    {
      data: { values: drawn },
      mark: { type: 'bar', color: INK.bar, height: 13 },
      encoding: { y, x: { ...x, field: 'value' }, ...(names.length === 0 ? {} : inPieces(names, height)) },
    },
    {
      data: { values: between },
      mark: { type: 'rule', color: INK.text, strokeWidth: 1.5 },
      encoding: { y, x: { ...x, field: 'low' }, x2: { field: 'high' } },
    },
    {
      data: { values: told },
      mark: { ...TEXT, dx: -8, fontSize: 11 },
      encoding: { y, x: { value: 0 }, text: { field: 'name' } },
    },
    {
      data: { values: told },
      mark: { ...TEXT, dx: MARGINS.right - 2 },
      encoding: { y, x: { value: width }, text: { field: 'text' } },
    },
  ]
  const bottom = MARGINS.bottom + LEGEND_ROW * Math.ceil(names.length / 2) + (names.length === 0 ? 0 : 12)
  return drawPlot(layers, { width, height, margins: { ...MARGINS, bottom } })
}

const TEXT = { type: 'text', baseline: 'middle', align: 'right' }

function inPieces(names: readonly string[], height: number): UnitSpec {
  const color = {
    field: 'piece',
    type: 'nominal',
    scale: { domain: names, range: [...HUES.slice(0, names.length - 1), INK.grid] },
    legend: {
      orient: 'none',
      direction: 'vertical',
      columns: 2,
      legendX: 8 - MARGINS.left,
      legendY: height + 30,
      symbolStrokeWidth: 0,
      rowPadding: 5,
    },
  }
  return { color, order: { field: 'order' } }
}
