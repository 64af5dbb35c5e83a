import type { CrossValidation, Estimate } from '@keepsake/train'
import { LUFY_METRICS, LUFY_WEIGHTS, type FittedWeights } from '@keepsake/papers'
import { table } from '../output/print.ts'

export interface ShownFit {
  readonly fitted: FittedWeights
  readonly checked: CrossValidation
  readonly out: string
  readonly exchanges: number
}

const NUMBER_COLUMNS = [1, 2, 3]

/** Shows a fit in tables: weights, and results on held-out users. */
export function showFit({ fitted, checked, out, exchanges }: ShownFit): string {
  const weights = Object.entries(LUFY_METRICS).map(([name, metric]) => {
    const { low, high } = checked.weights[metric]
    return [
      name,
      formatWeight(fitted.weights[metric]),
      `[${formatWeight(low)}, ${formatWeight(high)}]`,
      formatWeight(LUFY_WEIGHTS[metric]),
    ]
  })
  const heldOut = table(
    [`held out by ${checked.by}`, 'fitted', 'paper', 'lead'],
    (['agreement', 'auroc', 'squared error'] as const).map((score) => [
      score,
      formatEstimate(checked.fitted[score]),
      formatEstimate(checked.paper[score]),
      formatEstimate(checked.lead[score]),
    ]),
    NUMBER_COLUMNS,
  )
  return [
    `${out}: weights fitted on ${exchanges} exchanges.`,
    '',
    table(['metric', 'fitted', '95 %', 'paper'], weights, NUMBER_COLUMNS),
    '',
    heldOut,
  ].join('\n')
}

function formatEstimate({ value, low, high }: Estimate): string {
  return `${value.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`
}

function formatWeight(value: number): string {
  return value.toFixed(3)
}
