import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { defineBenchmark, stepEntry, type Step } from '../benchmark/benchmark.ts'
import { folderOption, seedOption, wholeNumber } from '../benchmark/options.ts'
import { askChild } from '../processes/child.ts'
import { plainFigures } from '../results/plain-figures.ts'
import { killPeer } from './kill-peer.ts'
import { PEER_NAMES, type PeerName } from './open-peer.ts'
import { PEER_CHILD, type LoadRequest, type PeerFigures } from './peer-child.ts'

const MOST = 1_000_000
const DIMENSIONS = 384
const LIMIT = 10
const LARGE = 10_000
const CALLS = 200
const CALLS_WHEN_LARGE = 60
/** Calls before those that are measured. */
const UNMEASURED = 5

const options = z.object({
  sizes: z
    .array(wholeNumber(1, MOST))
    .min(1)
    .default([1_000, LARGE])
    .meta({ value: '<list>', description: 'facts held when measuring' }),
  calls: wholeNumber(1, MOST)
    .optional()
    .meta({ description: 'calls measured', standard: `${CALLS}, from 10,000 facts on ${CALLS_WHEN_LARGE}` }),
  kills: wholeNumber(0, 1_000).default(20).meta({ description: 'kills of each system, 0 for none' }),
  seed: seedOption,
  folder: folderOption,
})

type Options = z.output<typeof options>

/**
 * Keepsake and Mem0's npm package side by side: the same talk, the same model that answers at once, the same embedder,
 * each system through its public calls with its default durable embedded store, in processes of its own.
 */
export const peers = defineBenchmark({
  name: 'peers',
  about:
    "Measures Keepsake and Mem0's npm package side by side: speed, calls, size, and what survives a kill. Takes minutes; needs mem0ai installed.",
  examples: ['peers --sizes 1000 --kills 0', 'peers --json'],
  options,
  async *open({ folder: parent = tmpdir(), ...asked }) {
    const folder = await mkdtemp(join(parent, 'keepsake-peers-'))
    yield {
      dataset: 'generated',
      dataHash: `seed ${asked.seed}`,
      systems: PEER_NAMES,
      config: {
        ...asked,
        calls: asked.calls ?? { below10000: CALLS, from10000: CALLS_WHEN_LARGE },
        unmeasured: UNMEASURED,
        dimensions: DIMENSIONS,
        limit: LIMIT,
        embedder: { measured: 'seeded vectors', killed: "Keepsake's word vectors" },
        model: 'scripted: three facts a round, at once',
        fill: '16 rounds a call',
      },
      tasks: ['side-by-side', ...(asked.kills > 0 ? (['peer-kills'] as const) : [])],
      goesOn: 'never',
      total: null,
      steps: stepsOf(asked, folder),
      close: () => rm(folder, { recursive: true, force: true }),
    }
  },
})

function* stepsOf(asked: Options, folder: string): Generator<Step> {
  const { sizes, kills, seed } = asked
  for (const size of sizes)
    for (const system of PEER_NAMES)
      yield step(`${size} facts: ${system}`, system, async () =>
        plainFigures('side-by-side', `facts:${size}`, await measurePeer(asked, folder, system, size)),
      )
  for (const system of kills > 0 ? PEER_NAMES : [])
    yield step(`${kills} kills: ${system}`, system, async () =>
      plainFigures('peer-kills', 'all', await killPeer({ peer: system, kills, seed, folder })),
    )
}

function step(name: string, system: PeerName, measure: () => Promise<ReturnType<typeof plainFigures>>): Step {
  return { name, measure: async () => [stepEntry(name, [{ system, figures: await measure() }])] }
}

async function measurePeer({ seed, calls }: Options, parent: string, peer: PeerName, size: number) {
  const folder = await mkdtemp(join(parent, `${peer}-${size}-`))
  const request: LoadRequest = {
    phase: 'load',
    peer,
    folder,
    embedding: DIMENSIONS,
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
