import { readCandidates, readSaid, TARGET_FEATURES } from 'keepsake/parts'
import type { UpdateExample } from './example.ts'
import { dot, softmax } from './softmax.ts'

const STEPS = 250
const RATE = 4
const RIDGE = 0.005

/**
 * Weights by which the statement that is meant comes before the others that share a word with what is said: conditional
 * logistic regression by gradient descent, on the rounds whose target is known.
 */
export function fitTarget(examples: readonly UpdateExample[]): number[] {
  const choices = examples.flatMap(choiceOf)
  let weights = TARGET_FEATURES.map(() => 0)
  for (let step = 0; step < STEPS; step++) {
    const slope = weights.map((weight) => RIDGE * weight)
    for (const { candidates, meant } of choices) {
      const chances = softmax(candidates.map((features) => dot(weights, features)))
      for (const [at, features] of candidates.entries()) {
        const error = ((chances[at] ?? 0) - (at === meant ? 1 : 0)) / choices.length
        for (const [place, value] of features.entries()) slope[place] = (slope[place] ?? 0) + error * value
      }
    }
    weights = weights.map((weight, place) => weight - RATE * (slope[place] ?? 0))
  }
  return weights
}

function choiceOf({ said, known, target }: UpdateExample) {
  if (target === null) return []
  const { candidates } = readCandidates(readSaid(said), known)
  const meant = candidates.findIndex(({ place }) => place === target)
  return meant < 0 || candidates.length < 2
    ? []
    : [{ candidates: candidates.map(({ features }) => features), meant }]
}
