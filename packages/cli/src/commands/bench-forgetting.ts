import { Command, Option } from 'commander'
import { debugOption, jsonOption, share, wholeNumber } from '../common-options.ts'
import { examples } from '../examples-help.ts'
import type { Io } from '../io.ts'
import { showReport } from '../output/format-report.ts'
import { progressFor } from '../output/progress.ts'

interface Options {
  readonly path: string
  readonly dataset: 'lufy'
  readonly through?: 'engine' | 'policies'
  readonly keep?: number
  readonly seed?: number
  readonly capacities?: number[]
  readonly json?: boolean
}

export function benchForgettingCommand(io: Io): Command {
  return new Command('forgetting')
    .description('Measures what each forgetting policy keeps when nine tenths must go.')
    .addOption(new Option('--dataset <name>', 'the data set').choices(['lufy']).default('lufy'))
    .requiredOption('--path <folder>', "the LUFY dataset's folder")
    .addOption(
      new Option(
        '--through <what>',
        'the whole engine, or the pure policies with a plain retriever (default: "engine")',
      ).choices(['engine', 'policies']),
    )
    .option('--keep <share>', 'share that is kept (default: 0.1)', share)
    .option('--seed <n>', 'seed of intervals and chance (default: 1)', wholeNumber(0, 1_000_000_000))
    .option(
      '--capacities <list>',
      'also keep each of these numbers of memories, and draw the curve',
      (list: string) => list.split(',').map(wholeNumber(1, 1_000_000)),
    )
    .addOption(jsonOption())
    .addOption(debugOption())
    .addHelpText('after', examples('keepsake bench forgetting --dataset lufy --path lufy-dataset --json'))
    .action(async ({ json, dataset: _dataset, ...options }: Options) => {
      const { benchForgetting } = await import('@keepsake/bench')
      const progress = progressFor(io, json === true)
      const report = await benchForgetting({ ...options, onProgress: progress.follow('Forgetting') }).finally(
        progress.stop,
      )
      showReport(io, report, json === true)
    })
}
