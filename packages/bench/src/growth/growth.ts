import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { defineBenchmark, stepEntry, type Step } from '../benchmark/benchmark.ts'
import { folderOption, oneOf, seedOption, wholeNumber } from '../benchmark/options.ts'
import type { Figure } from '../log/figure.ts'
import {
  measureCapacity,
  measureFairness,
  measurePast,
  measureSingles,
  type GrowthConfig,
} from './measure-growth.ts'
import { TALKS, type Talk } from './talk.ts'

const MOST = 10_000_000
const SYSTEM = 'keepsake'
const PARTS = ['past', 'singles', 'capacity', 'fair'] as const

/** What reading by rules costs, as people's pasts grow and beside each other, through the public API alone. */
export const growth = defineBenchmark({
  name: 'growth',
  about:
    'Measures what reading a turn costs, as a person’s past grows, under a capacity and beside a greedy person.',
  examples: ['growth --sizes 1000,10000 --parts past', 'growth --json'],
  options: z.object({
    parts: z
      .array(oneOf(PARTS))
      .min(1)
      .default([...PARTS])
      .meta({ value: '<list>', description: 'what is measured' }),
    sizes: z
      .array(wholeNumber(500, MOST))
      .min(1)
      .default([1_000, 10_000, 100_000])
      .meta({ value: '<list>', description: 'turns that a person said, the measured ones among them' }),
    talks: z
      .array(oneOf(TALKS))
      .min(1)
      .default([...TALKS])
      .meta({ value: '<list>', description: 'how much there is to know in what is said' }),
    people: wholeNumber(1, MOST).default(100).meta({ description: 'people who say a turn each' }),
    past: wholeNumber(1, MOST).default(1_000).meta({ description: 'turns that each of them said before' }),
    capacity: wholeNumber(10, MOST)
      .default(5_000)
      .meta({ description: 'utterances that have room, and as many facts' }),
    greedy: wholeNumber(100, MOST).default(12_000).meta({ description: 'turns of the one who says much' }),
    seed: seedOption,
    folder: folderOption,
  }),
  async *open({ folder: parent = tmpdir(), ...options }) {
    const folder = await mkdtemp(join(parent, 'keepsake-growth-'))
    yield {
      dataset: 'generated',
      dataHash: `seed ${options.seed}`,
      systems: [SYSTEM],
      config: { ...options, synchronous: 'normal', measuredTurns: 500 },
      tasks: ['speed'],
      goesOn: 'never',
      total: null,
      steps: stepsOf({ ...options, folder }),
      close: () => rm(folder, { recursive: true, force: true }),
    }
  },
})

interface Asked extends GrowthConfig {
  readonly parts: readonly (typeof PARTS)[number][]
  readonly sizes: readonly number[]
  readonly talks: readonly Talk[]
  readonly people: number
  readonly past: number
  readonly capacity: number
  readonly greedy: number
}

function* stepsOf(asked: Asked): Generator<Step> {
  const { parts, talks, sizes, people, past, capacity, greedy } = asked
  if (parts.includes('past'))
    for (const talk of talks)
      yield step(`${talk} talk, as it grows`, (say) => measurePast(asked, { talk, sizes, say }))
  if (parts.includes('singles'))
    for (const talk of talks)
      yield step(`${talk} talk, a turn at a time`, () => measureSingles(asked, { talk, people, past }))
  if (parts.includes('capacity'))
    for (const talk of talks)
      yield step(`${talk} talk under a capacity`, (say) =>
        measureCapacity(asked, { talk, memories: capacity, say }),
      )
  if (parts.includes('fair')) yield step('fairness', () => measureFairness(asked, { turns: greedy }))
}

function step(name: string, measure: (say: (what: string) => void) => Promise<Figure[]>): Step {
  return {
    name,
    measure: async (say) => [stepEntry(name, [{ system: SYSTEM, figures: await measure(say) }])],
  }
}
