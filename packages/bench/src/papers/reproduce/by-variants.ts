import type { RunSummary } from '../../results/run-summary.ts'
import type { Reproduction } from '../registry/paper.ts'
import { figuresOf, measuredOf, type RunTable } from './by-run.ts'
import { measureVariant, type Variant, type VariantRun } from './measure-variant.ts'

/** A table whose rows are variants of a preset. */
export interface VariantTable extends VariantRun, Pick<RunTable, 'cells'> {
  readonly variants: readonly Variant[]
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
