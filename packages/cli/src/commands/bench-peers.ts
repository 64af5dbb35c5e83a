import { Command } from 'commander'
import { wrongUsage } from '../cli-error.ts'
import { debugOption, jsonOption, wholeNumber } from '../common-options.ts'
import { examples } from '../examples-help.ts'
import type { Io } from '../io.ts'
import { print, printJson } from '../output/print.ts'
import { stepsFor } from '../output/progress.ts'

interface Options {
  readonly sizes?: number[]
  readonly calls?: number
  readonly kills?: number
  readonly seed?: number
  readonly folder?: string
  readonly json?: boolean
}

const MOST = 1_000_000

function sizes(value: string): number[] {
  return value.split(',').map(wholeNumber(1, MOST))
}

export function benchPeersCommand(io: Io): Command {
  return new Command('peers')
    .description(
      "Measures Keepsake and Mem0's npm package side by side: speed, calls, size, and what survives a kill. Takes minutes; needs mem0ai installed.",
    )
    .option('--sizes <list>', 'facts held when measuring (default: 1000,10000)', sizes)
    .option('--calls <n>', 'calls measured (default: 200, from 10,000 facts on 60)', wholeNumber(1, MOST))
    .option('--kills <n>', 'kills of each system, 0 for none (default: 20)', wholeNumber(0, 1_000))
    .option('--seed <n>', 'seed of the generated talk (default: 1)', wholeNumber(0, MOST))
    .option('--folder <path>', 'where the files are made; they are removed (default: the temporary folder)')
    .addOption(jsonOption())
    .addOption(debugOption())
    .addHelpText(
      'after',
      examples('keepsake bench peers --sizes 1000 --kills 0', 'keepsake bench peers --json'),
    )
    .action(async ({ json, ...options }: Options) => {
      const { benchPeers, renderPeers } = await import('@keepsake/bench')
      if (options.sizes?.length === 0) throw wrongUsage('--sizes needs at least one number.')
      const steps = stepsFor(io, json === true)
      const report = await benchPeers({ ...options, onProgress: steps.say })
      if (json === true) printJson(io, report)
      else print(io, renderPeers(report).trimEnd())
    })
}
