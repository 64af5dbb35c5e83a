import { Command, Option } from 'commander'
import { RETRIEVAL_PARTS, type PresetName, type RetrievalPart } from 'keepsake'
import { debugOption, jsonOption, oneOrMoreOf, presetOption } from '../common-options.ts'
import { examples } from '../examples-help.ts'
import type { Io } from '../io.ts'
import { showReport } from '../output/format-report.ts'
import { progressFor } from '../output/progress.ts'

interface Options {
  readonly dataset: 'locomo' | 'lufy' | 'memorybank'
  readonly path: string
  readonly preset?: PresetName
  readonly without?: RetrievalPart[]
  readonly system: 'keepsake' | 'bm25'
  readonly json?: boolean
}

export function benchRetrievalCommand(io: Io): Command {
  return new Command('retrieval')
    .description('Measures how often the turns that answer a question are among the first recalled.')
    .addOption(
      new Option('--dataset <name>', 'the data set')
        .choices(['locomo', 'lufy', 'memorybank'])
        .makeOptionMandatory(),
    )
    .requiredOption('--path <path>', "the data set's file (locomo) or folder (lufy, memorybank)")
    .option(
      '--without <parts>',
      `switch off parts of the ranking: ${RETRIEVAL_PARTS.join(', ')}`,
      oneOrMoreOf(RETRIEVAL_PARTS),
    )
    .addOption(
      new Option('--system <name>', 'what is measured; bm25 is the baseline: the words of each turn alone')
        .choices(['keepsake', 'bm25'])
        .default('keepsake'),
    )
    .addOption(presetOption())
    .addOption(jsonOption())
    .addOption(debugOption())
    .addHelpText(
      'after',
      examples(
        'keepsake bench retrieval --dataset locomo --path locomo10.json --json',
        'keepsake bench retrieval --dataset lufy --path lufy-dataset --without recency',
      ),
    )
    .action(async ({ json, dataset, path, system: name, preset = 'keepsake', without = [] }: Options) => {
      const { benchRetrieval, keepsakeSystem, turnLevelBm25 } = await import('@keepsake/bench')
      const progress = progressFor(io, json === true)
      const tell = progress.follow('Retrieval')
      const system = name === 'bm25' ? turnLevelBm25() : keepsakeSystem({ preset, without })
      const onProgress = (share: number): void => tell(Math.round(share * 100), 100)
      const report = await benchRetrieval({ dataset, path, system, onProgress }).finally(progress.stop)
      showReport(io, report, json === true)
    })
}
