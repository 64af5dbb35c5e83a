import { z } from 'zod'
import { defineBenchmark, stepEntry, type Step } from '../benchmark/benchmark.ts'
import { seedOption, shareNumber, wholeNumber } from '../benchmark/options.ts'
import { ALL } from '../log/figure.ts'
import { seededDraw } from '../metrics/seeded-draw.ts'
import { plainFigures } from '../results/plain-figures.ts'
import { needs, simulatePlacement, type CapacityPlan } from './place-scopes.ts'

const positive = z.number().positive('It must be a number above 0.')

const options = z.object({
  scopes: wholeNumber(1, 1_000_000_000).default(100_000_000).meta({ description: 'people' }),
  memories: wholeNumber(1, 1_000_000).default(200).meta({ description: 'memories of each' }),
  callsPerDay: positive.default(4).meta({ description: 'calls of a person a day' }),
  peak: positive.default(3).meta({ description: 'how much busier the busiest hour is than the mean one' }),
  diskBytes: positive
    .default(3_400)
    .meta({ description: 'bytes on disk of a memory, as "bench perf" measures' }),
  cacheBytes: positive
    .default(1_000)
    .meta({ description: 'bytes in a cache of a memory, as "bench perf" measures' }),
  warmMs: positive.default(7).meta({ description: 'processor time of a call, as "bench server" measures' }),
  coldMs: positive.default(5).meta({ description: 'what reading a person into a cache costs more' }),
  cached: shareNumber
    .default(0.5)
    .meta({ value: '<share>', description: 'of who talks on a day, how many the caches hold' }),
  databases: wholeNumber(1, 10_000).default(32).meta({ description: 'Postgres servers' }),
  partitions: wholeNumber(1, 1_000_000)
    .default(1_024)
    .meta({ description: 'parts that people are hashed into' }),
  tail: positive.default(1.5).meta({
    description: 'how alike people talk: Pareto’s exponent, 1.16 for a fifth that says four fifths',
  }),
  seed: seedOption,
})

/** What so many people need, from measured costs, and how evenly a hash lays their load on databases. */
export const capacity = defineBenchmark({
  name: 'capacity',
  about:
    'Reckons what so many people need from measured costs a call and a memory, and simulates how evenly a hash lays people who talk unequally much on databases. Measures nothing itself.',
  examples: ['capacity', 'capacity --scopes 1000000 --databases 1 --partitions 64 --json'],
  options,
  async *open({ tail, seed, ...plan }) {
    yield {
      dataset: 'generated',
      dataHash: `seed ${seed}`,
      systems: ['keepsake'],
      config: { ...plan, tail, seed },
      tasks: ['capacity-plan'],
      goesOn: 'never',
      total: null,
      steps: [planStep(plan, seed, tail)],
    }
  },
})

function planStep(plan: CapacityPlan, seed: number, tail: number): Step {
  const name = `${plan.scopes} people on ${plan.databases} databases`
  return {
    name,
    measure: async () => {
      const values = { ...needs(plan), ...simulatePlacement(plan, seededDraw(seed), tail) }
      return [stepEntry(name, [{ system: 'keepsake', figures: plainFigures('capacity-plan', ALL, values) }])]
    },
  }
}
