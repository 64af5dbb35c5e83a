import { PRESET_NAMES } from 'keepsake'
import { z } from 'zod'
import { defineBenchmark, stepEntry, type Measurement } from '../benchmark/benchmark.ts'
import { folderOption, oneOf, seedOption, wholeNumber } from '../benchmark/options.ts'
import { requirePath } from '../benchmark/require-path.ts'
import { openDataset } from '../datasets/open-dataset.ts'
import { deterministicJudge } from '../judges/deterministic-judge.ts'
import { ALL } from '../log/figure.ts'
import { extractiveReader } from '../readers/extractive-reader.ts'
import { plainFigures } from '../results/plain-figures.ts'
import { measureSystem } from '../runs/measure-system.ts'
import { postgresStores, type PostgresStores } from './open-postgres.ts'
import { sameOnBoth, type Comparison } from './same-on-both.ts'
import { shareWork } from './share-work.ts'
import { timeStores } from './time-stores.ts'

const options = z.object({
  postgres: z.string().meta({ value: '<address>', description: 'a database to try it on: postgres://…' }),
  partitions: wholeNumber(0, 1_024)
    .default(0)
    .meta({ value: '<n>', description: 'into how many parts its tables are divided' }),
  dataset: oneOf(['locomo', 'lufy', 'everyday'])
    .default('everyday')
    .meta({ value: '<name>', description: 'the data set whose questions are asked of both' }),
  path: z.string().optional().meta({
    value: '<path>',
    description: "the data set's file (locomo) or folder (lufy, everyday)",
    standard: 'for everyday the talks that ship',
  }),
  presets: z
    .array(oneOf(PRESET_NAMES))
    .min(1)
    .default([...PRESET_NAMES])
    .meta({ value: '<names>', description: 'which presets are asked' }),
  people: wholeNumber(0, 1_000_000)
    .default(0)
    .meta({ value: '<n>', description: 'of how many people recalls are timed on both; 0: none' }),
  turns: wholeNumber(1, 100_000).default(100).meta({ value: '<n>', description: 'turns of each of them' }),
  calls: wholeNumber(1, 1_000_000)
    .default(500)
    .meta({ value: '<n>', description: 'people whose recalls are timed' }),
  scopes: wholeNumber(0, 1_000_000)
    .default(0)
    .meta({ value: '<n>', description: 'people whose work one process does, and then a crew; 0: none' }),
  rounds: wholeNumber(1, 10_000)
    .default(4)
    .meta({ value: '<n>', description: 'rounds that each of them talks' }),
  servers: wholeNumber(1, 64)
    .default(2)
    .meta({ value: '<n>', description: 'processes of the crew that talk' }),
  workers: wholeNumber(0, 64)
    .default(4)
    .meta({ value: '<n>', description: 'processes of the crew that only work' }),
  seed: seedOption,
  folder: folderOption,
})

type Asked = z.output<typeof options>

/** The same talk and the same questions on a file and on Postgres: every answer compared to the digit, and recalls timed. */
export const stores = defineBenchmark({
  name: 'stores',
  about:
    'Tells presets the same on a file and on Postgres, asks both the same, and compares every answer with its scores; times recalls of many people on both.',
  examples: [
    'stores --postgres postgres://localhost/bench',
    'stores --postgres postgres://localhost/bench --dataset locomo --path locomo10.json --presets keepsake,moom',
    'stores --postgres postgres://localhost/bench --presets keepsake --scopes 500',
    'stores --postgres postgres://localhost/bench --presets keepsake --people 10000 --turns 100 --partitions 16',
  ],
  options,
  async *open(asked) {
    const postgres = await postgresStores(asked.postgres, asked.partitions)
    for (const preset of asked.presets) yield comparePreset(asked, preset, postgres)
    if (asked.people > 0) yield timePeople(asked, postgres)
    if (asked.scopes > 0) yield timeCrews(asked)
  },
})

/** What the file answers is scored as ever; the other store's answers are held against it. */
async function comparePreset(
  { dataset: name, path, partitions }: Asked,
  preset: Asked['presets'][number],
  postgres: PostgresStores,
): Promise<Measurement> {
  const comparison: Comparison = { answers: 0, differing: [], differences: 0 }
  const measured = measureSystem({
    dataset: await openDataset(name, requirePath(name, path)),
    system: sameOnBoth(preset, postgres.open, comparison),
    tasks: [name === 'everyday' ? 'everyday' : 'retrieval'],
    reader: extractiveReader,
    judge: deterministicJudge,
    concurrency: 1,
  })
  return {
    ...measured,
    config: { ...measured.config, partitions },
    tasks: [...measured.tasks, 'stores'],
    asked: { presets: [preset], people: 0, scopes: 0 },
    goesOn: 'never',
    summarise: (log) =>
      (measured.summarise?.(log) ?? []).map(({ system, figures }) => ({
        system,
        figures: [
          ...figures,
          ...plainFigures('stores', ALL, {
            compared: comparison.answers,
            differing: comparison.differences,
          }),
        ],
      })),
    remarks: (log) => [
      ...(measured.remarks?.(log) ?? []),
      ...comparison.differing.map((what) => `The two stores differ: ${what}`),
    ],
    findFault: () =>
      comparison.differences === 0 ? null : `${comparison.differences} answers of ${preset} differ.`,
  }
}

function timePeople(
  { postgres: address, people, turns, calls, seed, partitions, folder }: Asked,
  postgres: PostgresStores,
): Measurement {
  const load = { people, turns, calls, seed }
  return {
    dataset: 'generated',
    dataHash: `seed ${seed}`,
    systems: ['keepsake', 'keepsake on Postgres'],
    config: { ...load, partitions, asks: 'each store by a process of its own' },
    tasks: ['stores'],
    goesOn: 'never',
    total: null,
    steps: [
      {
        name: `${people} people of ${turns} turns`,
        measure: async (say) => {
          const timed = await timeStores(postgres, { ...load, address, folder, say })
          return [
            stepEntry(`${people} people of ${turns} turns`, [
              { system: 'keepsake', figures: timed.file },
              { system: 'keepsake on Postgres', figures: timed.postgres },
            ]),
          ]
        },
      },
    ],
  }
}

/** One process that does everything, and then a crew on one database. */
function timeCrews({ postgres: address, scopes, rounds, servers, workers }: Asked): Measurement {
  const crews = [
    { servers: 1, workers: 0 },
    { servers, workers },
  ]
  return {
    dataset: 'generated',
    dataHash: `rounds ${rounds}`,
    systems: ['keepsake on Postgres'],
    config: { scopes, rounds, servers, workers },
    tasks: ['stores'],
    goesOn: 'never',
    total: null,
    steps: crews.map((crew) => {
      const name = `${crew.servers} servers, ${crew.workers} workers, ${scopes} people`
      return {
        name,
        measure: async () => {
          const figures = await shareWork({ address, scopes, rounds }, crew)
          return [stepEntry(name, [{ system: 'keepsake on Postgres', figures }])]
        },
      }
    }),
  }
}
