import { z } from 'zod'
import { defineBenchmark, stepEntry } from '../benchmark/benchmark.ts'
import { folderOption, oneOf, seedOption, wholeNumber } from '../benchmark/options.ts'
import { requirePath } from '../benchmark/require-path.ts'
import { openDataset } from '../datasets/open-dataset.ts'
import { plainFigures } from '../results/plain-figures.ts'
import { measureCandidates } from './measure-candidates.ts'
import { pgliteStores, postgresStores } from './open-postgres.ts'

const SYSTEM = 'keepsake from candidates'

const options = z.object({
  postgres: z.string().optional().meta({
    value: '<address>',
    description: 'a database with pgvector: postgres://…',
    standard: 'PGlite, in this process',
  }),
  partitions: wholeNumber(0, 1_024)
    .default(0)
    .meta({ value: '<n>', description: 'into how many parts its tables are divided' }),
  dataset: oneOf(['locomo', 'lufy', 'everyday']).default('everyday').meta({
    value: '<name>',
    description: 'the data set whose talk the person said, and whose questions are asked',
  }),
  path: z.string().optional().meta({
    value: '<path>',
    description: "the data set's file (locomo) or folder (lufy, everyday)",
    standard: 'for everyday the talks that ship',
  }),
  turns: wholeNumber(1, 1_000_000).default(20_000).meta({
    value: '<n>',
    description:
      'turns of the person in all: what the data set has not got is put together from halves of its turns',
  }),
  calls: wholeNumber(1, 100_000).default(200).meta({ value: '<n>', description: 'questions asked at most' }),
  seed: seedOption,
  folder: folderOption,
})

/** One person too large for a cache: what is found of them from candidates, against the ranking of all they said, and how long both take. */
export const candidates = defineBenchmark({
  name: 'candidates',
  about:
    'Asks about one large person twice, from candidates that Postgres finds and with the whole person in memory, and compares what comes first and how long it takes.',
  examples: [
    'candidates --turns 20000',
    'candidates --postgres postgres://localhost/bench --dataset locomo --path locomo10.json --turns 100000',
  ],
  options,
  async *open({ postgres, partitions, dataset: name, path, turns, calls, seed, folder }) {
    const stores =
      postgres === undefined ? await pgliteStores(partitions) : await postgresStores(postgres, partitions)
    const dataset = await openDataset(name, requirePath(name, path))
    yield {
      dataset: name,
      dataHash: dataset.dataHash,
      systems: [SYSTEM],
      config: { turns, calls, seed, partitions, server: postgres === undefined ? 'PGlite' : 'Postgres' },
      tasks: ['stores'],
      goesOn: 'never',
      total: null,
      steps: [
        {
          name: `a person of ${turns} turns`,
          measure: async (say) => {
            const figures = await measureCandidates(stores, { dataset, turns, calls, seed, folder, say })
            return [
              stepEntry(`a person of ${turns} turns`, [
                { system: SYSTEM, figures: plainFigures('stores', `turns:${turns}`, figures) },
              ]),
            ]
          },
        },
      ],
    }
  },
})
