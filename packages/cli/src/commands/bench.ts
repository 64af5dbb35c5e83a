import { Command } from 'commander'
import { benchCostCommand } from './bench-cost.ts'
import { benchForgettingCommand } from './bench-forgetting.ts'
import { benchPerfCommand } from './bench-perf.ts'
import { benchRetrievalCommand } from './bench-retrieval.ts'
import type { Io } from '../io.ts'

export function benchCommand(io: Io): Command {
  return new Command('bench')
    .summary('measure retrieval, forgetting, speed and cost')
    .description(
      'Measures retrieval and forgetting on published data sets that you bring, speed on generated text, and what a language model is asked.',
    )
    .addCommand(benchRetrievalCommand(io))
    .addCommand(benchForgettingCommand(io))
    .addCommand(benchPerfCommand(io))
    .addCommand(benchCostCommand(io))
}
