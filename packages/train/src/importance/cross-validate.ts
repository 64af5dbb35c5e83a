import {
  auroc,
  estimateMean,
  mean,
  resampleClusters,
  type Estimate,
  type Interval,
} from '@keepsake/bench/parts'
import { LUFY_WEIGHTS, lufyStrength, retained, type StrengthWeights } from '@keepsake/papers'
import { type FittedWeights } from '@keepsake/papers'
import type { Marked } from './annotation.ts'
import { byMetric, type AnnotatedUtterance } from './fit-importance.ts'
import { fitWeights, normalised, type FitWeightsOptions } from './fit-weights.ts'

/** The share of a session that a policy keeps (LUFY, 4.2). */
const KEEP = 0.1
/** Steps between an utterance's last use and its mark (LUFY, 3.4). */
const LAG = 1
/** An utterance counts as important if at least this share of its annotators marked it. */
const IMPORTANT_FROM = 0.5
/** Number of fits on resampled people, for the intervals of weights. Each takes as long as the first fit. */
const REFITS = 100

/** Scores of importance that are compared. */
export const SCORES = ['agreement', 'auroc', 'squared error'] as const
export type ScoreName = (typeof SCORES)[number]
export type Scores = Readonly<Record<ScoreName, number>>

/** Results on one person, or on one session where there is one person. They were not part of the fit. */
export interface Fold {
  readonly held: string
  /** Fitted without them. */
  readonly weights: FittedWeights
  readonly fitted: Scores
  readonly paper: Scores
}

/** How well weights do on people or sessions that they were not fitted on. */
export interface CrossValidation {
  /** The held-out unit of each fold. */
  readonly by: 'person' | 'session'
  readonly folds: readonly Fold[]
  readonly fitted: Readonly<Record<ScoreName, Estimate>>
  readonly paper: Readonly<Record<ScoreName, Estimate>>
  /** Fitted minus the paper's, paired by fold. */
  readonly lead: Readonly<Record<ScoreName, Estimate>>
  /** Intervals of the weights fitted on all, by refitting on people drawn with replacement. */
  readonly weights: Readonly<Record<keyof StrengthWeights, Interval>>
}

/**
 * Measures fitted weights on people that were not part of the fit, and the paper's weights on the same people. S is the strength that
 * weights give an utterance. The strongest tenth of each session counts as kept.
 *
 * - `agreement`: the share of the kept utterances that people marked (LUFY, table 12).
 * - `auroc`: how well strength separates what at least half of the annotators marked (1 is perfect, 0.5 is chance).
 * - `squared error`: of exp(−1/S), the predicted retention, against the marks.
 *
 * @throws RangeError with fewer than two people and fewer than two sessions
 */
export function crossValidate(
  marked: readonly Marked[],
  { seed = 1, ...options }: Omit<FitWeightsOptions, 'source'> & { readonly seed?: number },
): CrossValidation {
  const people = new Set(marked.map(({ person }) => person))
  const by = people.size > 1 ? 'person' : 'session'
  const groups = [...Map.groupBy(marked, (one) => one[by])]
  if (groups.length < 2)
    throw new RangeError(
      'Weights are judged on people, or sessions, that they were not fitted on: mark two sessions at least.',
    )
  const folds = groups.map(([held, heldMarks]) =>
    foldOf(
      held,
      heldMarks,
      fitWeights(
        marked.filter((one) => one[by] !== held),
        { ...options, source: `all but ${held}` },
      ),
    ),
  )
  const scored = (valueOf: (fold: Fold, score: ScoreName) => number) =>
    Object.fromEntries(
      SCORES.map((score) => [
        score,
        estimate(
          folds.map((fold) => valueOf(fold, score)),
          seed,
        ),
      ]),
    ) as Record<ScoreName, Estimate>
  return {
    by,
    folds,
    fitted: scored(({ fitted }, score) => fitted[score]),
    paper: scored(({ paper }, score) => paper[score]),
    lead: scored(({ fitted, paper }, score) => fitted[score] - paper[score]),
    weights: weightIntervals(
      groups.map(([, heldMarks]) => heldMarks),
      { ...options, seed },
    ),
  }
}

/** @param weights fitted without the held-out ones */
function foldOf(held: string, heldMarks: readonly Marked[], weights: FittedWeights): Fold {
  const utterances = normalised(heldMarks, weights.calibration)
  const score = (given: StrengthWeights): Scores => scoresOf(heldMarks, utterances, given)
  return { held, weights, fitted: score(weights.weights), paper: score(LUFY_WEIGHTS) }
}

function scoresOf(
  marked: readonly Marked[],
  utterances: readonly AnnotatedUtterance[],
  weights: StrengthWeights,
): Scores {
  const judged = utterances.map(({ metrics, important }, at) => ({
    important,
    session: marked[at]?.session ?? '',
    worth: retained(LAG, lufyStrength(metrics, weights)),
  }))
  const kept = [...Map.groupBy(judged, ({ session }) => session).values()].map((heldMarks) => {
    const strongest = heldMarks.toSorted((one, other) => other.worth - one.worth)
    return meanOf(
      strongest.slice(0, Math.max(1, Math.round(KEEP * heldMarks.length))).map((one) => one.important),
    )
  })
  const worthOf = (isImportant: boolean): number[] =>
    judged.flatMap(({ important, worth }) => (important >= IMPORTANT_FROM === isImportant ? [worth] : []))
  return {
    agreement: meanOf(kept),
    auroc: auroc(worthOf(true), worthOf(false)),
    'squared error': meanOf(judged.map(({ important, worth }) => (worth - important) ** 2)),
  }
}

/** The mean over folds with a value, and its interval by resampling them. */
function estimate(values: readonly number[], seed: number): Estimate {
  return estimateMean(values.filter(Number.isFinite), seed) ?? { value: NaN, low: NaN, high: NaN }
}

function weightIntervals(
  groups: readonly (readonly Marked[])[],
  { seed, ...options }: Omit<FitWeightsOptions, 'source'> & { readonly seed: number },
): Record<keyof StrengthWeights, Interval> {
  const fits = new Map<string, StrengthWeights>()
  const fitOn = (places: readonly number[]): StrengthWeights => {
    const key = places.toSorted((one, other) => one - other).join()
    const fitted = fits.get(key)
    if (fitted !== undefined) return fitted
    const { weights } = fitWeights(
      places.flatMap((place) => groups[place] ?? []),
      { ...options, source: 'resample' },
    )
    fits.set(key, weights)
    return weights
  }
  return byMetric((metric) =>
    resampleClusters(groups.length, (places) => fitOn(places)[metric], { seed, resamples: REFITS }),
  )
}

const meanOf = (values: readonly number[]): number => mean(values) ?? Number.NaN
