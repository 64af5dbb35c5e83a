import type { BenchContext } from '../../benchmark/benchmark.ts'
import type { DatasetName } from '../../datasets/open-dataset.ts'
import { ALL, type FigureTask, type TaskName } from '../../log/figure.ts'
import { findFigure } from '../../results/plain-figures.ts'
import type { RunSummary } from '../../results/run-summary.ts'
import { isPreset, run } from '../../runs/run.ts'
import type { SystemName } from '../../systems/open-system.ts'
import type { PublishedUnit, HereFigure, Measured, PaperAsked, Reproduction } from '../registry/paper.ts'
import { hereFigure } from './here-figure.ts'
import { measureVariant, type Variant, type VariantRun } from './measure-variant.ts'
import { runForLog } from './run-for-log.ts'

export interface RunCell {
  readonly column: string
  readonly unit: PublishedUnit
  readonly task: FigureTask
  readonly metric: string
  /** Default: all items. */
  readonly slice?: string
}

/** Cells of one task and unit: the metric of each column. */
export function cellsOf(
  task: FigureTask,
  unit: PublishedUnit,
  metrics: Readonly<Record<string, string>>,
): RunCell[] {
  return Object.entries(metrics).map(([column, metric]) => ({ column, unit, task, metric }))
}

/** A table whose rows are systems and whose columns are figures of `keepsake bench run`. */
export interface RunTable {
  readonly dataset: DatasetName
  readonly tasks: readonly TaskName[]
  /** The systems measured unless `--system` names others. */
  readonly systems: readonly SystemName[]
  readonly cells: readonly RunCell[]
  /** The paper's row for a system; absent: none. */
  readonly beside?: (system: string) => string | null
  /** Further options of the runs, for all systems or for each. */
  readonly more?: (asked: PaperAsked, system?: SystemName) => Readonly<Record<string, unknown>>
  /** Presets under the paper's conditions, in place of those as they ship. */
  readonly presets?: Readonly<Partial<Record<SystemName, Omit<Variant, 'row' | 'beside'>>>>
  /** Opens the data for these. Default: as published. */
  readonly open?: VariantRun['open']
}

/** Runs the table's systems, and takes its figures from their summaries. */
export function byRun(table: RunTable): Reproduction['measure'] {
  return async (asked, context) => {
    const summaries = await runSystems(table, asked, context)
    return { ...measuredOf(summaries), figures: summaries.flatMap((one) => figuresOf(table, one)) }
  }
}

type Runs = Omit<RunTable, 'cells' | 'beside'>

/** Runs each system as `keepsake bench run` does, or its preset under the paper's conditions. */
export async function runSystems(
  table: Runs,
  asked: PaperAsked,
  context: BenchContext,
): Promise<readonly RunSummary[]> {
  const { dataset, tasks, systems, more = () => ({}), presets = {}, open } = table
  const { path, system: chosen, reranking, ...models } = asked
  const summaries: RunSummary[] = []
  for (const system of chosen ?? systems) {
    const preset = presets[system]
    const given = { ...models, ...(isPreset(system) ? { reranking } : {}), ...more(asked, system) }
    if (preset === undefined) {
      const options = { dataset, path, system: [system], tasks: [...tasks], ...given }
      summaries.push(...(await runForLog(run, options, context)).flatMap((one) => one.summaries))
    } else
      summaries.push(
        ...(await measureVariant(
          { row: system, beside: null, ...preset },
          { dataset, tasks, open, ...given },
          { path, ...given },
          context,
        )),
      )
  }
  return summaries
}

/** Common facts of runs, without figures. */
export function measuredOf(summaries: readonly RunSummary[]): Omit<Measured, 'figures'> {
  const [first] = summaries
  return {
    size: first?.conversations ?? 0,
    dataHash: first?.dataHash ?? '',
    reader: first?.reader ?? null,
    runs: summaries,
    remarks: [
      ...summaries.flatMap(({ system, failures }) =>
        failures === 0 ? [] : [`${system}: ${failures} failures, which count as wrong.`],
      ),
      ...new Set(summaries.flatMap(({ remarks }) => remarks)),
    ],
  }
}

export function figuresOf(
  { cells, beside = () => null }: Pick<RunTable, 'cells' | 'beside'>,
  summary: RunSummary,
): HereFigure[] {
  return cells.flatMap(({ column, unit, task, metric, slice = ALL }) => {
    const figure = findFigure(summary.figures, task, metric, slice)
    const { system: row } = summary
    return figure === undefined ? [] : [hereFigure({ row, column, beside: beside(row), unit }, figure)]
  })
}

/** A table whose columns are systems and whose rows are their models. */
export interface SystemColumns extends Pick<RunTable, 'dataset' | 'tasks' | 'more' | 'presets'> {
  readonly columns: Readonly<Partial<Record<SystemName, string>>>
  readonly cell: Omit<RunCell, 'column'>
  /** What a row is named after: the systems' model, or the reader. */
  readonly row: 'model' | 'reader'
}

/** Runs the systems of the columns, each with the row's model or reader. */
export function bySystemColumns({ columns, cell, row, ...table }: SystemColumns): Reproduction['measure'] {
  const systems = Object.keys(columns) as SystemName[]
  return async (asked, context) => {
    const summaries = await runSystems({ ...table, systems }, asked, context)
    const figures = summaries.flatMap(({ figures: own, system, reader, config }) => {
      const figure = findFigure(own, cell.task, cell.metric, cell.slice)
      const column = columns[system as SystemName] ?? system
      const name = row === 'reader' ? reader : config['model']
      const place = {
        row: typeof name === 'string' ? name : 'no model',
        column,
        beside: null,
        unit: cell.unit,
      }
      return figure === undefined ? [] : [hereFigure(place, figure)]
    })
    return { ...measuredOf(summaries), figures }
  }
}

export interface VariantTable extends VariantRun, Pick<RunTable, 'cells' | 'more'> {
  readonly variants: readonly Variant[]
}

/** Runs each variant as `keepsake bench run` runs a preset, and takes the table's figures from the summaries. */
export function byVariants(table: VariantTable): Reproduction['measure'] {
  const besides = new Map(table.variants.map(({ row, beside }) => [row, beside]))
  return async (asked, context) => {
    const summaries: RunSummary[] = []
    const given = { ...asked, ...table.more?.(asked) }
    for (const variant of table.variants)
      summaries.push(...(await measureVariant(variant, { ...table, ...given }, given, context)))
    const beside = (system: string): string | null => besides.get(system) ?? null
    const figures = summaries.flatMap((one) => figuresOf({ ...table, beside }, one))
    return { ...measuredOf(summaries), figures }
  }
}
