import { Command } from 'commander'
import { benchmarkCommand } from '../bench/benchmark-command.ts'
import { generateCommand } from '../bench/generate-command.ts'
import { judgeCommand } from '../bench/judge-command.ts'
import { paperCommand } from '../bench/paper-command.ts'
import { reportCommand } from '../bench/report-command.ts'
import type { Io } from '../io.ts'
import { loadBench, loadPerf } from '../load-package.ts'

/** A help text for installations without the repository's own benchmarks. */
const PERF_HELP =
  '\nperf, server and faults (speed, load, kills) run in a clone of the repository: npm run perf -- faults --trials 50.'

export function benchCommand(): Command {
  return new Command('bench')
    .summary('measure this and other memory systems')
    .description(
      'Measures memory systems, Keepsake and others: each step on published data sets that you provide or on generated ones, their speed, alone and as a server, and the cost of their model calls.',
    )
}

/** Adds the harness's subcommands, which are loaded only here. */
export async function addBenchCommands(command: Command, io: Io): Promise<void> {
  const bench = await loadBench()
  const perfBenchmarks = (await loadPerf())?.BENCHMARKS ?? []
  if (perfBenchmarks.length === 0) command.addHelpText('after', PERF_HELP)
  for (const benchmark of [...bench.BENCHMARKS, ...perfBenchmarks])
    command.addCommand(benchmarkCommand(bench, benchmark)(io))
  command
    .addCommand(paperCommand(bench)(io))
    .addCommand(reportCommand(bench)(io))
    .addCommand(judgeCommand(bench)(io))
    .addCommand(generateCommand(io))
}
