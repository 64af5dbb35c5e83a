import { Command } from 'commander'
import type { PresetName } from 'keepsake'
import { wrongUsage } from '../cli-error.ts'
import { debugOption, jsonOption, presetOption, wholeNumber } from '../common-options.ts'
import { examples } from '../examples-help.ts'
import type { Io } from '../io.ts'
import { showReport } from '../output/format-report.ts'
import { stepsFor } from '../output/progress.ts'

interface Options {
  readonly sizes?: number[]
  readonly isolation?: { readonly scopes: number; readonly memories: number } | false
  readonly calls?: number
  readonly seed?: number
  readonly folder?: string
  readonly preset?: PresetName
  readonly json?: boolean
}

const MOST = 10_000_000

function sizes(value: string): number[] {
  return value.split(',').map(wholeNumber(1, MOST))
}

function isolation(value: string): { scopes: number; memories: number } {
  const [scopes, memories, ...rest] = value.split('x').map(wholeNumber(1, MOST))
  if (scopes === undefined || memories === undefined || rest.length > 0) {
    throw wrongUsage(`--isolation takes two numbers such as 1000x1000, not "${value}".`)
  }
  return { scopes, memories }
}

export function benchPerfCommand(io: Io): Command {
  return new Command('perf')
    .description('Measures how fast a memory is, and how much room it takes. Takes minutes at full size.')
    .option('--sizes <list>', 'memories in one scope (default: 1000,10000,100000)', sizes)
    .option(
      '--isolation <scopes>x<memories>',
      'one scope among so many, with so many memories each (default: 1000x1000)',
      isolation,
    )
    .option('--no-isolation', 'leave that out')
    .option('--calls <n>', 'calls measured (default: 1000)', wholeNumber(1, 1_000_000))
    .option('--seed <n>', 'seed of the generated text (default: 1)', wholeNumber(0, MOST))
    .option('--folder <path>', 'where the files are made; they are removed (default: the temporary folder)')
    .addOption(presetOption())
    .addOption(jsonOption())
    .addOption(debugOption())
    .addHelpText(
      'after',
      examples('keepsake bench perf --sizes 1000,10000 --no-isolation', 'keepsake bench perf --json'),
    )
    .action(async ({ json, isolation: asked, ...options }: Options) => {
      const { benchPerf } = await import('@keepsake/bench')
      if (options.sizes?.length === 0) throw wrongUsage('--sizes needs at least one number.')
      const steps = stepsFor(io, json === true)
      const report = await benchPerf({
        ...options,
        ...(typeof asked === 'object' ? { isolation: asked } : {}),
        ...(asked === false ? { isolation: null } : {}),
        onProgress: steps.say,
      })
      showReport(io, report, json === true)
    })
}
