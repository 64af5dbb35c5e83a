import { z } from 'zod'
import { defineBenchmark, stepEntry, type Step } from '../benchmark/benchmark.ts'
import { oneOf, seedOption, wholeNumber } from '../benchmark/options.ts'
import { plainFigures } from '../results/plain-figures.ts'
import { KERNELS, measureTable } from './scan-table.ts'

/** The exact scan of vectors by itself. */
export const vectorScan = defineBenchmark({
  name: 'vector-scan',
  about: 'Measures the scan of all vectors by itself, beside a plain pass over the same bytes.',
  examples: ['vector-scan --sizes 10000 --dimensions 384', 'vector-scan --json'],
  options: z.object({
    sizes: z
      .array(wholeNumber(1, 10_000_000))
      .min(1)
      .default([1_000, 10_000, 100_000])
      .meta({ value: '<list>', description: 'rows of a table' }),
    dimensions: z
      .array(wholeNumber(1, 65_536))
      .min(1)
      .default([384, 1_536])
      .meta({ value: '<list>', description: 'numbers of a vector' }),
    kernels: z
      .array(oneOf(KERNELS))
      .min(1)
      .default([...KERNELS])
      .meta({ value: '<list>', description: 'how it is computed' }),
    seed: seedOption,
    budget: wholeNumber(1, 3_600_000)
      .default(10_000)
      .meta({ value: '<ms>', description: 'milliseconds of scanning at most, from 30 calls to 1000' }),
  }),
  async *open(options) {
    yield {
      dataset: 'generated',
      dataHash: `seed ${options.seed}`,
      systems: options.kernels,
      config: options,
      tasks: ['vector-scan'],
      goesOn: 'never',
      total: null,
      steps: stepsOf(options),
    }
  },
})

interface Asked {
  readonly sizes: readonly number[]
  readonly dimensions: readonly number[]
  readonly kernels: readonly (typeof KERNELS)[number][]
  readonly seed: number
  readonly budget: number
}

function* stepsOf({ kernels, dimensions: widths, sizes, ...how }: Asked): Generator<Step> {
  for (const kernel of kernels)
    for (const dimensions of widths)
      for (const rows of sizes) {
        const name = `${kernel}, ${rows} × ${dimensions}`
        const measure = async () => {
          const measured = measureTable({ kernel, rows, dimensions }, how)
          const figures = plainFigures('vector-scan', `${dimensions} dimensions:${rows}`, measured)
          return [stepEntry(name, [{ system: kernel, figures }])]
        }
        yield { name, measure }
      }
}
