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

// “LUFY” with a number is a section of the paper, in which people marked the utterances of their talk that are important.

/** The share of a session's utterances that a policy keeps (LUFY, 4.2). */
const SHARE_KEPT = 0.1
/** Steps between an utterance's last use and its mark (LUFY, 3.4). */
const LAG = 1
/** An utterance counts as important if at least this share of its annotators marked it. */
const MIN_SHARE_OF_MARKS = 0.5
/** Number of fits on resampled people, for the intervals of weights. Each takes as long as the first fit. */
const REFITS = 100

/** Scores by which two sets of weights are compared. `crossValidate` explains them. */
export const SCORES = ['agreement', 'auroc', 'squared error'] as const
export type ScoreName = (typeof SCORES)[number]
export type Scores = Readonly<Record<ScoreName, number>>

/** Results on one person who was held out of the fit. If there is only one person, a session is held out. */
export interface Fold {
  /** Name of the person or session that was held out. */
  readonly heldOut: string
  /** Weights that were fitted on all others. */
  readonly weights: FittedWeights
  /** Scores of these weights on the held-out utterances. */
  readonly fitted: Scores
  /** Scores of the paper's weights on the same utterances. */
  readonly paper: Scores
}

/** How well weights do on people or sessions that they were not fitted on. */
export interface CrossValidation {
  /** What each fold holds out. */
  readonly by: 'person' | 'session'
  readonly folds: readonly Fold[]
  /** Mean scores of the fitted weights over all folds. */
  readonly fitted: Readonly<Record<ScoreName, Estimate>>
  /** Mean scores of the paper's weights over all folds. */
  readonly paper: Readonly<Record<ScoreName, Estimate>>
  /** Mean difference over all folds: fitted minus the paper's. */
  readonly lead: Readonly<Record<ScoreName, Estimate>>
  /** Intervals of the weights that are fitted on all, by refitting on people drawn with replacement. */
  readonly weights: Readonly<Record<keyof StrengthWeights, Interval>>
}

/**
 * Measures fitted weights on people that were not part of the fit, and the paper's weights on the same people. From weights follows the
 * strength S of an utterance, and from S its predicted retention exp(−1/S). The tenth of each session with the highest retention is kept.
 *
 * - `agreement`: the share of the kept utterances that people marked (LUFY, table 12).
 * - `auroc`: how well retention separates the utterances that at least half of the annotators marked (1 is perfect, 0.5 is chance).
 * - `squared error`: the mean squared difference between retention and the marks.
 *
 * @throws RangeError with fewer than two people and fewer than two sessions
 */
export function crossValidate(
  marked: readonly Marked[],
  { seed = 1, ...options }: Omit<FitWeightsOptions, 'source'> & { readonly seed?: number },
): CrossValidation {
  const people = new Set(marked.map(({ person }) => person))
  const by = people.size > 1 ? 'person' : 'session'
  const groups = [...Map.groupBy(marked, (utterance) => utterance[by])]
  if (groups.length < 2)
    throw new RangeError(
      'Weights are judged on people, or sessions, that they were not fitted on: mark two sessions at least.',
    )
  const folds = groups.map(([heldOut, heldOutMarks]) => {
    const others = marked.filter((utterance) => utterance[by] !== heldOut)
    const weights = fitWeights(others, { ...options, source: `all but ${heldOut}` })
    return makeFold(heldOut, heldOutMarks, weights)
  })
  const estimateScores = (scoreOf: (fold: Fold, name: ScoreName) => number): Record<ScoreName, Estimate> => {
    const estimateOf = (name: ScoreName): Estimate => {
      const scores = folds.map((fold) => scoreOf(fold, name))
      return estimate(scores, seed)
    }
    return Object.fromEntries(SCORES.map((name) => [name, estimateOf(name)])) as Record<ScoreName, Estimate>
  }
  const marksByGroup = groups.map(([, marks]) => marks)
  return {
    by,
    folds,
    fitted: estimateScores(({ fitted }, name) => fitted[name]),
    paper: estimateScores(({ paper }, name) => paper[name]),
    lead: estimateScores(({ fitted, paper }, name) => fitted[name] - paper[name]),
    weights: estimateIntervals(marksByGroup, { ...options, seed }),
  }
}

function makeFold(heldOut: string, heldOutMarks: readonly Marked[], weights: FittedWeights): Fold {
  // The metrics get the scale on which the weights were fitted.
  const utterances = normalised(heldOutMarks, weights.calibration)
  const fitted = scoresOf(heldOutMarks, utterances, weights.weights)
  const paper = scoresOf(heldOutMarks, utterances, LUFY_WEIGHTS)
  return { heldOut, weights, fitted, paper }
}

/** @param utterances the marked ones, in the same order, with normalised metrics */
function scoresOf(
  marked: readonly Marked[],
  utterances: readonly AnnotatedUtterance[],
  weights: StrengthWeights,
): Scores {
  const predictions = utterances.map(({ metrics, important }, index) => ({
    important,
    session: marked[index]?.session ?? '',
    retention: retained(LAG, lufyStrength(metrics, weights)),
  }))
  const sessions = [...Map.groupBy(predictions, ({ session }) => session).values()]
  const agreementBySession = sessions.map((session) => {
    const strongestFirst = session.toSorted((one, other) => other.retention - one.retention)
    const keptCount = Math.max(1, Math.round(SHARE_KEPT * session.length))
    return meanOf(strongestFirst.slice(0, keptCount).map(({ important }) => important))
  })
  const isImportant = ({ important }: { important: number }): boolean => important >= MIN_SHARE_OF_MARKS
  const ofImportant = predictions.filter(isImportant).map(({ retention }) => retention)
  const ofOthers = predictions.filter((one) => !isImportant(one)).map(({ retention }) => retention)
  return {
    agreement: meanOf(agreementBySession),
    auroc: auroc(ofImportant, ofOthers),
    'squared error': meanOf(predictions.map(({ important, retention }) => (retention - important) ** 2)),
  }
}

/** Returns the mean over the folds that have a value, and its interval by resampling these folds. */
function estimate(values: readonly number[], seed: number): Estimate {
  return estimateMean(values.filter(Number.isFinite), seed) ?? { value: NaN, low: NaN, high: NaN }
}

/** Estimates intervals of the weights. A draw of groups is fitted once, and is then used for all five weights. */
function estimateIntervals(
  groups: readonly (readonly Marked[])[],
  { seed, ...options }: Omit<FitWeightsOptions, 'source'> & { readonly seed: number },
): Record<keyof StrengthWeights, Interval> {
  const weightsByDraw = new Map<string, StrengthWeights>()
  const fitDraw = (draw: readonly number[]): StrengthWeights => {
    const key = draw.toSorted((one, other) => one - other).join()
    const known = weightsByDraw.get(key)
    if (known !== undefined) return known
    const marks = draw.flatMap((group) => groups[group] ?? [])
    const { weights } = fitWeights(marks, { ...options, source: 'resample' })
    weightsByDraw.set(key, weights)
    return weights
  }
  return byMetric((metric) =>
    resampleClusters(groups.length, (draw) => fitDraw(draw)[metric], { seed, resamples: REFITS }),
  )
}

const meanOf = (values: readonly number[]): number => mean(values) ?? Number.NaN
