import { Command } from 'commander'
import { benchCostCommand } from './bench-cost.ts'
import { benchForgettingCommand } from './bench-forgetting.ts'
import { benchGenerateCommand } from './bench-generate.ts'
import { benchJudgeCommand } from './bench-judge.ts'
import { benchPeersCommand } from './bench-peers.ts'
import { benchPerfCommand } from './bench-perf.ts'
import { benchReportCommand } from './bench-report.ts'
import { benchRetrievalCommand } from './bench-retrieval.ts'
import { benchRunCommand } from './bench-run.ts'
import { benchServerCommand } from './bench-server.ts'
import type { Io } from '../io.ts'

export function benchCommand(io: Io): Command {
  return new Command('bench')
    .summary('measure this and other memory systems')
    .description(
      'Measures memory systems, Keepsake and others: every step of them on published data sets that you bring or on generated ones, their speed, alone and as a server, and what they ask of a language model.',
    )
    .addCommand(benchRunCommand(io))
    .addCommand(benchReportCommand(io))
    .addCommand(benchJudgeCommand(io))
    .addCommand(benchGenerateCommand(io))
    .addCommand(benchPeersCommand(io))
    .addCommand(benchRetrievalCommand(io))
    .addCommand(benchForgettingCommand(io))
    .addCommand(benchPerfCommand(io))
    .addCommand(benchServerCommand(io))
    .addCommand(benchCostCommand(io))
}
