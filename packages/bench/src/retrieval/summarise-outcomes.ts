import { auroc } from '../metrics/auroc.ts'
import { bootstrapInterval, type Interval } from '../metrics/bootstrap-interval.ts'
import { reliability } from '../metrics/calibration.ts'
import type { QuestionOutcome } from './question-outcome.ts'

const SEED = 20_240_501

export interface Summary {
  /** Means over answerable questions, by metric. */
  readonly metrics: Readonly<Record<string, number>>
  /** 95 % intervals of the same, by bootstrap over people or conversations. */
  readonly intervals: Readonly<Record<string, Interval>>
  readonly byCategory: Readonly<Record<string, Readonly<Record<string, number>>>>
}

/** Figures over a run's questions. Failures score zero and stay in. */
export function summariseOutcomes(outcomes: readonly QuestionOutcome[]): Summary {
  const scored = outcomes.filter((outcome) => outcome.scores !== null)
  const names = new Set(scored.flatMap((outcome) => Object.keys(outcome.scores ?? {})))
  const metrics: Record<string, number> = { questions: scored.length }
  const intervals: Record<string, Interval> = {}
  const clusters = groupByPerson(scored)
  for (const name of names) {
    const mean = (pooled: readonly QuestionOutcome[]): number => meanOf(pooled, name)
    metrics[name] = mean(scored)
    intervals[name] = bootstrapInterval(clusters, mean, { seed: SEED })
  }
  addConfidence(outcomes, metrics, intervals)
  metrics['failures'] = outcomes.filter((outcome) => outcome.failure !== null).length
  const latencies = outcomes.map((outcome) => outcome.milliseconds).toSorted((a, b) => a - b)
  metrics['recall_p50_ms'] = latencies[Math.floor(latencies.length / 2)] ?? Number.NaN
  const byCategory: Record<string, Record<string, number>> = {}
  for (const category of [...new Set(scored.map((outcome) => outcome.category))].toSorted()) {
    const of = scored.filter((outcome) => outcome.category === category)
    byCategory[category] = { questions: of.length }
    for (const name of names) byCategory[category][name] = meanOf(of, name)
  }
  return { metrics, intervals, byCategory }
}

function meanOf(outcomes: readonly QuestionOutcome[], name: string): number {
  const values = outcomes.flatMap((outcome) => outcome.scores?.[name] ?? [])
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function groupByPerson(outcomes: readonly QuestionOutcome[]): QuestionOutcome[][] {
  return [...Map.groupBy(outcomes, (outcome) => outcome.person).values()]
}

/** How well confidence tells what was said from what never was; LoCoMo's category 5 asks for the latter. */
function addConfidence(
  outcomes: readonly QuestionOutcome[],
  metrics: Record<string, number>,
  intervals: Record<string, Interval>,
): void {
  const unanswerable = outcomes.filter((outcome) => outcome.category === 'adversarial')
  if (unanswerable.length === 0 || outcomes.some((outcome) => Number.isNaN(outcome.confidence))) return
  const judge = (pooled: readonly QuestionOutcome[]): number =>
    auroc(
      pooled.filter((outcome) => outcome.answerable).map((outcome) => outcome.confidence),
      pooled.filter((outcome) => !outcome.answerable).map((outcome) => outcome.confidence),
    )
  metrics['auroc_cat5'] = judge(outcomes)
  intervals['auroc_cat5'] = bootstrapInterval(groupByPerson(outcomes), judge, { seed: SEED })
  metrics['confidence_ece'] = reliability(
    outcomes.map((outcome) => ({ confidence: outcome.confidence, truth: outcome.answerable })),
  ).ece
}
