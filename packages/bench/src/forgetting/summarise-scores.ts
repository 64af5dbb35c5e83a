import { bootstrapInterval, type Interval } from '../metrics/bootstrap-interval.ts'
import type { SessionScore } from './score-forgetting.ts'

export const FORGETTING_METRICS = ['recall', 'precision', 'f1', 'hit@2', 'agreement'] as const
export type ForgettingMetric = (typeof FORGETTING_METRICS)[number]
export type PersonScore = Readonly<Record<ForgettingMetric, number>> & { readonly person: string }

/** A figure with its interval over people. */
export interface Estimate extends Interval {
  readonly value: number
}

/**
 * One person's figures: the mean over the ends of their sessions with all systems, and the harmonic mean of that
 * recall and precision. (Harmonic means of single sessions, with three kept and three asked, would be mostly noise.)
 */
export function scorePeople(scores: readonly SessionScore[]): PersonScore[] {
  const people = Map.groupBy(scores, (score) => score.person)
  return [...people].map(([person, own]) => {
    const meanOf = (metric: 'recall' | 'precision' | 'hit@2' | 'agreement'): number =>
      mean(own.map((score) => score[metric]))
    const recall = meanOf('recall')
    const precision = meanOf('precision')
    const f1 = recall + precision === 0 ? 0 : (2 * recall * precision) / (recall + precision)
    return { person, recall, precision, f1, 'hit@2': meanOf('hit@2'), agreement: meanOf('agreement') }
  })
}

/** Means over people with 95 % intervals by resampling people. */
export function estimate(people: readonly PersonScore[], seed: number): Record<ForgettingMetric, Estimate> {
  return toRecord((metric) => {
    const values = people.map((person) => person[metric])
    return estimateMean(values, seed)
  })
}

/** A mean over people and its interval. */
export function estimateMean(values: readonly number[], seed: number): Estimate {
  const interval = bootstrapInterval(
    values.map((value) => [value]),
    mean,
    { seed },
  )
  return { value: mean(values), ...interval }
}

/** How far one policy leads another, person by person: the paired difference and its interval. */
export function estimateLead(
  ours: readonly PersonScore[],
  theirs: readonly PersonScore[],
  seed: number,
): Record<ForgettingMetric, Estimate> {
  const others = new Map(theirs.map((score) => [score.person, score]))
  return toRecord((metric) => {
    const differences = ours.map(
      (score) => score[metric] - (others.get(score.person)?.[metric] ?? Number.NaN),
    )
    return estimateMean(differences, seed)
  })
}

/** Person by person, the mean of several runs (seeds of chance). */
export function averageRuns(runs: readonly (readonly PersonScore[])[]): PersonScore[] {
  const people = Map.groupBy(runs.flat(), (score) => score.person)
  return [...people].map(([person, own]) => ({
    person,
    ...toRecord((metric) => mean(own.map((score) => score[metric]))),
  }))
}

function toRecord<T>(of: (metric: ForgettingMetric) => T): Record<ForgettingMetric, T> {
  return {
    recall: of('recall'),
    precision: of('precision'),
    f1: of('f1'),
    'hit@2': of('hit@2'),
    agreement: of('agreement'),
  }
}

/** Of the finite values; NaN when there are none. */
export function mean(values: readonly number[]): number {
  const finite = values.filter((value) => Number.isFinite(value))
  return finite.reduce((sum, value) => sum + value, 0) / finite.length
}
