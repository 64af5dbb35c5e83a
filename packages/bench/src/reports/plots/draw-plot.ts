import type { TopLevelSpec } from 'vega-lite'

/** Units of the drawing's own coordinates: as wide as a phone's column, so that its letters stay readable there. */
export const PLOT_WIDTH = 340

/** Colours by their names in the page's style sheet: it sets them for light, dark and paper. */
export const INK = {
  text: 'var(--ink)',
  faint: 'var(--faint)',
  grid: 'var(--rule)',
  bar: 'var(--bar)',
} as const

/** Colours that tell things apart, in an order that keeps neighbours distinct, for colour-blind eyes too. */
export const HUES = Array.from({ length: 8 }, (_, index) => `var(--hue-${index + 1})`)

export interface Margins {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

export type UnitSpec = Record<string, unknown>

/**
 * Draws a Vega-Lite specification as SVG text, without a browser. Margins are given, not measured: without fonts at
 * hand Vega can only guess how wide text is.
 *
 * @param layers drawn over each other
 */
export async function drawPlot(
  layers: readonly UnitSpec[],
  size: { readonly width: number; readonly height: number; readonly margins: Margins },
): Promise<string> {
  const spec = {
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
    width: size.width,
    height: size.height,
    padding: size.margins,
    autosize: { type: 'none' },
    background: 'transparent',
    layer: layers,
    config: CONFIG,
  }
  // Large, and loaded by those alone who draw.
  const [vega, { compile }] = await Promise.all([import('vega'), import('vega-lite')])
  // The layers are records of our own making; Vega-Lite checks them as it compiles.
  const compiled = compile(spec as unknown as TopLevelSpec).spec
  const view = new vega.View(vega.parse(compiled), { renderer: 'none' })
  try {
    return inPage(await view.toSVG())
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

/** Without what the page gives: a size of its own, a background, and namespaces that HTML does not need. */
function inPage(svg: string): string {
  return svg
    .replace(/ width="[\d.]+" height="[\d.]+"/, '')
    .replace(/<rect width="[\d.]+" height="[\d.]+" fill="transparent"\/>/, '')
    .replace(/ xmlns(?::xlink)?="[^"]*"/g, '')
    .replace('<svg ', '<svg aria-hidden="true" focusable="false" ')
}
