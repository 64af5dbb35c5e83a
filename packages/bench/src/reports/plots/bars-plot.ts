import type { Interval } from '../../metrics/bootstrap-interval.ts'
import { drawPlot, INK, PLOT_WIDTH, type UnitSpec } from './draw-plot.ts'
import { fitName } from './fit-text.ts'

export interface Bar {
  readonly name: string
  /** `null`: nothing is drawn, and the text says so. */
  readonly value: number | null
  readonly interval: Interval | null
  readonly text: string
}

const MARGINS = { left: 122, right: 62, top: 4, bottom: 22 }
const ROW = 24
const NAME_COLUMNS = 17

/**
 * A bar a system with its interval, names to the left and values to the right.
 *
 * @param domain ends of the scale
 * @param format of the scale's labels, in d3's notation
 */
export async function drawBars(
  bars: readonly Bar[],
  domain: readonly [low: number, high: number],
  format: string,
): Promise<string> {
  const width = PLOT_WIDTH - MARGINS.left - MARGINS.right
  const rows = bars.map(({ name, value, interval, text }, index) => ({
    row: index,
    name: fitName(name, NAME_COLUMNS),
    text,
    value,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
  }))
  const y = { field: 'row', type: 'ordinal', axis: null }
  const x = {
    type: 'quantitative',
    scale: { domain, nice: false },
    axis: { tickCount: 3, format },
  }
  const held = rows.filter(({ value }) => value !== null)
  const between = held.filter(({ low }) => low !== null)
  const layers: UnitSpec[] = [
    bar(held, x, y),
    whisker(between, x, y),
    label(rows, 'name', y, { align: 'right', dx: -8, fontSize: 11 }, 0),
    label(rows, 'text', y, { align: 'right', dx: MARGINS.right - 2 }, width),
  ]
  return drawPlot(layers, { width, height: ROW * bars.length, margins: MARGINS })
}

function bar(values: unknown, x: UnitSpec, y: UnitSpec): UnitSpec {
  return {
    data: { values },
    mark: { type: 'bar', color: INK.bar, height: 13 },
    encoding: { y, x: { ...x, field: 'value' } },
  }
}

function whisker(values: unknown, x: UnitSpec, y: UnitSpec): UnitSpec {
  return {
    data: { values },
    mark: { type: 'rule', color: INK.text, strokeWidth: 1.5 },
    encoding: { y, x: { ...x, field: 'low' }, x2: { field: 'high' } },
  }
}

function label(values: unknown, field: string, y: UnitSpec, mark: UnitSpec, at: number): UnitSpec {
  return {
    data: { values },
    mark: { type: 'text', baseline: 'middle', ...mark },
    encoding: { y, x: { value: at }, text: { field } },
  }
}
