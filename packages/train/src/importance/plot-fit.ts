import { LUFY_WEIGHTS } from '@keepsake/papers'
import { LUFY_METRICS, type FittedWeights } from '@keepsake/papers'
import type { TopLevelSpec } from 'vega-lite'
import type { CrossValidation } from './cross-validate.ts'

const WIDTH = 420
const COLOUR = { domain: ['fitted', 'paper'], range: ['#1b6ca8', '#c1611f'] }
const color = { field: 'weights', type: 'nominal', scale: COLOUR, legend: { title: null, orient: 'top' } }

/** Draws a fit as SVG. One plot shows the weights with intervals next to the paper's, the other the agreement for each held-out person. */
export async function plotFit(fitted: FittedWeights, checked: CrossValidation): Promise<string> {
  const spec = {
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
    background: 'white',
    vconcat: [weightsPlot(fitted, checked), agreementPlot(checked)],
    config: { font: 'sans-serif', view: { stroke: null }, axis: { domain: false, gridColor: '#e4e4e4' } },
  }
  // Both packages are large, so they are loaded on demand.
  const [vega, { compile }] = await Promise.all([import('vega'), import('vega-lite')])
  // Vega-Lite checks the record when it compiles it.
  const compiled = compile(spec as unknown as TopLevelSpec).spec
  const view = new vega.View(vega.parse(compiled), { renderer: 'none' })
  try {
    return await view.toSVG()
  } finally {
    view.finalize()
  }
}

function weightsPlot({ weights }: FittedWeights, checked: CrossValidation) {
  const rows = Object.entries(LUFY_METRICS).flatMap(([name, metric]) => [
    { metric: name, weights: 'fitted', value: weights[metric], ...checked.weights[metric] },
    { metric: name, weights: 'paper', value: LUFY_WEIGHTS[metric] },
  ])
  const y = { field: 'metric', type: 'nominal', sort: null, axis: { title: null } }
  const x = { type: 'quantitative', axis: { title: 'weight, with the interval over people (95 %)' } }
  return {
    width: WIDTH,
    height: { step: 26 },
    data: { values: rows },
    layer: [
      {
        transform: [{ filter: "datum.weights === 'fitted'" }],
        mark: { type: 'rule' },
        encoding: { y, color, x: { ...x, field: 'low' }, x2: { field: 'high' } },
      },
      {
        mark: { type: 'point', filled: true, size: 60 },
        encoding: { y, color, x: { ...x, field: 'value' } },
      },
    ],
  }
}

function agreementPlot({ by, folds, fitted, paper }: CrossValidation) {
  const rows = [
    ...folds.flatMap((fold) => [
      { heldOut: fold.heldOut, weights: 'fitted', value: fold.fitted.agreement },
      { heldOut: fold.heldOut, weights: 'paper', value: fold.paper.agreement },
    ]),
    { heldOut: 'all', weights: 'fitted', ...fitted.agreement },
    { heldOut: 'all', weights: 'paper', ...paper.agreement },
  ]
  const y = { field: 'heldOut', type: 'nominal', sort: null, axis: { title: null } }
  const title = `agreement with what each ${by} held out marked, of the tenth that is kept`
  const x = { type: 'quantitative', axis: { title, format: '.0%' } }
  return {
    width: WIDTH,
    height: { step: 26 },
    data: { values: rows },
    layer: [
      {
        transform: [{ filter: 'isValid(datum.low)' }],
        mark: { type: 'rule' },
        encoding: {
          y,
          color,
          yOffset: { field: 'weights' },
          x: { ...x, field: 'low' },
          x2: { field: 'high' },
        },
      },
      {
        mark: { type: 'point', filled: true, size: 60 },
        encoding: { y, color, yOffset: { field: 'weights' }, x: { ...x, field: 'value' } },
      },
    ],
  }
}
