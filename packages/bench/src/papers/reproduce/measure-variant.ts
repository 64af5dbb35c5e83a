import type { Preset } from 'keepsake/preset'
import type { BenchContext } from '../../benchmark/benchmark.ts'
import { runMeasurement } from '../../benchmark/run-benchmark.ts'
import type { OpenedDataset } from '../../datasets/conversation.ts'
import { openDataset, type DatasetName } from '../../datasets/open-dataset.ts'
import type { TaskName } from '../../log/figure.ts'
import type { RunSummary } from '../../results/run-summary.ts'
import { openRunOf, run, type RunOptions } from '../../runs/run.ts'
import { openPreset } from '../../systems/keepsake.ts'
import type { MemorySystem } from '../../systems/memory-system.ts'
import type { PaperRequest } from '../registry/paper.ts'

/** A preset with a change, as in an ablation (a run without one part), or with a paper's conditions. */
export interface Variant {
  /** The name of the measured row. */
  readonly row: string
  /** The row of the paper's table with which it is compared. `null`: none. */
  readonly paperRow: string | null
  readonly preset: (form: { readonly model: boolean }) => Preset
  /** Settings that the run's configuration names, in addition to the retention of the preset. */
  readonly config?: Readonly<Record<string, unknown>>
}

/** The data and conditions under which a variant runs. */
export interface VariantRun {
  readonly dataset: DatasetName
  readonly tasks: readonly TaskName[]
  readonly protocol?: RunOptions['protocol']
  /** Number of memories retrieved for a question. */
  readonly memories?: number
  readonly contextTokens?: number
  /** Opens the data. Default: as published. */
  readonly open?: ((path: string) => Promise<OpenedDataset>) | undefined
}

/** Runs a variant as `keepsake bench run` runs a preset. */
export async function measureVariant(
  variant: Variant,
  { dataset: name, tasks, protocol, memories, contextTokens, open }: VariantRun,
  { path, system: _system, ...models }: PaperRequest,
  context: BenchContext,
): Promise<readonly RunSummary[]> {
  const dataset = await (open?.(path) ?? openDataset(name, path))
  const options = { dataset: name, tasks: [...tasks], protocol, memories, contextTokens, ...models }
  const measurement = await openRunOf(systemOf(variant), dataset, run.options.parse(options), context)
  const command = `keepsake bench paper (${variant.row})`
  const { summaries } = await runMeasurement(measurement, { benchmark: 'run', command, context })
  return summaries
}

function systemOf({ row, preset, config = {} }: Variant): MemorySystem {
  const { name, retention } = preset({ model: false })
  return {
    name: row,
    config: { preset: name, variant: row, retention, ...config },
    needsModel: false,
    open: (opened) => openPreset(preset({ model: opened.model !== null }), opened),
  }
}
