import type { Interval } from '../metrics/bootstrap-interval.ts'
import { formatInterval, formatValue, NOTHING, whole } from './format-figure.ts'
import { retentionPlot } from './plots/retention-plot.ts'
import type { Block, Cell, Section } from './report-document.ts'
import type { RetentionReport } from './report-run.ts'

/** Figures against how much a policy may hold, of forgetting reports. */
export function retentionSection(reports: readonly RetentionReport[]): Section[] {
  const drawn = reports.filter(({ capacityCurves }) => capacityCurves.length > 0)
  const bare = reports.filter(({ capacityCurves }) => capacityCurves.length === 0)
  const blocks = [
    ...drawn.flatMap(blocksOf),
    ...bare.map(({ source }): Block => ({
      kind: 'warning',
      text: `${source} holds no capacity curves: measure them with keepsake bench forgetting --capacities.`,
    })),
  ]
  return blocks.length === 0 ? [] : [{ id: 'retention', title: 'Retention against capacity', blocks }]
}

function blocksOf(report: RetentionReport): Block[] {
  const { dataset, dataHash, capacityCurves: curves } = report
  const named = [...new Set(curves.flatMap(({ area }) => Object.keys(area)))]
  const metrics = named.filter((metric) =>
    curves.some(({ points }) => points.some((point) => typeof point[metric] === 'number')),
  )
  return [
    { kind: 'plots', plots: metrics.map((metric) => retentionPlot(report, metric)) },
    {
      kind: 'table',
      caption: `Area under each curve on ${dataset}: the mean figure over the range of capacities`,
      columns: [
        { label: 'policy', align: 'left' },
        ...metrics.map((metric) => ({ label: `${wordsOf(metric)} %`, align: 'right' }) as const),
      ],
      rows: curves.map(({ policy, area, areaIntervals }) => ({
        cells: [{ text: policy }, ...metrics.map((metric) => cellOf(area[metric], areaIntervals[metric]))],
      })),
      notes: [`Data of ${dataset}: sha256 ${dataHash}.`],
    },
    ...metrics.map((metric): Block => ({
      kind: 'table',
      caption: `${wordsOf(metric)} on ${dataset}, by capacity`,
      columns: [
        { label: 'policy', align: 'left' },
        ...(curves[0]?.points ?? []).map(
          ({ capacity }) => ({ label: whole(capacity), align: 'right' }) as const,
        ),
      ],
      rows: curves.map(({ policy, points }) => ({
        cells: [{ text: policy }, ...points.map((point) => cellOf(point[metric]))],
      })),
      notes: [],
      isFolded: true,
    })),
  ]
}

const wordsOf = (metric: string): string => metric.replaceAll('_', ' ')

function cellOf(value: number | null | undefined, interval: Interval | null = null): Cell {
  if (typeof value !== 'number') return { text: NOTHING, missing: 'The data tells nothing of it.' }
  return {
    text: formatValue(value, 'share'),
    ...(interval === null ? {} : { interval: formatInterval(interval, 'share') }),
  }
}
