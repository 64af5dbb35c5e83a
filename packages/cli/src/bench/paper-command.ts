import type { Paper, PaperItem, PaperOptions, PaperReport } from '@keepsake/bench'
import { declareMeasuring, openers, showFigures } from './declare-measuring.ts'
import { wrongUsage } from '../cli-error.ts'
import { defineCommand, type MakeCommand } from '../define-command.ts'
import type { Io } from '../io.ts'
import type { Bench } from '../load-package.ts'
import { MODEL_FORMS_HELP } from '../model-options.ts'
import { table } from '../output/print.ts'
import { progressFor, sayStep } from '../output/progress.ts'
import { styleFor, type Style } from '../output/style.ts'

interface Options extends PaperOptions {
  readonly runs: string
  readonly table?: string
  readonly json?: boolean | string
  readonly debug?: boolean
}

/** Makes `keepsake bench paper lufy --table 3`, which shows a paper's tables and the figures measured here. */
export function paperCommand(bench: Bench): MakeCommand {
  const forms = bench.describeOptions(bench.PAPER_OPTIONS)
  const names = bench.PAPERS.map(({ name }) => name).join(', ')
  return defineCommand({
    name: 'paper',
    summary: 'measure what a paper published, table by table',
    description:
      'Lists the tables and figures of a paper that a preset or this harness implements. With --table it measures one, and shows the published and the measured figures with all differences in conditions. You provide the data in its published form; nothing is downloaded.',
    sharedOptions: [],
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
      const listed = { ...paper, items: paper.items.map((item) => describeItem(bench, item)) }
      showFigures(io, json, listed, () => formatPaper(bench, paper, styleFor(io)))
      return
    }
    const report = await measure(io, bench, [paper, bench.findItem(paper, table)], options)
    showFigures(io, json, report, () => formatPaperReport(bench, report, styleFor(io)))
  } catch (error) {
    throw error instanceof bench.OptionError ? wrongUsage(error.message) : error
  }
}

/** Returns an item as data. Its measurement is code, so only the requirements of the measurement are listed. */
function describeItem(bench: Bench, { reproduction, ...item }: PaperItem): object {
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
  { runs, json, table: _table, debug: _debug, ...paperOptions }: Options,
): Promise<PaperReport> {
  const progress = progressFor(io, json === true)
  const context = {
    ...openers(io),
    runs,
    say: (step: string) => sayStep(io, json === true, step),
    onProgress: progress.track,
  }
  return bench.measureItem(paper, item, paperOptions, context).finally(progress.stop)
}

/** Formats the list of a paper's tables and figures, each with its state. */
export function formatPaper(
  bench: Bench,
  { title, authors, name, items }: Paper,
  { bold, dim }: Style,
): string {
  const rows = items.map((item) => [item.id, bench.stateWords(item), item.title])
  return [
    bold(title),
    authors,
    '',
    table(['', 'state', 'content'], rows),
    '',
    dim('To see one with its figures, data and requirements:'),
    `  keepsake bench paper ${name} --table ${items[0]?.id.replace('table ', '') ?? '1'}`,
  ].join('\n')
}

/** Formats an item: the paper's figures, those measured here, and the deviations. */
export function formatPaperReport(bench: Bench, report: PaperReport, style: Style): string {
  const { bold } = style
  const { item, paper, state } = report
  return [
    bold(`${paper.title} (${paper.authors}), ${item.id}`),
    item.title,
    ...formatConditions(report),
    '',
    ...formatPublished(bench, report, style),
    ...(report.measured === null
      ? [`Here: ${state}. ${item.note}`, ...(report.needs === null ? [] : [report.needs])]
      : formatMeasured(bench, report, style)),
  ].join('\n')
}

function formatConditions({ item: { data, conditions = {} } }: PaperReport): string[] {
  const { model, reader, judge, embedding, more = [] } = conditions
  const line = (what: string, text: string | undefined): string[] =>
    text === undefined ? [] : [`  ${what}: ${text}`]
  return [
    ...line('data', data && `${data.name}, ${data.about}. Published by ${data.published}.`),
    ...line('model', model),
    ...line('answers by', reader),
    ...line('judged by', judge),
    ...line('embedded by', embedding),
    ...more.map((sentence) => `  ${sentence}`),
  ]
}

function formatPublished(
  { paperNumber }: Bench,
  { item: { published } }: PaperReport,
  { bold }: Style,
): string[] {
  if (published === undefined) return []
  const { columns, rows } = published
  const lines = Object.entries(rows).map(([row, figures]) => [row, ...figures.map(paperNumber)])
  return [
    bold('In the paper'),
    table(
      ['', ...columns],
      lines,
      columns.map((_, index) => index + 1),
    ),
    '',
  ]
}

/** Formats the measured figures. Each judge has a column for the figures that it judged. */
function formatMeasured(
  { paperNumber }: Bench,
  { compared, differences, measured, command }: PaperReport,
  style: Style,
): string[] {
  const judges = [...new Set(compared.flatMap(({ judge }) => judge ?? []))]
  const head = ['', '', 'paper', 'computed here', ...judges.map(judgeHead), 'over']
  const formatFigure = ({ value, interval }: PaperReport['compared'][number]): string =>
    interval === null
      ? paperNumber(value)
      : `${paperNumber(value)} (${paperNumber(interval.low)}–${paperNumber(interval.high)})`
  const rowName = ({ row, beside }: PaperReport['compared'][number]): string =>
    beside === null || beside === row ? row : `${row} beside ${beside}`
  const rows = compared.map((figure) => [
    rowName(figure),
    figure.column,
    paperNumber(figure.paper),
    figure.judge === null ? formatFigure(figure) : '',
    ...judges.map((judge) => (figure.judge === judge ? formatFigure(figure) : '')),
    String(figure.count),
  ])
  return [
    style.bold('Measured here (95 % intervals)'),
    table(head, rows, [2, 3, ...judges.map((_, index) => index + 4), judges.length + 4]),
    '',
    style.bold('Differences from the paper'),
    ...differences.map((sentence) => `- ${sentence}`),
    ...(measured?.remarks ?? []).map((sentence) => `- ${sentence}`),
    '',
    style.dim(`data sha256 ${measured?.dataHash ?? ''}`),
    style.dim(command),
  ]
}

function judgeHead(judge: string): string {
  return judge === 'deterministic' ? 'judged by rule' : `judged by ${judge}`
}
