import type { Paper } from '../registry/paper.ts'
import { markdownTable, numberText } from './markdown.ts'
import type { KeptReport } from './read-report.ts'

const INTRODUCTION = `# The papers’ tables, as far as they can be measured here

What \`keepsake bench paper\` found on the data at hand: parts of LUFY-Dataset and LoCoMo, an invented person in HaluMem’s form (none of the paper’s twenty), a set of Mem_Dialogue’s form made here. Beside each figure stands the paper’s; under each table, what is otherwise than in the paper. **Where the data is another, or no model works, the two are not to be compared as if they were one measurement**: they show that the table is measured, and how far by which means. [../papers.md](../papers.md) has every table and figure of the papers. This page is made by \`node scripts/make-papers-docs.mjs\` from \`raw/papers/\`.
`

/** docs/benchmarks/papers.md: what was obtained, table by table. */
export function renderFigures(papers: readonly Paper[], reports: readonly KeptReport[]): string {
  const sections = papers.flatMap((paper) =>
    paper.items.flatMap((item) =>
      reports
        .filter((one) => one.paper.name === paper.name && one.item.id === item.id)
        .map((report) => renderReport(report, item.title)),
    ),
  )
  return [INTRODUCTION, ...sections].join('\n')
}

function renderReport(report: KeptReport, title: string): string {
  const { file, paper, item, command, measured, differences } = report
  return [
    `<a id="${file}"></a>\n`,
    `## ${paper.name}, ${item.id}\n`,
    `${title}.\n`,
    `\`\`\`\nnpx ${command}\n\`\`\`\n`,
    tableOf(report),
    '',
    'Otherwise than in the paper:\n',
    ...differences.map((sentence) => `- ${sentence}`),
    ...measured.remarks.map((sentence) => `- ${sentence}`),
    '',
    `Data sha256 \`${measured.dataHash.slice(0, 12)}…\`; raw: \`raw/papers/${file}.json\`.\n`,
  ].join('\n')
}

/** What was computed and what each judge judged stand in columns of their own. */
function tableOf({ compared }: KeptReport): string {
  const judges = [...new Set(compared.flatMap(({ judge }) => judge ?? []))]
  const isComputed = compared.some(({ judge }) => judge === null)
  const head = ['', '', 'paper', ...(isComputed ? ['computed'] : []), ...judges.map(judgedBy), 'over']
  const rows = compared.map((one) => [
    one.beside === null || one.beside === one.row ? one.row : `${one.row} (beside ${one.beside})`,
    one.column,
    numberText(one.paper),
    ...(isComputed ? [one.judge === null ? obtained(one) : ''] : []),
    ...judges.map((judge) => (one.judge === judge ? obtained(one) : '')),
    String(one.count),
  ])
  return markdownTable(head, rows)
}

function judgedBy(judge: string): string {
  return judge === 'deterministic' ? 'judged by rule' : `judged by ${judge}`
}

function obtained({ value, interval }: KeptReport['compared'][number]): string {
  if (interval === null) return numberText(value)
  return `${numberText(value)} (${numberText(interval.low)}–${numberText(interval.high)})`
}
