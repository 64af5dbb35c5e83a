import type { Figure, TaskName } from '../../log/figure.ts'
import { auroc } from '../../metrics/auroc.ts'
import { bootstrapInterval } from '../../metrics/bootstrap-interval.ts'
import { figure } from './make-figures.ts'

const BINS = 10

/** A confidence, and whether it was right. */
interface JudgedCase {
  readonly confidence: number
  /** Whether the conversation answers the question. */
  readonly truth: boolean
}

/** Computes the expected calibration error: the gap between mean confidence and observed share in ten bins, weighted by size. */
export function calibrationError(judged: readonly JudgedCase[]): number {
  const binOf = (confidence: number): number => Math.min(BINS - 1, Math.floor(confidence * BINS))
  const bins = Map.groupBy(judged, ({ confidence }) => binOf(confidence))
  let error = 0
  for (let index = 0; index < BINS; index++) {
    const bin = bins.get(index) ?? []
    if (bin.length === 0) continue
    const confidence = bin.reduce((sum, judgedCase) => sum + judgedCase.confidence, 0) / bin.length
    const observed = bin.filter(({ truth }) => truth).length / bin.length
    error += (bin.length / judged.length) * Math.abs(confidence - observed)
  }
  return error
}

/** A question, and the system's confidence that the conversation answers it. */
export interface ConfidenceCase {
  readonly person: string
  readonly answerable: boolean
  /** 0 to 1. `null` or NaN: the system gives none. A log contains NaN as `null`. */
  readonly confidence: number | null
  readonly failure: string | null
}

/** Measures how well confidence separates answerable questions (`auroc`), and its calibration (`ece`). Empty if all questions are of one kind. */
export function confidenceFigures(
  task: TaskName,
  questions: readonly ConfidenceCase[],
  seed: number,
): Figure[] {
  const cases = questions.flatMap((question) => {
    const confidence = confidenceIn(question)
    const { person, answerable: truth } = question
    return confidence === null ? [] : [{ person, confidence, truth }]
  })
  const value = aurocOf(cases)
  const lacksScores = cases.length < questions.length
  const hasOnlyFailures = questions.every(({ failure }) => failure !== null)
  if (lacksScores || hasOnlyFailures || Number.isNaN(value)) return []
  const people = [...Map.groupBy(cases, ({ person }) => person).values()]
  const count = cases.length
  const kind = { task, unit: 'score', judge: null } as const
  return [
    figure(kind, {
      metric: 'auroc',
      value,
      count,
      interval: people.length < 2 ? null : bootstrapInterval(people, aurocOf, { seed }),
    }),
    figure(kind, { metric: 'ece', value: calibrationError(cases), count }),
  ]
}

function aurocOf(cases: readonly JudgedCase[]): number {
  const confidences = (truth: boolean) =>
    cases.filter((one) => one.truth === truth).map(({ confidence }) => confidence)
  return auroc(confidences(true), confidences(false))
}

/** Returns the confidence in a question. A failed retrieval counts as confidently wrong. `null`: the system gives no confidence. */
function confidenceIn({ answerable, confidence, failure }: ConfidenceCase): number | null {
  if (confidence !== null && !Number.isNaN(confidence)) return confidence
  return failure === null ? null : Number(!answerable)
}
