import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { defineBenchmark, type Step } from '../benchmark/benchmark.ts'
import { checkRecord } from '../datasets/check-record.ts'
import { DatasetError } from '../datasets/dataset-error.ts'
import { readJson } from '../datasets/read-input.ts'
import { openJsonLines } from '../datasets/record-file.ts'
import type { LogEntry } from '../log/log-entry.ts'
import { runManifest } from '../results/run-summary.ts'
import { applyVerdicts, verdictLine, type VerdictLine } from './apply-verdicts.ts'
import { entriesOf } from './figures/make-figures.ts'
import { summariseLog } from './figures/summarise-log.ts'
import { byConversation } from './measure-system.ts'

/** Recomputes the figures of a finished run from external verdicts, such as people's. */
export const verdicts = defineBenchmark({
  name: 'verdicts',
  about:
    'Counts a finished run again by external verdicts: of people, or of a judge of several systems side by side without knowing which is which.',
  examples: [
    'verdicts --run bench-runs/halumem-keepsake-0f3a12 --verdicts verdicts.jsonl --by "two readers"',
  ],
  options: z.object({
    run: z.string().meta({ value: '<folder>', description: 'the run that was judged' }),
    verdicts: z.string().meta({
      value: '<file>',
      description:
        'JSON lines: integrity, accuracy, gold_match and updates of a session, or the verdict on a question',
    }),
    by: z.string().meta({ value: '<name>', description: 'who judged; the figures stand under this name' }),
  }),
  async *open({ run, verdicts: file, by }) {
    const manifestFile = join(run, 'run.json')
    const value = await readJson(manifestFile)
    const manifest = checkRecord(runManifest, manifestFile, { where: 'the run', value })
    const { dataset, dataHash, systems, config, reader, tasks } = manifest
    const judgedLog = await judgeLog(run, file)
    const [system = ''] = systems
    yield {
      dataset,
      dataHash,
      systems,
      config: { ...config, judgeVersion: (await openJsonLines(file)).dataHash },
      ...(reader === null ? {} : { reader }),
      judge: by,
      tasks,
      goesOn: 'never',
      total: null,
      steps: stepsOf(judgedLog),
      summarise: (log) => [{ system, figures: summariseLog(byConversation(log), { judge: by, reader }) }],
      countConversations: (log) => entriesOf(log, 'done').length,
    }
  },
})

/** One step per conversation, which returns its judged entries. */
function stepsOf(log: readonly LogEntry[]): Step[] {
  const nameOf = (entry: LogEntry): string => (entry.entry === 'step' ? entry.step : entry.conversation)
  return [...Map.groupBy(log, nameOf)].map(([name, entries]) => ({ name, measure: async () => entries }))
}

/** Reads the log of a run and replaces its verdicts by those of a file. */
async function judgeLog(run: string, file: string): Promise<LogEntry[]> {
  const log = (await readFile(join(run, 'log.jsonl'), 'utf8'))
    .split('\n')
    .filter((line) => line !== '')
    .map((line): LogEntry => JSON.parse(line))
  const lines: VerdictLine[] = []
  for await (const record of (await openJsonLines(file)).records())
    lines.push(checkRecord(verdictLine, file, record))
  try {
    return applyVerdicts(log, lines)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new DatasetError(file, error.message, error)
  }
}
