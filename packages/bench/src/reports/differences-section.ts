import type { Figure } from '../log/figure.ts'
import type { Comparison } from './compare-settings.ts'
import { formatDifference, formatP, NOTHING, formatCount } from './format-figure.ts'
import { metricWords } from '../results/metric-words.ts'
import { taskTitle } from '../results/task-words.ts'
import type { Block, Cell, ReportTable, Row, Section } from './report-document.ts'
import type { PairedDifference, NamedRun } from './report-run.ts'

/** The usual level of significance. A difference counts as clear if p is below it. */
const SIGNIFICANCE = 0.05

/** Shows how runs differ item by item. Runs under different conditions are not compared. */
export function differencesSection(
  runs: readonly NamedRun[],
  { groupOf }: Comparison,
  differences: readonly PairedDifference[],
): Section[] {
  if (differences.length === 0) return []
  const runByLabel = new Map(runs.map(({ run }) => [run.label, run]))
  const isComparable = ({ a, b }: PairedDifference): boolean => {
    const runA = runByLabel.get(a)
    const runB = runByLabel.get(b)
    return runA !== undefined && runB !== undefined && groupOf.get(runA) === groupOf.get(runB)
  }
  const comparable = differences.filter(isComparable)
  const byPair = [...Map.groupBy(comparable, ({ a, b }) => `${a} − ${b}`)]
  const blocks: Block[] = byPair.flatMap(([title, pair]) => pairTables(title, pair, runs, comparable.length))
  const hidden = differences.length - comparable.length
  if (hidden > 0) {
    blocks.push({
      kind: 'warning',
      text: `${hidden === 1 ? '1 difference is' : `${formatCount(hidden)} differences are`} not shown: the runs were not made under the same conditions.`,
    })
  }
  return [{ id: 'differences', title: 'Paired comparison', blocks }]
}

/** Makes the table of a pair's main figures, and a folded table of its further figures. */
function pairTables(
  title: string,
  differences: readonly PairedDifference[],
  runs: readonly NamedRun[],
  testCount: number,
): Block[] {
  const isFurther = ({ task, metric }: PairedDifference): boolean => metricWords(task, metric).isFurther
  const main = differences.filter((difference) => !isFurther(difference))
  const further = differences.filter(isFurther)
  const tables: ReportTable[] = []
  if (main.length > 0) tables.push(pairTable(`${title}, item by item`, main, runs, testCount))
  if (further.length > 0)
    tables.push({ ...pairTable(`${title}: further figures`, further, runs, testCount), isFolded: true })
  return tables
}

function pairTable(
  title: string,
  differences: readonly PairedDifference[],
  runs: readonly NamedRun[],
  testCount: number,
): ReportTable {
  const notes = [
    'A difference of shares is in percentage points. Bold: its 95 % interval does not contain zero, and p is below 0.05.',
    ...noteFewPeople(differences),
  ]
  if (testCount > 1) {
    const byChance = (SIGNIFICANCE * testCount).toFixed(1)
    notes.push(
      `${testCount} differences are shown, and p is not corrected for that number: about ${byChance} would fall below 0.05 by chance.`,
    )
  }
  return {
    kind: 'table',
    caption: title,
    columns: [
      { label: 'figure', align: 'left' },
      { label: 'difference', align: 'right' },
      { label: 'p', align: 'right' },
      { label: 'pairs', align: 'right' },
    ],
    rows: differences.map((difference) => differenceRow(difference, unitOf(difference, runs))),
    notes,
  }
}

function differenceRow(difference: PairedDifference, unit: Figure['unit']): Row {
  const { task, metric, p, pairs } = difference
  return {
    group: taskTitle(task),
    cells: [
      { text: metricWords(task, metric).label },
      differenceCell(difference, unit),
      p === null ? { text: NOTHING, missing: 'There are too few items for a test.' } : { text: formatP(p) },
      { text: formatCount(pairs) },
    ],
  }
}

function differenceCell({ difference, interval, p }: PairedDifference, unit: Figure['unit']): Cell {
  if (difference === null) return { text: NOTHING, missing: 'No item was measured in both runs.' }
  const text = formatDifference(difference, unit)
  if (interval === null) return { text }
  const isClear = (interval.low > 0 || interval.high < 0) && p !== null && p < SIGNIFICANCE
  const ends = `${formatDifference(interval.low, unit)} to ${formatDifference(interval.high, unit)}`
  return { text, interval: ends, ...(isClear ? { isStrong: true } : {}) }
}

/** Notes that no difference over so few people can be clear, however large it is. */
function noteFewPeople(differences: readonly PairedDifference[]): string[] {
  const peopleCounts = differences.flatMap(({ clusters }) => clusters ?? [])
  if (peopleCounts.length === 0) return []
  const people = Math.max(...peopleCounts)
  // The test tries both signs of each person's difference. Two of these 2^n cases (all + and all −) are the most extreme, so p is at least this.
  const smallestP = 2 / 2 ** people
  if (smallestP < SIGNIFICANCE) return []
  const effect = people < 2 ? 'there is no p' : `p cannot be below ${formatP(smallestP)}`
  return [`Over ${formatCount(people)} ${people === 1 ? 'person' : 'people'} ${effect}: too few to tell.`]
}

function unitOf({ task, metric }: PairedDifference, runs: readonly NamedRun[]): Figure['unit'] {
  const figures = runs.flatMap(({ run }) => run.summary.figures)
  return figures.find((figure) => figure.task === task && figure.metric === metric)?.unit ?? 'score'
}
