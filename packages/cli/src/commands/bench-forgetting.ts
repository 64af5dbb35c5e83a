import type { Capacity, ForgettingDataset } from '@keepsake/bench'
import { Command, InvalidArgumentError, Option } from 'commander'
import { debugOption, jsonOption, share, wholeNumber } from '../common-options.ts'
import { examples } from '../examples-help.ts'
import type { Io } from '../io.ts'
import { showReport } from '../output/format-report.ts'
import { progressFor } from '../output/progress.ts'

interface Options {
  readonly path: string
  readonly dataset: ForgettingDataset
  readonly through?: 'engine' | 'policies'
  readonly keep?: number
  readonly seed?: number
  readonly randomSeeds?: number
  readonly capacities?: Capacity[]
  readonly json?: boolean
}

const DATASETS = ['locomo', 'lufy'] as const satisfies readonly ForgettingDataset[]

export function benchForgettingCommand(io: Io): Command {
  return new Command('forgetting')
    .description('Measures what each forgetting policy keeps when nine tenths must go.')
    .addOption(new Option('--dataset <name>', 'the data set').choices(DATASETS).default('lufy'))
    .requiredOption('--path <path>', "the data set's file (locomo) or folder (lufy)")
    .addOption(
      new Option(
        '--through <what>',
        'the whole engine, or the pure policies with a plain retriever (default: "engine")',
      ).choices(['engine', 'policies']),
    )
    .option('--keep <share>', 'share that is kept (default: 0.1)', share)
    .option('--seed <n>', 'seed of intervals and chance (default: 1)', wholeNumber(0, 1_000_000_000))
    .option('--random-seeds <n>', 'how often chance is drawn (default: 20)', wholeNumber(0, 1_000))
    .option(
      '--capacities <list>',
      'also keep each of these numbers of memories, or shares of the mean talk as in 10%, and draw the curve',
      (list: string) => list.split(',').map(capacity),
    )
    .addOption(jsonOption())
    .addOption(debugOption())
    .addHelpText(
      'after',
      examples(
        'keepsake bench forgetting --dataset lufy --path lufy-dataset --json',
        'keepsake bench forgetting --dataset locomo --path locomo10.json --through policies --capacities 5%,10%,20%',
      ),
    )
    .action(async ({ json, ...options }: Options) => {
      const { benchForgetting } = await import('@keepsake/bench')
      const progress = progressFor(io, json === true)
      const report = await benchForgetting({ ...options, onProgress: progress.follow('Forgetting') }).finally(
        progress.stop,
      )
      showReport(io, report, json === true)
    })
}

/** Reads `16` or `10%`. */
function capacity(text: string): Capacity {
  if (!text.trim().endsWith('%')) return wholeNumber(1, 1_000_000)(text)
  const percent = Number(text.trim().slice(0, -1))
  if (percent > 0 && percent <= 100) return `${percent}%`
  throw new InvalidArgumentError('A share must be above 0 % and at most 100 %.')
}
