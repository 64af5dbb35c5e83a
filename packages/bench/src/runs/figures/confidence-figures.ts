import type { Figure, TaskName } from '../../log/figure.ts'
import { auroc, aurocInterval } from '../../metrics/auroc.ts'
import { figure } from './make-figures.ts'

const BINS = 10

/**
 * The expected calibration error: over ten equal-width bins, the gap between mean confidence and the actual share, weighted by the bins'
 * sizes.
 */
export function calibrationError(
  judged: readonly { readonly confidence: number; readonly truth: boolean }[],
): number {
  const binOf = (confidence: number): number => Math.min(BINS - 1, Math.floor(confidence * BINS))
  const bins = Map.groupBy(judged, ({ confidence }) => binOf(confidence))
  let error = 0
  for (const bin of Array.from({ length: BINS }, (_, place) => bins.get(place) ?? [])) {
    if (bin.length === 0) continue
    const confidence = bin.reduce((sum, one) => sum + one.confidence, 0) / bin.length
    const observed = bin.filter(({ truth }) => truth).length / bin.length
    error += (bin.length / judged.length) * Math.abs(confidence - observed)
  }
  return error
}

/** A question, with the system's confidence that its subject was mentioned. */
export interface ConfidenceCase {
  readonly person: string
  readonly answerable: boolean
  /** 0 to 1; `null` (or NaN, logged as null) without one. */
  readonly confidence: number | null
  readonly failure: string | null
}

/**
 * How well confidence separates mentioned from unmentioned subjects (`auroc`), and its calibration (`ece`). A failed retrieval counts as
 * confidently wrong. None for a system without confidences, or when all questions are of one kind.
 */
export function confidenceFigures(
  task: TaskName,
  questions: readonly ConfidenceCase[],
  seed: number,
): Figure[] {
  const cases = questions.flatMap(({ person, answerable, confidence, failure }) => {
    const probability = confidence === null || Number.isNaN(confidence) ? null : confidence
    const score = probability ?? (failure === null ? null : Number(!answerable))
    return score === null ? [] : [{ cluster: person, score, isPositive: answerable }]
  })
  const positives = cases.filter(({ isPositive }) => isPositive).map(({ score }) => score)
  const negatives = cases.filter(({ isPositive }) => !isPositive).map(({ score }) => score)
  const givesNone = cases.length < questions.length || questions.every(({ failure }) => failure !== null)
  if (givesNone || positives.length === 0 || negatives.length === 0) return []
  const people = new Set(cases.map(({ cluster }) => cluster)).size
  const count = cases.length
  const kind = { task, unit: 'score', judge: null } as const
  const ece = calibrationError(
    cases.map(({ score, isPositive }) => ({ confidence: score, truth: isPositive })),
  )
  return [
    figure(kind, {
      metric: 'auroc',
      value: auroc(positives, negatives),
      count,
      interval: people < 2 ? null : aurocInterval(cases, { seed }),
    }),
    figure(kind, { metric: 'ece', value: ece, count }),
  ]
}
