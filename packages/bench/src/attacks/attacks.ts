import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { defineBenchmark, stepEntry, type Step } from '../benchmark/benchmark.ts'
import { folderOption, oneOf, seedOption, wholeNumber } from '../benchmark/options.ts'
import type { Figure } from '../log/figure.ts'
import { quantilesNamed, round } from '../perf/time-calls.ts'
import { askChild } from '../processes/child.ts'
import type { Holds } from '../processes/watch-holds.ts'
import { plainFigures } from '../results/plain-figures.ts'
import { ATTACKS } from './all-attacks.ts'

const NAMES = ATTACKS.map(({ name }) => name)
/** So long nobody attacks, for comparison. */
const CALM = 'nobody'

const options = z.object({
  only: z
    .array(oneOf(NAMES))
    .min(1)
    .default(NAMES)
    .meta({ value: '<list>', description: `only these: ${NAMES.join(', ')}` }),
  seconds: wholeNumber(1, 3_600).default(20).meta({ description: 'how long each attack lasts' }),
  seed: seedOption,
  folder: folderOption,
})

/**
 * One key does its worst, another person goes on as ever: how long their recalls take, and how soon what they say is learned. Each attack
 * meets a new server, in a process of its own, with its usual limits.
 */
export const attacks = defineBenchmark({
  name: 'attacks',
  about:
    'Has one key do its worst to a server, in twelve ways, while another person recalls and tells: how long that takes them. Takes minutes.',
  examples: ['attacks --seconds 10 --only secrets,erase-storm', 'attacks --json'],
  options,
  async *open({ only, seconds, seed, folder: parent = tmpdir() }) {
    const folder = await mkdtemp(join(parent, 'keepsake-attacks-'))
    yield {
      dataset: 'generated',
      dataHash: `seed ${seed}`,
      systems: ['server'],
      config: { attacks: only, seconds, seed },
      tasks: ['attacks'],
      goesOn: 'never',
      total: null,
      steps: [CALM, ...only].map((name) => attackStep(name, { seconds, seed, folder })),
      close: () => rm(folder, { recursive: true, force: true }),
    }
  },
})

interface Plan {
  readonly seconds: number
  readonly seed: number
  readonly folder: string
}

function attackStep(name: string, plan: Plan): Step {
  return {
    name,
    async measure() {
      const { figures, answers } = await measureAttack(name, plan)
      return [stepEntry(name, [{ system: 'server', figures }], answers)]
    },
  }
}

async function measureAttack(name: string, { seconds, seed, folder }: Plan) {
  // The server's code is loaded by those alone who measure it.
  const { makeKey, ServerProcess } = await import('../server-load/server-process.ts')
  const { openKeys } = await import('@keepsake/server')
  const { standBy } = await import('./bystander.ts')
  const { ATTACKER } = await import('./attacker.ts')
  const path = join(folder, `${name}.db`)
  const own = await makeKey(path)
  const { keys, close } = await openKeys(path)
  // With the limits that every key has, and all that a key may be let do.
  const { key } = await keys.create({ name: 'attacker', actions: ['read', 'write', 'erase', 'admin'] })
  await close()
  const server = await ServerProcess.start({ path, synchronous: 'full' })
  try {
    await standBy({ url: server.url, key: own }, performance.now() + 1_000)
    await server.holds()
    const attack = { name, url: server.url, key, seconds, seed }
    const until = performance.now() + seconds * 1_000
    const [noticed, answers] = await Promise.all([
      standBy({ url: server.url, key: own }, until),
      name === CALM ? {} : askChild<Readonly<Record<string, number>>>(ATTACKER, attack),
    ])
    const [{ residentBytes }, holds] = [await server.usage(), await server.holds()]
    return { figures: figuresOf(name, noticed, { answers, residentBytes, holds }), answers }
  } finally {
    await server.kill()
  }
}

function figuresOf(
  name: string,
  {
    recalls,
    learned,
    refused,
  }: { readonly recalls: readonly number[]; readonly learned: readonly number[]; readonly refused: number },
  {
    answers,
    residentBytes,
    holds,
  }: {
    readonly answers: Readonly<Record<string, number>>
    readonly residentBytes: number
    readonly holds: Holds
  },
): Figure[] {
  const slice = `attack:${name}`
  const asked = Object.values(answers).reduce((sum, count) => sum + count, 0)
  return [
    ...plainFigures('attacks', slice, quantilesNamed('recall', recalls), recalls.length),
    ...plainFigures('attacks', slice, {
      recall_longest_ms: round(Math.max(...recalls)),
      learned_longest_ms: round(Math.max(...learned)),
      others_refused: refused,
      attacker_asked: asked,
      attacker_served: answers['2xx'] ?? 0,
      hold_longest_cpu_ms: round(holds.longestMs),
      holds_over_20_cpu_ms: holds.long,
      resident_bytes: residentBytes,
    }),
  ]
}
