import { writeFileSync } from 'node:fs'
import type { Paper, PaperItem, PaperOptions, PaperReport } from '@keepsake/bench'
import { wrongUsage } from '../cli-error.ts'
import { defineCommand, type MakeCommand } from '../define-command.ts'
import type { Io } from '../io.ts'
import type { Bench } from '../load-package.ts'
import { MODEL_FORMS_HELP } from '../model-options.ts'
import { print, printJson } from '../output/print.ts'
import { progressFor, stepsFor } from '../output/progress.ts'
import { styleFor } from '../output/style.ts'
import { declareMeasuring } from './declare-measuring.ts'
import { formatPaper, formatPaperReport } from './format-paper.ts'
import { openers } from './open-models.ts'

interface Options extends PaperOptions {
  readonly runs: string
  readonly table?: string
  readonly json?: boolean | string
  readonly debug?: boolean
}

/** `keepsake bench paper lufy --table 3`: a paper's tables, one by one, beside what they come to here. */
export function paperCommand(bench: Bench): MakeCommand {
  const forms = bench.describeOptions(bench.PAPER_OPTIONS)
  const names = bench.PAPERS.map(({ name }) => name).join(', ')
  return defineCommand({
    name: 'paper',
    summary: 'measure what a paper published, table by table',
    description:
      'Lists the tables and figures of a paper that a preset or this harness implements, or measures one: the published figure next to the measured one, with all differences in conditions. You provide the data in its published form; nothing is downloaded.',
    takes: [],
    json: null,
    declare: (command) => declareMeasuring(bench, command, forms).argument('<paper>', `the paper: ${names}`),
    details: MODEL_FORMS_HELP,
    examples: [
      'keepsake bench paper lufy',
      'keepsake bench paper lufy --table 3 --path lufy-dataset',
      'keepsake bench paper halumem --table 3 --path HaluMem-Medium.jsonl --model openai:gpt-5-mini --reader openai:gpt-5 --judge openai:gpt-5',
    ],
    run: ({ io, options }, name) => showPaper(io, bench, name, options),
  })
}

async function showPaper(io: Io, bench: Bench, name: string, options: Options): Promise<void> {
  const { table, json } = options
  try {
    const paper = bench.findPaper(name)
    if (table === undefined) {
      const listed = { ...paper, items: paper.items.map((item) => describe(bench, item)) }
      tell(io, json, { data: listed, words: () => formatPaper(bench, paper, styleFor(io)) })
      return
    }
    const report = await measure(io, bench, [paper, bench.findItem(paper, table)], options)
    tell(io, json, { data: report, words: () => formatPaperReport(bench, report, styleFor(io)) })
  } catch (error) {
    throw error instanceof bench.OptionError ? wrongUsage(error.message) : error
  }
}

/** An item as data: how it is measured is code, so what that needs is told. */
function describe(bench: Bench, { reproduction, ...item }: PaperItem): object {
  const { needs = null, takes = null } = reproduction ?? {}
  return {
    ...item,
    standing: bench.stateWords({ ...item, ...(reproduction && { reproduction }) }),
    needs,
    takes,
  }
}

async function measure(
  io: Io,
  bench: Bench,
  [paper, item]: readonly [Paper, PaperItem],
  { runs, json, table: _table, debug: _debug, ...given }: Options,
): Promise<PaperReport> {
  const progress = progressFor(io, json === true)
  const { say } = stepsFor(io, json === true)
  const context = { ...openers(io), runs, say, onProgress: progress.track }
  return bench.measureItem(paper, item, given, context).finally(progress.stop)
}

function tell(
  io: Io,
  json: boolean | string | undefined,
  { data, words }: { readonly data: unknown; readonly words: () => string },
): void {
  if (json === true) printJson(io, data)
  else print(io, words())
  if (typeof json === 'string') writeFileSync(json, `${JSON.stringify(data, null, 2)}\n`)
}
