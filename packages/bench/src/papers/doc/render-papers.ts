import type { Paper, PaperItem } from '../registry/paper.ts'
import { stateWords } from '../states.ts'
import { markdownTable, numberText } from './markdown.ts'
import type { KeptReport } from './read-report.ts'

/** Where the figures stand that were obtained. */
const FIGURES = 'benchmarks/papers.md'
/** How many of a table's figures its row quotes. */
const QUOTED = 4

const INTRODUCTION = `# The papers, table by table

Five papers stand behind the presets and the harness. Here is every table and every figure of each, with what became of it; what is measured in a paper’s text alone has its row too. This page is made from the registry in \`packages/bench/src/papers/\` and from the results in \`docs/benchmarks/raw/papers/\`, by \`node scripts/make-papers-docs.mjs\`; the check fails when it is stale.

One command measures a table as far as it can be measured:

\`\`\`
npx keepsake bench paper lufy                                  # the paper’s tables, and what each needs
npx keepsake bench paper lufy --table 3 --path lufy-dataset    # the paper’s figures beside those obtained
npx keepsake bench paper lufy --table "figure 11" --path lufy-dataset
npx keepsake bench paper halumem --table 3 --path HaluMem-Medium.jsonl \\
  --model openai:gpt-5-mini --reader openai:gpt-5 --judge openai:gpt-5
\`\`\`

It prints the paper’s figures, those obtained beside them, and every condition that is otherwise. Data is brought in the form in which it was published; nothing is downloaded. What rules judged and what a model judged never share a column. A table that cannot be measured is shown with what it would need.

- **reproduced**: measured here, without a model, on as much of the data as is at hand; the row quotes the paper’s figure and ours, and the differences stand in [${FIGURES}](${FIGURES}).
- **runs without a model**: it can be measured by anybody who has the data; it was not here.
- **needs a model**: a language model, or a classifier, named with \`--model\`, \`--reader\` or \`--judge\`. “A part without”: the same command without a model gives figures by rule, which are other figures. “No command yet”: the row says what the paper measured, and nothing here measures it.
- **needs data not published**: what the paper measured on cannot be had; some tables run on a set of one’s own in its form.
- **needs people**: people who judge, or who talk.
- **measures nothing**: a drawing, a prompt, an example.
`

/** docs/papers.md: every item of every paper in a row. */
export function renderPapers(papers: readonly Paper[], reports: readonly KeptReport[]): string {
  return [
    INTRODUCTION,
    countItems(papers, reports),
    ...papers.map((paper) => renderPaper(paper, reports)),
  ].join('\n')
}

function countItems(papers: readonly Paper[], reports: readonly KeptReport[]): string {
  const kinds = [
    'reproduced',
    'runs without a model',
    'needs a model',
    'needs data not published',
    'needs people',
    'measures nothing',
    'not measured here yet',
  ]
  const rows = papers.map((paper) => {
    const states = paper.items.map((item) => stateOf(paper, item, reports).split(';')[0] ?? '')
    return [paper.name, ...kinds.map((kind) => String(states.filter((state) => state === kind).length))]
  })
  return `${markdownTable(['', ...kinds], rows)}\n`
}

function renderPaper(paper: Paper, reports: readonly KeptReport[]): string {
  const { name, title, authors, about, items } = paper
  const rows = items.map((item) => [
    item.id,
    item.title,
    item.data === undefined ? '' : item.data.name,
    `**${stateOf(paper, item, reports)}**`,
    hereText(paper, item, reports),
  ])
  const sources = new Map(items.flatMap(({ data }) => (data === undefined ? [] : [[data.name, data]])))
  return [
    `## ${name}\n`,
    `${title} (${authors}). ${about}\n`,
    ...[...sources.values()].map(
      (data) => `- **${data.name}**: ${data.about}. Published by ${data.published}.`,
    ),
    '',
    markdownTable(['', 'what it tells', 'measured on', 'state', 'here'], rows),
    '',
  ].join('\n')
}

/** Reproduced is what needs nothing but its data, and has been measured. */
function stateOf(paper: Paper, item: PaperItem, reports: readonly KeptReport[]): string {
  const isMeasured = item.state === 'deterministic' && reportsOf(paper, item, reports).length > 0
  return isMeasured ? 'reproduced' : stateWords(item)
}

function reportsOf(paper: Paper, item: PaperItem, reports: readonly KeptReport[]): KeptReport[] {
  return reports.filter((one) => one.paper.name === paper.name && one.item.id === item.id)
}

function hereText(paper: Paper, item: PaperItem, reports: readonly KeptReport[]): string {
  const own = reportsOf(paper, item, reports)
  return [...own.map((report) => `${quote(item, report)} \`${report.command}\`.`), item.note].join(' ')
}

/** Some of its figures beside the paper’s, and where all of them are. */
function quote({ published, headline }: PaperItem, { compared, file }: KeptReport): string {
  const link = `[all figures](${FIGURES}#${file})`
  if (published === undefined) return `The paper only draws it; ours: ${link}.`
  const beside = compared.filter(({ paper, value }) => paper !== null && value !== null)
  if (beside.length === 0) return `No row of the paper is of what was measured; ours: ${link}.`
  const isQuoted = (one: (typeof beside)[number]): boolean =>
    headline?.some(([row, column]) => one.beside === row && one.column === column) ?? true
  const quoted = beside.filter(isQuoted).slice(0, QUOTED)
  const told = quoted.map(({ row, column, value, paper }) => {
    return `${row}, ${column}: ${numberText(value)} (paper ${numberText(paper)})`
  })
  return `${told.join('; ')}; ${link}.`
}
