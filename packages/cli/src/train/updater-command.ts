import { writeFileSync } from 'node:fs'
import type { UpdaterScore } from '@keepsake/training'
import { defineCommand } from '../define-command.ts'
import { loadTraining } from '../load-package.ts'
import { table } from '../output/print.ts'

export const updaterCommand = defineCommand({
  name: 'updater',
  summary: 'the light updater, anew',
  description:
    'Learns the light updater anew: which known statement a turn changes or ends, with no language model. From generated Mem_Dialogue (its train split alone) and sentences that come with the package; the same on every machine. Then judges it on what it never saw: the test split, and sentences in the way people talk.',
  takes: [],
  declare: (command) =>
    command.option('--out <file>', 'write the weights there (as data/updater-weights.json of the engine)'),
  json: 'one JSON object a set, a line each',
  examples: ['keepsake train updater', 'keepsake train updater --out updater-weights.json --json'],
  async run({ options }) {
    const { allExamples, fitUpdater, judgedSets, judgeUpdater } = await loadTraining()
    const weights = fitUpdater(await allExamples())
    if (options.out !== undefined) writeFileSync(options.out, `${JSON.stringify(weights, null, 2)}\n`)
    const scores = (await judgedSets()).map(({ name, examples }) => judgeUpdater(name, examples, weights))
    return { data: scores, words: () => scoreTable(scores) }
  },
})

function scoreTable(scores: readonly UpdaterScore[]): string {
  const share = (value: number | null): string => (value === null ? '–' : (100 * value).toFixed(1))
  return table(
    ['set', 'rounds', 'type', 'type and index', 'changes found', 'changes sound'],
    scores.map(({ set, examples, type, typeAndIndex, found, sound }) => [
      set,
      String(examples),
      ...[type, typeAndIndex, found, sound].map(share),
    ]),
    [1, 2, 3, 4, 5],
  )
}
