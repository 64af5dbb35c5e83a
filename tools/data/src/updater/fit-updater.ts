import { UPDATE_KINDS, type UpdaterWeights } from 'keepsake/parts'
import type { UpdateExample } from './example.ts'
import { fitKinds } from './fit-kinds.ts'
import { fitTarget } from './fit-target.ts'
import { gatherExamples, LANGUAGES, SPLIT_SEED } from './gather-examples.ts'

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
