import type { ProbeReport } from '@keepsake/bench'
import { Command, Option } from 'commander'
import { debugOption, wholeNumber } from '../common-options.ts'
import { examples } from '../examples-help.ts'
import type { Io } from '../io.ts'
import { loadModels, type Bench } from '../load-package.ts'
import { MODEL_FORMS_HELP } from '../model-options.ts'
import { print, printJson, table } from '../output/print.ts'
import { styleFor } from '../output/style.ts'

interface Options {
  readonly judge?: string
  readonly language: 'en' | 'zh'
  readonly sample?: number
  readonly record?: string
  readonly answers?: string
  readonly json?: boolean
}

/** `keepsake bench judge`: what a judge lets pass. */
export function judgeCommand(io: Io, bench: Bench): Command {
  return new Command('judge')
    .description(
      'Probes a judge before its verdicts are believed: how often it accepts answers that are vague, wrong, partly right, contradicting, or that tell it how to judge, and how often it refuses right ones.',
    )
    .option('--judge <spec>', 'the model that judges (default: judged by rule)')
    .addOption(
      new Option('--language <code>', 'of the items and the prompts').choices(['en', 'zh']).default('en'),
    )
    .option('--sample <n>', 'items of each call at most (default: all)', wholeNumber(1, 1_000))
    .option('--record <file>', "keep the model's answers there; what is there already is not asked again")
    .addOption(
      new Option('--answers <file>', 'recorded answers of a model, instead of asking one').conflicts('judge'),
    )
    .option('--json', 'print the verdict on every item as JSON and nothing else')
    .addOption(debugOption())
    .addHelpText('after', MODEL_FORMS_HELP)
    .addHelpText(
      'after',
      examples('keepsake bench judge', 'keepsake bench judge --judge ollama:qwen3 --language zh --json'),
    )
    .action((options: Options) => runProbe(io, bench, options))
}

async function runProbe(io: Io, bench: Bench, options: Options): Promise<void> {
  const { language, json } = options
  const items = await bench.loadProbe(language)
  const { judge, sample } = await openJudge(io, bench, options)
  const report = await bench.probeJudge(
    judge,
    sample === undefined ? items : bench.sampleProbe(items, sample),
  )
  if (json === true) printJson(io, { benchmark: 'judge', language, sample: sample ?? null, ...report })
  else showProbe(io, report)
}

/** The judge, and how many items of each call it is given: of recorded answers, as many as were recorded. */
async function openJudge(io: Io, bench: Bench, { judge: spec, language, record, answers, sample }: Options) {
  const { deterministicJudge, modelJudge, replayingModel, replayOrRecord } = bench
  if (answers !== undefined) {
    const model = replayingModel(answers)
    const recorded = model.header.about['sample']
    return {
      judge: modelJudge({ model, language }),
      sample: sample ?? (typeof recorded === 'number' ? recorded : undefined),
    }
  }
  if (spec === undefined) return { judge: deterministicJudge, sample }
  const { openModel } = await loadModels()
  const asked = await openModel(spec, { env: io.env })
  const about = sample === undefined ? {} : { sample }
  const model = record === undefined ? asked : replayOrRecord(asked, record, about)
  return { judge: modelJudge({ model, language }), sample }
}

function showProbe(io: Io, report: ProbeReport): void {
  const style = styleFor(io)
  const rows = [...Object.entries(report.byKind), ['all', report.all] as const].map(([kind, count]) => [
    kind,
    String(count.items),
    String(count.accepted),
    String(count.wronglyAccepted),
    String(count.wronglyRefused),
    String(count.failed),
  ])
  const heads = ['what it was given', 'items', 'accepted', 'wrongly', 'wrongly refused', 'no verdict']
  print(
    io,
    style.bold(`${report.judge} (${report.version})`),
    table(heads, rows, [1, 2, 3, 4, 5]),
    style.dim('--json has the verdict on every item, and why.'),
  )
}
