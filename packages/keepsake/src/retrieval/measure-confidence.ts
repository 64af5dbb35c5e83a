// Computes how likely memory has an answer to a question, from the traits that `readConfidenceTraits` reads.
//
// A logistic model weighs the traits. A veto then keeps the confidence below `KNOWN_FROM`. `readAnswerable` turns the confidence into
// yes, maybe or no.
import type { ConfidenceTraits } from './confidence-traits.ts'
import type { Answerable } from './recall-types.ts'

/** From this confidence on, recall calls the answer known. A wrong “I don't know” costs more than a line too many. */
export const KNOWN_FROM = 0.45

/**
 * Logistic weights, rounded, as `tools/data/src/fit-confidence.ts` finds them. They are few, so that they hold on other talk too.
 * `unmentioned` was made heavier by hand: a relative whom no text mentions is known by chance only.
 */
export const CONFIDENCE_WEIGHTS = {
  coverage: 2,
  particular: -1.7,
  answering: 1,
  aheadOfPeople: 2.9,
  aheadOfAgent: 3.2,
  unmentioned: -2.5,
} as const
const WEIGHED_TRAITS = Object.keys(CONFIDENCE_WEIGHTS) as (keyof typeof CONFIDENCE_WEIGHTS)[]
/** Constant term of the logistic model. */
const BIAS = -0.4

/** Computes the probability, from 0 to 1, that the answer was ever said. It is 0 for an empty memory. */
export function measureConfidence(traits: ConfidenceTraits): number {
  if (traits.documents === 0) return 0
  let logOdds = BIAS
  for (const trait of WEIGHED_TRAITS) logOdds += CONFIDENCE_WEIGHTS[trait] * traits[trait]
  const confidence = 1 / (1 + Math.exp(-logOdds))
  return traits.isVetoed ? confidence * KNOWN_FROM : confidence
}

/** Weight of a reranking model's probability. The confidence without the model has weight 1. */
const RELEVANCE_WEIGHT = 3

/** Joins a confidence with a reranking model's probability that the best result answers the question. */
export function confidenceWith(confidence: number, relevance: number): number {
  return (confidence + RELEVANCE_WEIGHT * Math.min(1, Math.max(0, relevance))) / (1 + RELEVANCE_WEIGHT)
}

/** Turns a confidence into yes, maybe or no. */
export function readAnswerable(confidence: number, isNear: boolean): Answerable {
  if (confidence >= KNOWN_FROM) return 'yes'
  return isNear ? 'maybe' : 'no'
}
