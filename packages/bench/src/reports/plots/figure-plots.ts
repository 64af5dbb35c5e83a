import type { Figure } from '../../runs/figure.ts'
import { findFigure, isFmr, type FigureColumn, type FigureRow } from '../figure-table.ts'
import { formatInterval, formatValue, NOTHING } from '../format-figure.ts'
import { metricWords, TASK_TITLES } from '../metric-words.ts'
import type { PlotBlock } from '../report-document.ts'
import { drawBars, type Bar } from './bars-plot.ts'
import { drawScatter } from './scatter-plot.ts'

/**
 * A small plot for each metric, a bar a system. False-memory resistance is drawn against recall: alone it would reward
 * a system that stores nothing.
 */
export function figurePlots(
  rows: readonly FigureRow[],
  columns: readonly FigureColumn[],
  judge: string | null,
): PlotBlock[] {
  return columns.flatMap((column) =>
    isFmr(column.metric) ? resistance(rows, column, judge) : bars(rows, column, judge),
  )
}

function bars(rows: readonly FigureRow[], column: FigureColumn, judge: string | null): PlotBlock[] {
  const figures = rows.map((row) => ({ name: row.label, figure: findFigure(row, column, judge) }))
  const told = figures.flatMap(({ figure }) =>
    figure === undefined || figure.value === null ? [] : [figure],
  )
  const [first] = told
  if (first === undefined) return []
  const { unit } = first
  const drawn = figures.map(({ name, figure }): Bar => {
    const value = figure?.value ?? null
    return {
      name,
      value,
      interval: figure?.interval ?? null,
      text: value === null ? NOTHING : formatValue(value, unit),
    }
  })
  const { label } = metricWords(column.task, column.metric)
  const title = `${label}${unit === 'share' ? ', %' : ''}`
  return [
    {
      title,
      description: describe(`${TASK_TITLES[column.task]}: ${title}`, drawn, unit),
      draw: () => drawBars(drawn, domainOf(told), unit === 'share' ? '.0%' : '~s'),
    },
  ]
}

function describe(title: string, drawn: readonly Bar[], unit: Figure['unit']): string {
  const said = drawn.map(({ name, text, interval }) =>
    interval === null ? `${name} ${text}` : `${name} ${text} (${formatInterval(interval, unit)})`,
  )
  return `Bars. ${title}. ${said.join('; ')}.`
}

/** From nought, or from the lowest below it, to the whole of what can be reached. */
function domainOf(figures: readonly Figure[]): [number, number] {
  const ends = figures.flatMap(({ value, interval }) => [
    value ?? 0,
    interval?.low ?? value ?? 0,
    interval?.high ?? value ?? 0,
  ])
  const low = Math.min(0, ...ends)
  const high = Math.max(...ends)
  const isUpToOne = figures.every(({ unit }) => unit === 'share' || unit === 'score') && high <= 1
  const isUpToFive = figures.every(({ unit }) => unit === 'score') && high <= 5
  return [low, isUpToOne ? 1 : isUpToFive ? 5 : high || 1]
}

function resistance(rows: readonly FigureRow[], column: FigureColumn, judge: string | null): PlotBlock[] {
  const points = rows.flatMap((row) => {
    const recall = findFigure(row, { ...column, metric: 'recall' }, judge)?.value ?? null
    const fmr = findFigure(row, column, judge)?.value ?? null
    return recall === null || fmr === null ? [] : [{ name: row.label, x: recall, y: fmr }]
  })
  if (points.length === 0) return []
  const percent = (share: number): string => `${formatValue(share, 'share')} %`
  const said = points.map(({ name, x, y }) => `${name} R ${percent(x)}, FMR ${percent(y)}`)
  return [
    {
      title: 'FMR (upwards) against R (rightwards), %',
      description: `Points. False-memory resistance against recall. ${said.join('; ')}.`,
      draw: () =>
        drawScatter(points, { x: { domain: [0, 1], format: '.0%' }, y: { domain: [0, 1], format: '.0%' } }),
    },
  ]
}
