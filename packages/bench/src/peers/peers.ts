import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { defineBenchmark, stepEntry, type Step } from '../benchmark/benchmark.ts'
import { folderOption, seedOption, wholeNumber } from '../benchmark/options.ts'
import { askChild } from '../processes/child.ts'
import { plainFigures } from '../results/plain-figures.ts'
import { PEER_NAMES, type PeerName } from './open-peer.ts'
import { PEER_CHILD, type LoadRequest, type PeerFigures } from './peer-child.ts'

const MAX_COUNT = 1_000_000
/** Dimensions of the vectors, as small embedding models have. */
const DIMENSIONS = 384
/** Number of results of a search. */
const LIMIT = 10
/** From this many facts on, fewer calls are timed. */
const LARGE = 10_000
const CALLS = 200
const CALLS_WHEN_LARGE = 60
/** Number of calls before the timed ones. */
const UNMEASURED = 5

const options = z.object({
  sizes: z
    .array(wholeNumber(1, MAX_COUNT))
    .min(1)
    .default([1_000, LARGE])
    .meta({ value: '<list>', description: 'number of facts in memory during the measurement' }),
  calls: wholeNumber(1, MAX_COUNT)
    .optional()
    .meta({
      description: 'number of measured calls',
      standard: `${CALLS}, from 10,000 facts on ${CALLS_WHEN_LARGE}`,
    }),
  seed: seedOption,
  folder: folderOption,
})

type Options = z.output<typeof options>

/** Measures Keepsake and Mem0's npm package with the same talk and instant models, each in its own process with its store on disk. */
export const peers = defineBenchmark({
  name: 'peers',
  about:
    "Compares Keepsake with Mem0's npm package: speed, calls and size. Takes minutes; mem0ai must be installed.",
  examples: ['peers --sizes 1000', 'peers --json'],
  options,
  async *open({ folder: parent = tmpdir(), ...input }) {
    const folder = await mkdtemp(join(parent, 'keepsake-peers-'))
    yield {
      dataset: 'generated',
      dataHash: `seed ${input.seed}`,
      systems: PEER_NAMES,
      config: {
        ...input,
        calls: input.calls ?? { below10000: CALLS, from10000: CALLS_WHEN_LARGE },
        unmeasured: UNMEASURED,
        dimensions: DIMENSIONS,
        limit: LIMIT,
        embedder: 'seeded vectors',
        model: 'scripted: three facts a round, at once',
        fill: '16 rounds a call',
      },
      tasks: ['side-by-side'],
      resumes: 'never',
      total: null,
      steps: stepsOf(input, folder),
      close: () => rm(folder, { recursive: true, force: true }),
    }
  },
})

function* stepsOf(input: Options, folder: string): Generator<Step> {
  for (const size of input.sizes)
    for (const system of PEER_NAMES) {
      const name = `${size} facts: ${system}`
      yield {
        name,
        async measure() {
          const figures = await measurePeer(input, folder, system, size)
          return [
            stepEntry(name, [{ system, figures: plainFigures('side-by-side', `facts:${size}`, figures) }]),
          ]
        },
      }
    }
}

async function measurePeer({ seed, calls }: Options, parent: string, peer: PeerName, size: number) {
  const folder = await mkdtemp(join(parent, `${peer}-${size}-`))
  const request: LoadRequest = {
    phase: 'load',
    peer,
    folder,
    dimensions: DIMENSIONS,
    seed,
    size,
    calls: calls ?? (size < LARGE ? CALLS : CALLS_WHEN_LARGE),
    unmeasured: UNMEASURED,
    limit: LIMIT,
  }
  const loaded = await askChild<PeerFigures>(PEER_CHILD, request)
  const disk_bytes = await bytesOf(folder)
  const opened = await askChild<PeerFigures>(PEER_CHILD, { ...request, phase: 'open' })
  await rm(folder, { recursive: true, force: true })
  return { ...loaded, disk_bytes, ...opened }
}

async function bytesOf(folder: string): Promise<number> {
  const names = await readdir(folder)
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}
