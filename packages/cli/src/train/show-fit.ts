import type { CrossValidation, Estimate, ForgettingComparison } from '@keepsake/train'
import { LUFY_WEIGHTS } from '@keepsake/papers'
import { LUFY_METRICS, type FittedWeights } from '@keepsake/papers'
import { table } from '../output/print.ts'

export interface ShownFit {
  readonly fitted: FittedWeights
  readonly checked: CrossValidation
  readonly forgetting: ForgettingComparison | null
  readonly out: string
  readonly exchanges: number
}

const NUMBERS = [1, 2, 3]

/** Shows a fit in tables: weights, results on held-out users, and the questions still answered. */
export function showFit({ fitted, checked, forgetting, out, exchanges }: ShownFit): string {
  const weights = Object.entries(LUFY_METRICS).map(([name, metric]) => {
    const { low, high } = checked.weights[metric]
    return [
      name,
      signed(fitted.weights[metric]),
      `[${signed(low)}, ${signed(high)}]`,
      signed(LUFY_WEIGHTS[metric]),
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
    NUMBERS,
  )
  const forgettingLines =
    forgetting === null ? [] : ['', 'After forgetting nine tenths:', formatForgetting(forgetting)]
  return [
    `${out}: weights fitted on ${exchanges} exchanges.`,
    '',
    table(['metric', 'fitted', '95 %', 'paper'], weights, NUMBERS),
    '',
    heldOut,
    ...forgettingLines,
  ].join('\n')
}

function formatForgetting({ fitted, paper, lead }: ForgettingComparison): string {
  const rows = (['recall', 'precision', 'f1', 'hit@2', 'agreement'] as const).flatMap((metric) => {
    const [fittedScore, paperScore, difference] = [fitted[metric], paper[metric], lead[metric]]
    return fittedScore === null || paperScore === null || difference === null
      ? []
      : [[metric, formatEstimate(fittedScore), formatEstimate(paperScore), formatEstimate(difference)]]
  })
  return table(['questions', 'fitted', 'paper', 'lead'], rows, NUMBERS)
}

function formatEstimate({ value, low, high }: Estimate): string {
  return `${value.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`
}

function signed(value: number): string {
  return value.toFixed(3)
}
