/**
 * Fits the weights of the stand-in for LUFY's L, packages/keepsake/src/importance/stand-in-importance.ts. The model predicts from the three
 * features of a turn of LoCoMo whether questions of categories 1 to 4 name it as evidence. Prints the weights as multiples of the first,
 * for all conversations and for all but each one. It writes no file, since the engine's source has the rounded ratio.
 *
 *   node tools/data/src/fit-stand-in-importance.ts LOCOMO.json
 */
import type { ForgettingTalk } from '../../../packages/bench/src/forgetting/forgetting-talk.ts'
import { fitImportance } from '../../../packages/bench/src/forgetting/hold-out-importance.ts'
import { loadLocomoTalks } from '../../../packages/bench/src/forgetting/read-locomo-talks.ts'

const [file] = process.argv.slice(2)
if (file === undefined) {
  console.error('Name the LoCoMo file: node tools/data/src/fit-stand-in-importance.ts LOCOMO.json')
  process.exitCode = 2
} else {
  const { talks } = await loadLocomoTalks(file)
  printWeights('all', talks)
  for (const talk of talks) {
    const others = talks.filter((other) => other !== talk)
    printWeights(`without ${talk.name}`, others)
  }
}

function printWeights(label: string, talks: readonly ForgettingTalk[]): void {
  const weights = Object.entries(fitImportance(talks) ?? {})
  const parts = weights.map(([feature, weight]) => `${feature} ${weight.toFixed(2)}`)
  console.log(`${label}: ${parts.join(', ')}`)
}
