// Measures tables of papers from runs of the harness.
import type { BenchContext } from '../../benchmark/benchmark.ts'
import type { DatasetName } from '../../datasets/open-dataset.ts'
import { ALL, type FigureTask, type TaskName } from '../../log/figure.ts'
import { findFigure } from '../../results/plain-figures.ts'
import type { RunSummary } from '../../results/run-summary.ts'
import { isPreset, run } from '../../runs/run.ts'
import type { SystemName } from '../../systems/open-system.ts'
import type {
  PublishedUnit,
  MeasuredFigure,
  ItemResult,
  PaperRequest,
  Reproduction,
} from '../registry/paper.ts'
import { scaleFigure } from './measured-figure.ts'
import { measureVariant, type Variant, type VariantRun } from './measure-variant.ts'
import { runForLog } from './run-for-log.ts'

/** A column of a table, and the figure of a run that it shows. */
export interface RunCell {
  readonly column: string
  readonly unit: PublishedUnit
  readonly task: FigureTask
  readonly metric: string
  /** Default: all items. */
  readonly slice?: string
}

/** Makes cells of one task and unit from the metric of each column. */
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
  /** The systems to measure, unless `--system` names others. */
  readonly systems: readonly SystemName[]
  readonly cells: readonly RunCell[]
  /** Returns the row of a system in the paper. `null`: none. */
  readonly paperRow?: (system: string) => string | null
  /** Further options of the runs. They may depend on the system. */
  readonly runOptions?: (request: PaperRequest, system?: SystemName) => Readonly<Record<string, unknown>>
  /** Presets with the paper's conditions. They replace the presets of Keepsake. */
  readonly presets?: Readonly<Partial<Record<SystemName, Omit<Variant, 'row' | 'paperRow'>>>>
  /** Opens the data for such presets. Default: as published. */
  readonly open?: VariantRun['open']
}

/** Measures a table by running its systems. The figures are those of the runs. */
export function byRun(table: RunTable): Reproduction['measure'] {
  return async (request, context) => {
    const summaries = await runSystems(table, request, context)
    return { ...summariseRuns(summaries), figures: summaries.flatMap((one) => figuresOf(table, one)) }
  }
}

type Runs = Omit<RunTable, 'cells' | 'paperRow'>

/** Runs each system as `keepsake bench run` does, or its preset with the paper's conditions. */
export async function runSystems(
  table: Runs,
  request: PaperRequest,
  context: BenchContext,
): Promise<readonly RunSummary[]> {
  const { dataset, tasks, systems, runOptions: optionsOf = () => ({}), presets = {}, open } = table
  const { path, system: chosen, reranking, ...models } = request
  const summaries: RunSummary[] = []
  for (const system of chosen ?? systems) {
    const preset = presets[system]
    const options = { ...models, ...(isPreset(system) ? { reranking } : {}), ...optionsOf(request, system) }
    if (preset === undefined) {
      const runOptions = { dataset, path, system: [system], tasks: [...tasks], ...options }
      const runs = await runForLog(run, runOptions, context)
      summaries.push(...runs.flatMap((loggedRun) => loggedRun.summaries))
    } else {
      const variant = { row: system, paperRow: null, ...preset }
      const conditions = { dataset, tasks, open, ...options }
      summaries.push(...(await measureVariant(variant, conditions, { path, ...options }, context)))
    }
  }
  return summaries
}

/** Describes the data, reader and failures of the runs of a table. */
export function summariseRuns(summaries: readonly RunSummary[]): Omit<ItemResult, 'figures'> {
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

/** Takes the figures of a table's columns from a run. */
export function figuresOf(
  { cells, paperRow = () => null }: Pick<RunTable, 'cells' | 'paperRow'>,
  summary: RunSummary,
): MeasuredFigure[] {
  return cells.flatMap(({ column, unit, task, metric, slice = ALL }) => {
    const figure = findFigure(summary.figures, task, metric, slice)
    const { system: row } = summary
    return figure === undefined ? [] : [scaleFigure({ row, column, paperRow: paperRow(row), unit }, figure)]
  })
}

/** A table with a column per system and a row per model. */
export interface SystemColumns extends Pick<RunTable, 'dataset' | 'tasks' | 'runOptions' | 'presets'> {
  readonly columns: Readonly<Partial<Record<SystemName, string>>>
  readonly cell: Omit<RunCell, 'column'>
  /** Whether a row has the name of the systems' model or that of the reader. */
  readonly row: 'model' | 'reader'
}

/** Measures one row of a table whose columns are systems, with the model or reader of the request. */
export function bySystemColumns({ columns, cell, row, ...table }: SystemColumns): Reproduction['measure'] {
  const systems = Object.keys(columns) as SystemName[]
  return async (request, context) => {
    const summaries = await runSystems({ ...table, systems }, request, context)
    const figures = summaries.flatMap(({ figures: runFigures, system, reader, config }) => {
      const figure = findFigure(runFigures, cell.task, cell.metric, cell.slice)
      const column = columns[system as SystemName] ?? system
      const model = row === 'reader' ? reader : config['model']
      const name = typeof model === 'string' ? model : 'no model'
      const place = { row: name, column, paperRow: null, unit: cell.unit }
      return figure === undefined ? [] : [scaleFigure(place, figure)]
    })
    return { ...summariseRuns(summaries), figures }
  }
}

/** A table whose rows are variants of a preset. */
export interface VariantTable extends VariantRun, Pick<RunTable, 'cells' | 'runOptions'> {
  readonly variants: readonly Variant[]
}

/** Measures a table whose rows are variants of a preset. Each is run as `keepsake bench run` runs a preset. */
export function byVariants(table: VariantTable): Reproduction['measure'] {
  const paperRows = new Map(table.variants.map(({ row, paperRow }) => [row, paperRow]))
  return async (request, context) => {
    const summaries: RunSummary[] = []
    const options = { ...request, ...table.runOptions?.(request) }
    for (const variant of table.variants)
      summaries.push(...(await measureVariant(variant, { ...table, ...options }, options, context)))
    const paperRow = (system: string): string | null => paperRows.get(system) ?? null
    const figures = summaries.flatMap((summary) => figuresOf({ ...table, paperRow }, summary))
    return { ...summariseRuns(summaries), figures }
  }
}
