import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PRESET_NAMES } from 'keepsake'
import { z } from 'zod'
import { defineBenchmark, stepEntry, type Step } from '../benchmark/benchmark.ts'
import { folderOption, oneOf, seedOption, wholeNumber } from '../benchmark/options.ts'
import type { Figure } from '../log/figure.ts'
import { plainFigures } from '../results/plain-figures.ts'
import { measureIsolation, measureSize, type PerfConfig } from './measure-size.ts'
import { timeFlush } from './time-flush.ts'
import { measureTable } from './scan-table.ts'

const MOST = 10_000_000
const DIMENSIONS = 384
/** Calls before those that are measured. */
const UNMEASURED = 100
const LIMIT = 10
const SCAN_BUDGET_MS = 10_000
/** `seeded` is 384 seeded dimensions, `built-in` the engine's own vectors. */
const EMBEDDERS = ['seeded', 'built-in'] as const
const DISK = 'the disk alone'

/** How fast a memory is, and how much room it takes, through the public API alone. */
export const perf = defineBenchmark({
  name: 'perf',
  about: 'Measures how fast a memory is, and how much room it takes. Takes minutes at full size.',
  examples: ['perf --sizes 1000,10000 --no-isolation', 'perf --json'],
  options: z.object({
    sizes: z
      .array(wholeNumber(1, MOST))
      .min(1)
      .default([1_000, 10_000, 100_000])
      .meta({ value: '<list>', description: 'memories in one scope' }),
    isolation: z
      .union([z.literal(false), z.string()])
      .refine((given) => given === false || /^[1-9]\d{0,6}x[1-9]\d{0,6}$/.test(given), {
        error: 'It must be two numbers such as 1000x1000.',
      })
      .default('1000x1000')
      .meta({
        value: '<scopes>x<memories>',
        description: 'one scope among so many, with so many memories each',
      }),
    calls: wholeNumber(1, 1_000_000).default(1_000).meta({ description: 'calls measured' }),
    embedders: z
      .array(oneOf(EMBEDDERS))
      .min(1)
      .default([...EMBEDDERS])
      .meta({
        value: '<list>',
        description: 'whose vectors: those of a model that answers at once, or the engine’s own',
      }),
    seed: seedOption,
    folder: folderOption,
    preset: oneOf(PRESET_NAMES)
      .default('keepsake')
      .meta({ value: '<name>', description: 'how it remembers and forgets' }),
  }),
  async *open({ folder: parent = tmpdir(), ...options }) {
    const folder = await mkdtemp(join(parent, 'keepsake-perf-'))
    const config = { ...options, unmeasured: UNMEASURED, limit: LIMIT, dimensions: DIMENSIONS, folder }
    yield {
      dataset: 'generated',
      dataHash: `seed ${options.seed}`,
      systems: [...options.embedders, DISK],
      config: {
        ...options,
        unmeasured: UNMEASURED,
        limit: LIMIT,
        dimensions: DIMENSIONS,
        fill: { turnsPerCall: 1_000, synchronous: 'normal' },
        measured: { synchronous: 'full', retention: 'never', reinforce: false },
        isolationMeasured: { embedder: 'seeded', synchronous: 'normal' },
      },
      tasks: ['speed'],
      goesOn: 'never',
      total: null,
      steps: stepsOf(config),
      close: () => rm(folder, { recursive: true, force: true }),
    }
  },
})

interface Asked extends PerfConfig {
  readonly sizes: readonly number[]
  readonly embedders: readonly (typeof EMBEDDERS)[number][]
  readonly isolation: string | false
}

function* stepsOf(config: Asked): Generator<Step> {
  const { sizes, embedders, isolation, folder, calls, seed } = config
  yield step('disk', DISK, () => timeFlush(folder, calls))
  for (const embedder of embedders)
    for (const size of sizes)
      yield step(`${embedder}, ${size} memories`, embedder, (say) =>
        measureSize(config, { embedder, size, say }),
      )
  if (isolation !== false) {
    const [scopes = 1, memories = 1] = isolation.split('x').map(Number)
    yield step('isolation', 'seeded', (say) => measureIsolation(config, { scopes, memories, say }))
  }
  yield step('scanning vectors', 'seeded', async () => {
    const rows = Math.max(...sizes)
    const shape = { kernel: 'simd', rows, dimensions: DIMENSIONS } as const
    const scan = measureTable(shape, { seed, budget: SCAN_BUDGET_MS })
    const told = Object.entries(scan).filter(([name]) => /^scan_(p50|over)/.test(name))
    return plainFigures('speed', `memories:${rows}`, Object.fromEntries(told))
  })
}

function step(
  name: string,
  system: string,
  measure: (say: (what: string) => void) => Promise<Figure[]>,
): Step {
  return {
    name,
    measure: async (say) => [stepEntry(name, [{ system, figures: await measure(say) }])],
  }
}
