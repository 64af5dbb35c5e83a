import type { LostCounts } from '../cost-sections.ts'
import { formatValue, whole } from '../format-figure.ts'
import { metricWords } from '../metric-words.ts'
import type { PlotBlock } from '../report-document.ts'
import { drawPlot, HUES, INK, PLOT_WIDTH } from './draw-plot.ts'
import { fitName } from './fit-text.ts'

const MARGINS = { left: 122, right: 50, top: 4, bottom: 90 }
const ROW = 24
const NAME_COLUMNS = 17

/** Each system's wrong answers as one bar, in pieces by the step that lost them. */
export function attributionPlot(judge: string, counts: readonly LostCounts[]): PlotBlock {
  const title = `Wrong answers by the step that lost them; judge: ${judge}`
  const said = counts.map(({ name, steps, wrong }) => {
    const parts = steps
      .filter(({ count }) => count > 0)
      .map(({ step, count }) => `${labelOf(step)} ${whole(count)} (${formatValue(count / wrong, 'share')} %)`)
    return `${name}: ${parts.join(', ') || 'none'}`
  })
  return {
    title,
    description: `Stacked bars. ${title}. ${said.join('; ')}.`,
    draw: () => draw(counts),
  }
}

function labelOf(step: string): string {
  return metricWords('attribution', step).label
}

async function draw(counts: readonly LostCounts[]): Promise<string> {
  const width = PLOT_WIDTH - MARGINS.left - MARGINS.right
  const height = ROW * counts.length
  const labels = (counts[0]?.steps ?? []).map(({ step }) => labelOf(step))
  const pieces = counts.flatMap(({ steps }, row) =>
    steps.map(({ step, count }, order) => ({ row, step: labelOf(step), order, count })),
  )
  const rows = counts.map(({ name, wrong }, row) => ({
    row,
    name: fitName(name, NAME_COLUMNS),
    wrong: whole(wrong),
  }))
  const y = { field: 'row', type: 'ordinal', axis: null }
  const color = {
    field: 'step',
    type: 'nominal',
    scale: { domain: labels, range: [...HUES.slice(0, labels.length - 1), INK.grid] },
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
  const x = {
    field: 'count',
    type: 'quantitative',
    stack: 'zero',
    scale: { nice: false },
    axis: { tickCount: 3, format: '~s' },
  }
  const text = { type: 'text', baseline: 'middle', align: 'right' }
  const layers = [
    {
      data: { values: pieces },
      mark: { type: 'bar', height: 15 },
      encoding: { y, x, color, order: { field: 'order' } },
    },
    {
      data: { values: rows },
      mark: { ...text, dx: -8, fontSize: 11 },
      encoding: { y, x: { value: 0 }, text: { field: 'name' } },
    },
    {
      data: { values: rows },
      mark: { ...text, dx: MARGINS.right - 2 },
      encoding: { y, x: { value: width }, text: { field: 'wrong' } },
    },
  ]
  return drawPlot(layers, { width, height, margins: MARGINS })
}
