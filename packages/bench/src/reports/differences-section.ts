import type { Figure } from '../log/figure.ts'
import type { Comparison } from './compare-settings.ts'
import { formatDifference, formatP, NOTHING, whole } from './format-figure.ts'
import { metricWords } from '../results/metric-words.ts'
import { taskTitle } from '../results/task-words.ts'
import type { Block, Cell, ReportTable, Row, Section } from './report-document.ts'
import type { PairedDifference, NamedRun } from './report-run.ts'

const CLEAR = 0.05

/** Runs compared item by item; only those under the same conditions. */
export function differencesSection(
  runs: readonly NamedRun[],
  { groupOf }: Comparison,
  differences: readonly PairedDifference[],
): Section[] {
  if (differences.length === 0) return []
  const byLabel = new Map(runs.map((one) => [one.run.label, one]))
  const isFair = ({ a, b }: PairedDifference): boolean => {
    const [one, other] = [byLabel.get(a)?.run, byLabel.get(b)?.run]
    return one !== undefined && other !== undefined && groupOf.get(one) === groupOf.get(other)
  }
  const fair = differences.filter(isFair)
  const unfair = differences.length - fair.length
  const blocks: Block[] = Map.groupBy(fair, ({ a, b }) => `${a} − ${b}`)
    .entries()
    .toArray()
    .flatMap(([title, own]) => pairTables(title, own, runs, fair.length))
  if (unfair > 0) {
    blocks.push({
      kind: 'warning',
      text: `${unfair === 1 ? '1 difference is' : `${whole(unfair)} differences are`} not shown: the runs were not made under the same conditions.`,
    })
  }
  return [{ id: 'differences', title: 'Paired comparison', blocks }]
}

/** The figures of a task's first table and, folded, the others. */
function pairTables(
  title: string,
  differences: readonly PairedDifference[],
  runs: readonly NamedRun[],
  tests: number,
): Block[] {
  const isFurther = ({ task, metric }: PairedDifference): boolean =>
    metricWords(task, metric).rank === 'further'
  const first = differences.filter((one) => !isFurther(one))
  const further = differences.filter(isFurther)
  return [
    ...(first.length === 0 ? [] : [pairTable(`${title}, item by item`, first, runs, tests)]),
    ...(further.length === 0
      ? []
      : [{ ...pairTable(`${title}: further figures`, further, runs, tests), isFolded: true }]),
  ]
}

function pairTable(
  title: string,
  differences: readonly PairedDifference[],
  runs: readonly NamedRun[],
  tests: number,
): ReportTable {
  return {
    kind: 'table',
    caption: title,
    columns: [
      { label: 'figure', align: 'left' },
      { label: 'difference', align: 'right' },
      { label: 'p', align: 'right' },
      { label: 'pairs', align: 'right' },
    ],
    rows: differences.map((one) => differenceRow(one, unitOf(one, runs))),
    notes: [
      'A difference of shares is in percentage points. Bold: its 95 % interval leaves out zero and p is below 0.05.',
      ...tooFew(differences),
      ...(tests > 1
        ? [
            `${tests} differences are shown in all, and p is not corrected for that: about ${(CLEAR * tests).toFixed(1)} would fall below 0.05 by chance alone.`,
          ]
        : []),
    ],
  }
}

function differenceRow(one: PairedDifference, unit: Figure['unit']): Row {
  return {
    group: taskTitle(one.task),
    cells: [
      { text: metricWords(one.task, one.metric).label },
      differenceCell(one, unit),
      one.p === null ? { text: NOTHING, missing: 'Too little for a test.' } : { text: formatP(one.p) },
      { text: whole(one.pairs) },
    ],
  }
}

function differenceCell({ difference, interval, p }: PairedDifference, unit: Figure['unit']): Cell {
  if (difference === null) return { text: NOTHING, missing: 'No item was measured in both runs.' }
  const text = formatDifference(difference, unit)
  if (interval === null) return { text }
  const isClear = (interval.low > 0 || interval.high < 0) && p !== null && p < CLEAR
  const ends = `${formatDifference(interval.low, unit)} to ${formatDifference(interval.high, unit)}`
  return { text, interval: ends, ...(isClear ? { isStrong: true } : {}) }
}

/** Notes that few people make differences unclear, however large. */
function tooFew(differences: readonly PairedDifference[]): string[] {
  const clusters = differences.flatMap((one) => one.clusters ?? [])
  if (clusters.length === 0) return []
  const most = Math.max(...clusters)
  const least = 2 / 2 ** most
  if (least < CLEAR) return []
  const so = most < 2 ? 'there is no p' : `p cannot be below ${formatP(least)}`
  return [`Over ${whole(most)} ${most === 1 ? 'person' : 'people'} ${so}: too few to tell.`]
}

function unitOf({ task, metric }: PairedDifference, runs: readonly NamedRun[]): Figure['unit'] {
  const figures = runs.flatMap(({ run }) => run.summary.figures)
  return figures.find((figure) => figure.task === task && figure.metric === metric)?.unit ?? 'score'
}
