import type { Figure } from '../runs/figure.ts'
import { LOST_STEPS } from '../runs/log-entry.ts'
import { figureTable } from './figure-table.ts'
import { NOTHING, formatValue, whole } from './format-figure.ts'
import { inOrder, metricWords, TASK_TITLES } from './metric-words.ts'
import { attributionPlot } from './plots/attribution-plot.ts'
import { costPlots } from './plots/cost-plot.ts'
import type { Block, Cell, Section } from './report-document.ts'
import type { NamedRun } from './task-sections.ts'

/** Calls, tokens, time; and what they buy. */
export function costSection(runs: readonly NamedRun[]): Section[] {
  const figures = runs.flatMap(({ run }) => run.summary.figures).filter(({ task }) => task === 'cost')
  if (figures.length === 0) return []
  const blocks: Block[] = []
  const plots = runs.length < 2 ? [] : costPlots(runs)
  if (plots.length > 0) blocks.push({ kind: 'plots', plots })
  for (const { caption, units } of COST_TABLES) {
    const own = figures.filter(({ unit }) => units.includes(unit))
    const slices = [...new Set(own.map(({ slice }) => slice))]
    for (const isWhole of [true, false]) {
      const shown = slices.filter((slice) => (slice === ALL) === isWhole)
      if (shown.length > 0)
        blocks.push(costTable(runs, own, shown, isWhole ? caption : `${caption}, in part`))
    }
  }
  return [{ id: 'cost', title: TASK_TITLES.cost, blocks }]
}

const ALL = 'all'
const COST_TABLES: readonly { readonly caption: string; readonly units: readonly Figure['unit'][] }[] = [
  { caption: 'Calls, tokens and room', units: ['tokens', 'count', 'bytes', 'share', 'score'] },
  { caption: 'Time', units: ['milliseconds'] },
]

function costTable(
  runs: readonly NamedRun[],
  figures: readonly Figure[],
  slices: readonly string[],
  caption: string,
): Block {
  const shown = figures.filter(({ slice }) => slices.includes(slice))
  const columns = inOrder(
    'cost',
    shown.map(({ metric }) => metric),
  ).map((metric) => ({ task: 'cost', metric }) as const)
  const told = columns.flatMap(({ metric }) => {
    const { label, about } = metricWords('cost', metric)
    return about === '' ? [] : [`${label}: ${about}.`]
  })
  return figureTable({
    caption,
    rows: slices.flatMap((slice) =>
      runs
        .filter(({ run }) =>
          run.summary.figures.some((figure) => shown.includes(figure) && figure.slice === slice),
        )
        .map(({ run, name }) => ({
          run,
          label: name,
          slice,
          ...(slice === ALL ? {} : { group: slice.slice(slice.indexOf(':') + 1) }),
        })),
    ),
    columns,
    judge: null,
    notes: [told.join(' ')],
    isFolded: !slices.includes(ALL),
  })
}

/** How many wrong answers a system's steps lost. */
export interface LostCounts {
  readonly name: string
  /** Whose verdicts said that they are wrong. */
  readonly judge: string
  /** Steps in their order, `unknown` last. */
  readonly steps: readonly { readonly step: string; readonly count: number }[]
  readonly wrong: number
}

/** Which step lost the wrong answers, as far as the logs say. */
export function attributionSection(runs: readonly NamedRun[]): Section[] {
  const counts = runs.flatMap(lostCounts)
  if (counts.length === 0) return []
  const judges = [...new Set(counts.map(({ judge }) => judge))]
  const inTurn = judges.flatMap((judge) => counts.filter((one) => one.judge === judge))
  const table: Block = {
    kind: 'table',
    caption: `Wrong answers by the step that lost them; judge: ${judges.join(' or ')}`,
    columns: [
      { label: 'system', align: 'left' },
      ...STEPS.map((step) => ({ label: metricWords('attribution', step).label, align: 'right' }) as const),
      { label: 'wrong', align: 'right' },
    ],
    rows: inTurn.map(({ name, judge, steps, wrong }) => ({
      ...(judges.length > 1 ? { group: `Judge: ${judge}` } : {}),
      cells: [{ text: name }, ...steps.map(({ count }) => lostCell(count, wrong)), { text: whole(wrong) }],
    })),
    notes: [
      `The first step at which what the answer needs was gone. ${STEPS.map((step) => {
        const { label, about } = metricWords('attribution', step)
        return `${label}: ${about}.`
      }).join(' ')}`,
    ],
  }
  const plots = judges.map((judge) =>
    attributionPlot(
      judge,
      counts.filter((one) => one.judge === judge),
    ),
  )
  const blocks: Block[] = [{ kind: 'plots', plots }, table]
  return [{ id: 'attribution', title: TASK_TITLES.attribution, blocks }]
}

const STEPS = [...LOST_STEPS, 'unknown'] as const

function lostCell(count: number, wrong: number): Cell {
  return wrong === 0
    ? { text: NOTHING, missing: 'Nothing was answered wrongly.' }
    : { text: whole(count), count: `${formatValue(count / wrong, 'share')} %` }
}

function lostCounts({ run, name }: NamedRun): LostCounts[] {
  const { log, summary } = run
  const figures = summary.figures.filter(({ task, slice }) => task === 'attribution' && slice === 'all')
  const isSaid = figures.some(({ metric, value }) => value !== null && STEPS.some((step) => step === metric))
  if (!isSaid && (log === null || log.asked === 0)) return []
  const steps = STEPS.map((step) => ({
    step,
    count: isSaid ? countOf(figures.find(({ metric }) => metric === step)) : (log?.lost[step] ?? 0),
  }))
  const judge = figures[0]?.judge ?? summary.judge ?? 'nobody'
  return [{ name, judge, steps, wrong: steps.reduce((sum, { count }) => sum + count, 0) }]
}

/** A figure is a count, or a share of the wrong answers. */
function countOf(figure: Figure | undefined): number {
  if (figure === undefined || figure.value === null) return 0
  return figure.unit === 'share' ? Math.round(figure.value * figure.count) : figure.value
}
