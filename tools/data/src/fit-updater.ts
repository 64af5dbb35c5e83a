import { writeFileSync } from 'node:fs'
import { allExamples, fitUpdater } from './updater/fit-updater.ts'
import { judgedSets, judgeUpdater } from './updater/judge-updater.ts'

/**
 * Fits `packages/text/data/updater-weights.json`: which known statement a turn changes or ends, without a language model. Prints how
 * the weights do on what they were not fitted on: the test split of Mem_Dialogue, and sentences in the way users talk.
 *
 *   node tools/data/src/fit-updater.ts [--write]
 */

const WEIGHTS = new URL('../../../packages/text/data/updater-weights.json', import.meta.url)

const weights = fitUpdater(await allExamples())
if (process.argv.includes('--write')) writeFileSync(WEIGHTS, `${JSON.stringify(weights, null, 2)}\n`)
for (const { name, examples } of await judgedSets())
  process.stdout.write(`${JSON.stringify(judgeUpdater(name, examples, weights))}\n`)
