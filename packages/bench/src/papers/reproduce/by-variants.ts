import type { Preset } from 'keepsake/preset'
import type { BenchContext } from '../../benchmark/benchmark.ts'
import { runMeasurement } from '../../benchmark/run-benchmark.ts'
import { openDataset } from '../../datasets/open-dataset.ts'
import type { RunSummary } from '../../results/run-summary.ts'
import { measureSystem } from '../../runs/measure-system.ts'
import type { Protocol } from '../../runs/protocol.ts'
import { openCached, openReaderAndJudge, timeoutOf } from '../../runs/run.ts'
import { openPreset } from '../../systems/keepsake.ts'
import type { MemorySystem } from '../../systems/memory-system.ts'
import type { PaperAsked, Reproduction } from '../registry/paper.ts'
import { figuresOf, measuredOf, type RunTable } from './by-run.ts'

/** A preset with one change, as in an ablation. */
export interface Variant {
  /** The row's name here and in the paper. */
  readonly row: string
  readonly beside: string | null
  readonly preset: (form: { readonly model: boolean }) => Preset
}

/** A table whose rows are variants of a preset. */
export interface VariantTable extends Pick<RunTable, 'dataset' | 'tasks' | 'cells'> {
  readonly variants: readonly Variant[]
  readonly protocol?: Protocol
  /** Memories retrieved for a question or probe. */
  readonly memories?: number
}

/** Runs each variant as `keepsake bench run` runs a preset, and takes the table's figures from the summaries. */
export function byVariants(table: VariantTable): Reproduction['measure'] {
  const besides = new Map(table.variants.map(({ row, beside }) => [row, beside]))
  const beside = (system: string): string | null => besides.get(system) ?? null
  return async (asked, context) => {
    const summaries: RunSummary[] = []
    for (const variant of table.variants)
      summaries.push(...(await measureVariant(variant, table, asked, context)))
    const figures = summaries.flatMap((one) => figuresOf({ ...table, beside }, one))
    return { ...measuredOf(summaries), figures }
  }
}

async function measureVariant(
  variant: Variant,
  { dataset: name, tasks, protocol = 'own', memories }: VariantTable,
  asked: PaperAsked,
  context: BenchContext,
): Promise<readonly RunSummary[]> {
  const dataset = await openDataset(name, asked.path)
  const modelTimeoutMs = timeoutOf(asked.modelTimeout)
  const { embedding, likeness, bertscore, limit } = asked
  const measurement = measureSystem({
    dataset,
    system: systemOf(variant),
    model: await openCached(context, asked.model),
    modelTimeoutMs,
    embedding: embedding === undefined ? null : await context.openEmbedding(embedding),
    likeness: likeness === undefined ? undefined : await context.openEmbedding(likeness),
    tokens: bertscore === undefined ? undefined : await context.openTokens(bertscore),
    ...(await openReaderAndJudge(context, dataset.language, { ...asked, protocol, modelTimeoutMs })),
    tasks,
    protocol,
    memoriesWanted: memories,
    limit,
  })
  const command = `keepsake bench paper (${variant.row})`
  const { summaries } = await runMeasurement(measurement, { benchmark: 'run', command, context })
  return summaries
}

/** A preset under its own name. */
function systemOf({ row, preset }: Variant): MemorySystem {
  return {
    name: row,
    config: { preset: preset({ model: false }).name, variant: row },
    needsModel: false,
    open: (opened) => openPreset(preset({ model: opened.model !== null }), opened),
  }
}
