import type { Figure, Report } from './report.ts'

/** A report under the name that it has on the page. */
export interface Compared {
  readonly label: string
  readonly report: Report
}

/** A metric, and each run's figure of it. */
export interface ComparedFigure {
  readonly metric: string
  /** Whose verdicts it rests on: figures of two judges are two rows. */
  readonly judge: string | null
  /** As the runs stand; `null` where one has none. */
  readonly figures: readonly (Figure | null)[]
}

/** What the runs have figures of, in the order in which they come. */
export function tasksOf(runs: readonly Compared[]): readonly string[] {
  return distinct(runs.flatMap(({ report }) => report.figures.map(({ task }) => task)))
}

/** Parts that a task's figures are of, everything first. */
export function slicesOf(runs: readonly Compared[], task: string): readonly string[] {
  const slices = runs.flatMap(({ report }) =>
    report.figures.filter((one) => one.task === task).map(({ slice }) => slice),
  )
  return distinct(slices).toSorted((a, b) => Number(b === 'all') - Number(a === 'all'))
}

/**
 * Figures of one part of one task side by side: a row a metric and judge.
 *
 * @example
 * compareFigures([{ label: 'keepsake', report }], 'answering', 'all')
 */
export function compareFigures(
  runs: readonly Compared[],
  task: string,
  slice: string,
): readonly ComparedFigure[] {
  const own = runs.map(({ report }) =>
    report.figures.filter((one) => one.task === task && one.slice === slice),
  )
  const rows = distinct(own.flat().map(({ metric, judge }) => JSON.stringify([metric, judge])))
  return rows.map((row) => {
    const [metric, judge] = JSON.parse(row) as [string, string | null]
    const figures = own.map(
      (figures) => figures.find((one) => one.metric === metric && one.judge === judge) ?? null,
    )
    return { metric, judge, figures }
  })
}

export const CONDITIONS = [
  'benchmark',
  'dataset',
  'dataHash',
  'reader',
  'judge',
  'protocol',
  'contextTokens',
  'memoriesWanted',
  'limit',
  'conversations',
  'ownAnswers',
  'harness',
] as const
export type Condition = (typeof CONDITIONS)[number]

/** Conditions that are not the same for all, with each run's: where there are any, figures cannot be held against each other. */
export function differingConditions(
  runs: readonly Compared[],
): readonly { readonly condition: Condition; readonly values: readonly string[] }[] {
  return CONDITIONS.map((condition) => ({
    condition,
    values: runs.map(({ report }) => conditionOf(report, condition)),
  })).filter(({ values }) => new Set(values).size > 1)
}

function conditionOf(report: Report, condition: Condition): string {
  switch (condition) {
    case 'benchmark':
    case 'dataset':
      return report[condition]
    case 'dataHash':
      return report.dataHash.slice(0, 12)
    case 'reader':
      return withVersion(report.reader, report.config['readerVersion'])
    case 'judge':
      return withVersion(report.judge, report.config['judgeVersion'])
    case 'conversations':
      return told(report.conversations)
    case 'protocol':
      return told(report.config['protocol'] ?? 'own')
    case 'memoriesWanted':
      return told(report.config['memoriesWanted'] ?? 20)
    default:
      return told(report.config[condition])
  }
}

function withVersion(name: string | null, version: unknown): string {
  if (name === null) return '–'
  return typeof version === 'string' ? `${name} (${version})` : name
}

function told(value: unknown): string {
  if (value === undefined || value === null) return '–'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const distinct = (texts: readonly string[]): readonly string[] => [...new Set(texts)]
