import type { Paper, PaperReport } from '@keepsake/bench'
import type { Bench } from '../load-package.ts'
import { table } from '../output/print.ts'
import type { Style } from '../output/style.ts'

/** A paper's tables and figures, each with its state. */
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

/** An item: what it is, the paper's figures, those obtained beside them, and what is otherwise. */
export function formatPaperReport(bench: Bench, report: PaperReport, style: Style): string {
  const { bold } = style
  const { item, paper, state } = report
  return [
    bold(`${paper.title} (${paper.authors}), ${item.id}`),
    item.title,
    ...formatConditions(report),
    '',
    ...formatPublished(bench, report, style),
    ...(report.measured === null ? [`Here: ${state}. ${item.note}`] : formatObtained(bench, report, style)),
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
      columns.map((_, place) => place + 1),
    ),
    '',
  ]
}

/** Judged figures stand in columns of their own, one a judge. */
function formatObtained(
  { paperNumber }: Bench,
  { compared, differences, measured, command }: PaperReport,
  style: Style,
): string[] {
  const judges = [...new Set(compared.flatMap(({ judge }) => judge ?? []))]
  const head = ['', '', 'paper', 'computed here', ...judges.map(judgeHead), 'over']
  const told = ({ value, interval }: PaperReport['compared'][number]): string =>
    interval === null
      ? paperNumber(value)
      : `${paperNumber(value)} (${paperNumber(interval.low)}–${paperNumber(interval.high)})`
  const rows = compared.map((one) => [
    one.beside === null || one.beside === one.row ? one.row : `${one.row} beside ${one.beside}`,
    one.column,
    paperNumber(one.paper),
    one.judge === null ? told(one) : '',
    ...judges.map((judge) => (one.judge === judge ? told(one) : '')),
    String(one.count),
  ])
  return [
    style.bold('Measured here (95 % intervals)'),
    table(head, rows, [2, 3, ...judges.map((_, place) => place + 4), judges.length + 4]),
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
