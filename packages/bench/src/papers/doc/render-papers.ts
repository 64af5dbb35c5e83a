import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { PAPER_NAMES, PUBLISHED_UNITS, type Paper, type PaperItem } from '../registry/paper.ts'
import { stateWords } from '../states.ts'
import { markdownTable, numberText } from './markdown.ts'

/** A measured figure. `paper` is the paper's figure, and `beside` the name of the paper's row that has it. */
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

/** The fields of `keepsake bench paper … --json FILE` that this page needs. */
const storedReport = z.object({
  paper: z.object({ name: z.enum(PAPER_NAMES) }),
  item: z.object({ id: z.string() }),
  command: z.string(),
  measured: z.object({ size: z.number(), dataHash: z.string(), remarks: z.array(z.string()) }),
  compared: z.array(figure).min(1),
  differences: z.array(z.string()),
})

export interface StoredReport extends z.infer<typeof storedReport> {
  /** The file's name without extension. */
  readonly file: string
}

/** Reads the report of a measured table. @throws Error naming the file and the problem */
export function readReport(file: string, text: string): StoredReport {
  const parsed = storedReport.safeParse(JSON.parse(text))
  if (parsed.success) return { ...parsed.data, file }
  throw new Error(
    `${file}: ${z.prettifyError(parsed.error)}. Make it again with keepsake bench paper … --json.`,
  )
}

/** The folder of raw results, relative to docs/. */
const RAW = 'benchmarks/raw/papers'
/** Maximum number of figures that a row quotes. */
const MAX_QUOTED = 2

const INTRODUCTION = readFileSync(new URL('../../../data/papers/introduction.md', import.meta.url), 'utf8')

/** Renders docs/papers.md, with a row for every table and figure of every paper. */
export function renderPapers(papers: readonly Paper[], reports: readonly StoredReport[]): string {
  return [
    INTRODUCTION,
    countItems(papers, reports),
    ...papers.map((paper) => renderPaper(paper, reports)),
  ].join('\n')
}

function countItems(papers: readonly Paper[], reports: readonly StoredReport[]): string {
  const states = papers.flatMap((paper) => paper.items.map((item) => stateOf(paper, item, reports)))
  const countState = (counted: string): number => states.filter((state) => state === counted).length
  const shownCount = papers.flatMap(({ items }) => items).filter(({ state }) => state === 'shows').length
  return `Of ${states.length} tables and figures, ${countState(REPRODUCED)} are reproduced and ${countState(MEASURED)} measured. ${shownCount} measure nothing (drawings, prompts, examples) and are not listed.\n`
}

function renderPaper(paper: Paper, reports: readonly StoredReport[]): string {
  const { name, title, authors, items } = paper
  const measurements = items.filter((item) => item.state !== 'shows')
  const rows = measurements.map((item) => {
    const state = stateOf(paper, item, reports)
    const quotes = quoteReports(paper, item, reports)
    return [item.id, item.title, quotes === '' ? state : `${state}: ${quotes}`]
  })
  return [
    `## ${name}\n`,
    `${title} (${authors}).\n`,
    markdownTable(['', 'what it reports', 'state'], rows),
    '',
  ].join('\n')
}

const REPRODUCED = 'reproduced'
const MEASURED = 'measured'
/** Figures within this share of the paper's figure agree with it, because papers round. */
const TOLERANCE = 0.01

function stateOf(paper: Paper, item: PaperItem, reports: readonly StoredReport[]): string {
  const itemReports = reportsOf(paper, item, reports)
  if (itemReports.length === 0) return stateWords(item)
  return itemReports.every(isReproduced) ? REPRODUCED : MEASURED
}

/** Reports whether no condition differs and all figures agree with the paper's. */
export function isReproduced({
  compared,
  differences,
}: Pick<StoredReport, 'compared' | 'differences'>): boolean {
  const withPaperFigure = compared.filter(({ paper }) => paper !== null)
  return differences.length === 0 && withPaperFigure.length > 0 && withPaperFigure.every(agrees)
}

function agrees({ value, paper, interval }: StoredReport['compared'][number]): boolean {
  if (value === null || paper === null) return false
  const isWithin = interval !== null && paper >= interval.low && paper <= interval.high
  return isWithin || Math.abs(value - paper) <= TOLERANCE * Math.abs(paper)
}

function reportsOf(paper: Paper, item: PaperItem, reports: readonly StoredReport[]): StoredReport[] {
  return reports.filter((report) => report.paper.name === paper.name && report.item.id === item.id)
}

/** Quotes some figures of an item with the paper's, and links to all of them. */
function quoteReports(paper: Paper, item: PaperItem, reports: readonly StoredReport[]): string {
  return reportsOf(paper, item, reports)
    .map((report) => quoteFigures(item, report))
    .join(' ')
}

function quoteFigures({ published, headline }: PaperItem, { compared, file }: StoredReport): string {
  const link = `[result](${RAW}/${file}.json)`
  if (published === undefined) return link
  const withPaperFigure = compared.filter(({ paper, value }) => paper !== null && value !== null)
  const isHeadline = ({ beside, column }: StoredReport['compared'][number]): boolean =>
    headline === undefined || headline.some((place) => place[0] === beside && place[1] === column)
  const quoted = withPaperFigure.filter(isHeadline).slice(0, MAX_QUOTED)
  const figures = quoted.map(
    ({ row, column, value, paper }) => `${row}, ${column} ${numberText(value)} (paper ${numberText(paper)})`,
  )
  return [...figures, link].join('; ')
}
