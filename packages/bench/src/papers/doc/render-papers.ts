import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { PAPER_NAMES, PUBLISHED_UNITS, type Paper, type PaperItem } from '../registry/paper.ts'
import { stateWords } from '../states.ts'
import { markdownTable, numberText } from './markdown.ts'

const figure = z.object({
  row: z.string(),
  column: z.string(),
  beside: z.string().nullable(),
  value: z.number().nullable(),
  interval: z.object({ low: z.number(), high: z.number() }).nullable(),
  count: z.number(),
  unit: z.enum(PUBLISHED_UNITS),
  judge: z.string().nullable(),
  paper: z.number().nullable(),
})

/** The used fields of `keepsake bench paper … --json FILE`. */
const keptReport = z.object({
  paper: z.object({ name: z.enum(PAPER_NAMES) }),
  item: z.object({ id: z.string() }),
  command: z.string(),
  measured: z.object({ size: z.number(), dataHash: z.string(), remarks: z.array(z.string()) }),
  compared: z.array(figure).min(1),
  differences: z.array(z.string()),
})

export interface KeptReport extends z.infer<typeof keptReport> {
  /** The file's name without extension. */
  readonly file: string
}

/**
 * Reads a stored report.
 *
 * @throws Error naming the file and the problem
 */
export function readReport(file: string, text: string): KeptReport {
  const parsed = keptReport.safeParse(JSON.parse(text))
  if (parsed.success) return { ...parsed.data, file }
  throw new Error(
    `${file}: ${z.prettifyError(parsed.error)}. Make it again with keepsake bench paper … --json.`,
  )
}

/** The folder of raw results, relative to docs/. */
const RAW = 'benchmarks/raw/papers'
const QUOTED = 2

const INTRODUCTION = readFileSync(new URL('../../../data/papers/introduction.md', import.meta.url), 'utf8')

/** docs/papers.md: a row for every item of every paper. */
export function renderPapers(papers: readonly Paper[], reports: readonly KeptReport[]): string {
  return [
    INTRODUCTION,
    countItems(papers, reports),
    ...papers.map((paper) => renderPaper(paper, reports)),
  ].join('\n')
}

function countItems(papers: readonly Paper[], reports: readonly KeptReport[]): string {
  const kinds = [
    REPRODUCED,
    MEASURED,
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
  const { name, title, authors, items } = paper
  const measuring = items.filter((item) => item.state !== 'shows')
  const rows = measuring.map((item) => [
    item.id,
    item.title,
    `**${stateOf(paper, item, reports)}**`,
    hereText(paper, item, reports),
  ])
  return [
    `## ${name}\n`,
    `${title} (${authors}).\n`,
    markdownTable(['', 'what it reports', 'state', 'here'], rows),
    '',
  ].join('\n')
}

const REPRODUCED = 'reproduced'
const MEASURED = 'measured, under other conditions'
/** Rounding of the paper's figures. */
const AGREES_WITHIN = 0.01

function stateOf(paper: Paper, item: PaperItem, reports: readonly KeptReport[]): string {
  const own = reportsOf(paper, item, reports)
  if (own.length === 0) return stateWords(item)
  return own.every(isReproduced) ? REPRODUCED : MEASURED
}

/** Nothing differs, and each of the paper's figures lies within our interval, or a hundredth of it away. */
export function isReproduced({
  compared,
  differences,
}: Pick<KeptReport, 'compared' | 'differences'>): boolean {
  const beside = compared.filter(({ paper }) => paper !== null)
  return differences.length === 0 && beside.length > 0 && beside.every(agrees)
}

function agrees({ value, paper, interval }: KeptReport['compared'][number]): boolean {
  if (value === null || paper === null) return false
  const isWithin = interval !== null && paper >= interval.low && paper <= interval.high
  return isWithin || Math.abs(value - paper) <= AGREES_WITHIN * Math.abs(paper)
}

function reportsOf(paper: Paper, item: PaperItem, reports: readonly KeptReport[]): KeptReport[] {
  return reports.filter((one) => one.paper.name === paper.name && one.item.id === item.id)
}

/** Some of its figures beside the paper’s, and the link to all of them. */
function hereText(paper: Paper, item: PaperItem, reports: readonly KeptReport[]): string {
  return reportsOf(paper, item, reports)
    .map((report) => quoteFigures(item, report))
    .join(' ')
}

function quoteFigures({ published, headline }: PaperItem, { compared, file }: KeptReport): string {
  const link = `[result](${RAW}/${file}.json)`
  if (published === undefined) return link
  const beside = compared.filter(({ paper, value }) => paper !== null && value !== null)
  const isQuoted = (one: (typeof beside)[number]): boolean =>
    headline?.some(([row, column]) => one.beside === row && one.column === column) ?? true
  const quoted = beside.filter(isQuoted).slice(0, QUOTED)
  const figures = quoted.map(({ row, column, value, paper }) => {
    const difference = (value ?? 0) - (paper ?? 0)
    const sign = difference > 0 ? '+' : ''
    return `${row}, ${column}: ${numberText(value)} (paper ${numberText(paper)}, ${sign}${numberText(difference)})`
  })
  return [...figures, link].join('; ')
}
