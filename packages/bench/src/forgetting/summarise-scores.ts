import { bootstrapInterval, type Interval } from '../metrics/bootstrap-interval.ts'
import type { SessionScore } from './score-forgetting.ts'
import { mean } from '../metrics/means.ts'
import { harmonicMean } from '../metrics/text/overlap.ts'

export const FORGETTING_METRICS = ['recall', 'recall_all', 'precision', 'f1', 'hit@2', 'agreement'] as const
export type ForgettingMetric = (typeof FORGETTING_METRICS)[number]
/** Metrics by name. `null`: the data set has no labels for the metric. */
export type ForgettingFigures = Readonly<Record<ForgettingMetric, number | null>>
export type PersonScore = ForgettingFigures & { readonly person: string }

/** A figure with its interval over people. */
export interface Estimate extends Interval {
  readonly value: number
}
export type ForgettingEstimates = Readonly<Record<ForgettingMetric, Estimate | null>>

/** Averages each person's scores over sessions and systems. F1 is computed from these averages, because F1 of a single session is mostly noise. */
export function scorePeople(scores: readonly SessionScore[]): PersonScore[] {
  const people = Map.groupBy(scores, (score) => score.person)
  return [...people].map(([person, personScores]) => {
    const meanOf = (metric: Exclude<ForgettingMetric, 'f1'>): number | null =>
      mean(personScores.map((score) => score[metric]))
    const recall = meanOf('recall')
    const precision = meanOf('precision')
    return {
      person,
      recall,
      recall_all: meanOf('recall_all'),
      precision,
      f1: recall === null || precision === null ? null : harmonicMean(recall, precision),
      'hit@2': meanOf('hit@2'),
      agreement: meanOf('agreement'),
    }
  })
}

/** Computes means over people, with 95 % intervals by resampling people. */
export function estimate(people: readonly PersonScore[], seed: number): ForgettingEstimates {
  return perMetric((metric) => {
    const values = people.map((person) => person[metric])
    return estimateMean(values, seed)
  })
}

/** Computes a mean over people with its interval. `null`: there are no values. */
export function estimateMean(values: readonly (number | null)[], seed: number): Estimate | null {
  const value = mean(values)
  if (value === null) return null
  const interval = bootstrapInterval(
    values.map((one) => [one]),
    (pooled) => mean(pooled) ?? Number.NaN,
    { seed },
  )
  return { value, ...interval }
}

/** Computes the lead of one policy over another: the mean of the differences by person, with its interval. */
export function estimateLead(
  ours: readonly PersonScore[],
  theirs: readonly PersonScore[],
  seed: number,
): ForgettingEstimates {
  const others = new Map(theirs.map((score) => [score.person, score]))
  return perMetric((metric) => {
    const differences = ours.map((score) => subtract(score[metric], others.get(score.person)?.[metric]))
    return estimateMean(differences, seed)
  })
}

function subtract(a: number | null, b: number | null | undefined): number | null {
  return a === null || b === null || b === undefined ? null : a - b
}

/** Averages several runs by person. Chance has one run for each seed. */
export function averageRuns(runs: readonly (readonly PersonScore[])[]): PersonScore[] {
  const people = Map.groupBy(runs.flat(), (score) => score.person)
  return [...people].map(([person, personScores]) => ({
    person,
    ...perMetric((metric) => mean(personScores.map((score) => score[metric]))),
  }))
}

function perMetric<T>(valueOf: (metric: ForgettingMetric) => T): Record<ForgettingMetric, T> {
  return {
    recall: valueOf('recall'),
    recall_all: valueOf('recall_all'),
    precision: valueOf('precision'),
    f1: valueOf('f1'),
    'hit@2': valueOf('hit@2'),
    agreement: valueOf('agreement'),
  }
}
