import { TARGET_FEATURES, UPDATE_KINDS, readCandidates, readSaid, type UpdaterWeights } from '@keepsake/text'
import type { UpdateExample } from './example.ts'
import { fitKinds } from './fit-kinds.ts'
import { LANGUAGES, SPLIT_SEED, gatherExamples } from './gather-examples.ts'
import { dot, softmax } from './softmax.ts'

const STEPS = 250
const RATE = 4
const RIDGE = 0.005

/** Fits weights of the meant statement: conditional logistic regression on the rounds whose target is known. */
function fitTarget(examples: readonly UpdateExample[]): number[] {
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

const SOURCE =
  'Mem_Dialogue as our generator makes it, train split of seed 7 in English and Chinese; sentences of our own (tools/data/data/updater)'
const LICENCE = 'Apache-2.0'
/** Five digits say all that the fit knows. */
const DIGITS = 5

/** The light updater's weights, from examples. The same examples give the same weights. */
export function fitUpdater(examples: readonly UpdateExample[]): UpdaterWeights {
  const target = fitTarget(examples)
  const kinds = fitKinds(examples, target)
  const rounded = (value: number): number => Number(value.toPrecision(DIGITS))
  for (const kind of UPDATE_KINDS)
    kinds[kind] = { bias: rounded(kinds[kind].bias), weights: kinds[kind].weights.map(rounded) }
  return {
    version: 1,
    source: SOURCE,
    licence: LICENCE,
    seed: SPLIT_SEED,
    examples: examples.length,
    target: target.map(rounded),
    kinds,
  }
}

/** What the packaged weights are made from. */
export async function allExamples(): Promise<UpdateExample[]> {
  return (await Promise.all(LANGUAGES.map(gatherExamples))).flat()
}
