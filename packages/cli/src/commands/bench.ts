import { Command } from 'commander'
import { benchForgettingCommand } from './bench-forgetting.ts'
import { benchPerfCommand } from './bench-perf.ts'
import { benchRetrievalCommand } from './bench-retrieval.ts'
import type { Io } from '../io.ts'

export function benchCommand(io: Io): Command {
  return new Command('bench')
    .summary('measure retrieval, forgetting and speed')
    .description(
      'Measures retrieval and forgetting on published data sets that you bring, and speed on generated text.',
    )
    .addCommand(benchRetrievalCommand(io))
    .addCommand(benchForgettingCommand(io))
    .addCommand(benchPerfCommand(io))
}
