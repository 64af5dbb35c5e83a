import { Option, type Command } from '@commander-js/extra-typings'
import type { Judge, ProbeReport } from '@keepsake/bench'
import { defineCommand, type MakeCommand } from '../define-command.ts'
import type { Io } from '../io.ts'
import { loadModels, type Bench } from '../load-package.ts'
import { MODEL_FORMS_HELP } from '../model-options.ts'
import { table } from '../output/print.ts'
import type { Style } from '../output/style.ts'
import type { Declared } from '../shared-options.ts'

const judgeOptions = (command: Command) =>
  command
    .option('--judge <spec>', 'the model that judges (default: judged by rule)')
    .addOption(
      new Option('--language <code>', 'of the items and the prompts').choices(['en', 'zh']).default('en'),
    )
    .option('--record <file>', "record the model's answers in this file; recorded ones are reused")
    .addOption(new Option('--answers <file>', 'use recorded answers instead of a model').conflicts('judge'))

export const judgeCommand = (bench: Bench): MakeCommand =>
  defineCommand({
    name: 'judge',
    description:
      'Tests a judge before you trust its verdicts. It counts how often the judge accepts answers that are vague, wrong, partly right, contradictory or that instruct the judge, and how often it refuses correct ones.',
    sharedOptions: [],
    declare: judgeOptions,
    json: 'the verdict on every item as JSON',
    details: MODEL_FORMS_HELP,
    examples: ['keepsake bench judge', 'keepsake bench judge --judge ollama:qwen3 --language zh --json'],
    async run({ io, options }) {
      const { language } = options
      const items = await bench.loadProbe(language)
      const { judge, sample } = await openJudge(io, bench, options)
      const sampled = sample === undefined ? items : bench.sampleProbe(items, sample)
      const report = await bench.probeJudge(judge, sampled)
      return {
        data: { benchmark: 'judge', language, sample: sample ?? null, ...report },
        formatText: (style) => formatProbe(report, style),
      }
    },
  })

/** Opens the judge. Recorded answers may be about a sample of the items; `sample` is then its size. */
async function openJudge(
  { env }: Io,
  bench: Bench,
  { judge: spec, language, record, answers }: Declared<typeof judgeOptions>,
): Promise<{ readonly judge: Judge; readonly sample?: number }> {
  const { deterministicJudge, modelJudge, replayingModel, replayOrRecord } = bench
  if (answers !== undefined) {
    const model = replayingModel(answers)
    const { sample } = model.header.about
    return { judge: modelJudge({ model, language }), ...(typeof sample === 'number' ? { sample } : {}) }
  }
  if (spec === undefined) return { judge: deterministicJudge }
  const { openModel } = await loadModels()
  const judgeModel = await openModel(spec, { env })
  const model = record === undefined ? judgeModel : replayOrRecord(judgeModel, record)
  return { judge: modelJudge({ model, language }) }
}

function formatProbe({ judge, version, byKind, all }: ProbeReport, { bold, dim }: Style): string {
  const rows = [...Object.entries(byKind), ['all', all] as const].map(([kind, count]) => [
    kind,
    String(count.items),
    String(count.accepted),
    String(count.wronglyAccepted),
    String(count.wronglyRefused),
    String(count.failed),
  ])
  const heads = ['answer', 'items', 'accepted', 'wrongly', 'wrongly refused', 'no verdict']
  return [
    bold(`${judge} (${version})`),
    table(heads, rows, [1, 2, 3, 4, 5]),
    dim('--json includes the verdict on every item, with its reason.'),
  ].join('\n')
}
