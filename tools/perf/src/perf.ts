import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  defineBenchmark,
  folderOption,
  meanProcessorTime,
  oneOf,
  plainFigures,
  round,
  seededDraw,
  seedOption,
  stepEntry,
  timeCalls,
  timeFigures,
  wholeNumber,
  type Figure,
} from '@keepsake/bench/parts'
import { openMemory, type Keepsake } from 'keepsake'
import { PRESET_NAMES, presetNamed, type PresetName } from '@keepsake/papers'
import { z } from 'zod'
import { cycleTurns, talkOf, type Talk } from './talks.ts'

const TURNS_PER_FILL = 1_000
const UNMEASURED = 100
const USER = 'person'
/** The clock of the memory: after all turns, ten minutes each. */
const NOW = Date.UTC(2045, 0, 1)

interface PerfConfig {
  readonly path: string
  readonly preset: PresetName
  readonly turns: number
  readonly calls: number
  readonly seed: number
}

/** How fast a memory is, and how much memory and disk it takes, through the public API. */
export const perf = defineBenchmark({
  name: 'perf',
  about: 'Measures how fast a memory of everyday talk is, and how much memory and disk it takes.',
  examples: ['perf --sizes 1000', 'perf --json'],
  options: z.object({
    sizes: z
      .array(wholeNumber(1, 1_000_000))
      .min(1)
      .default([1_000, 10_000])
      .meta({ value: '<list>', description: 'turns of one user' }),
    calls: wholeNumber(1, 1_000_000).default(1_000).meta({ description: 'calls measured' }),
    preset: oneOf(PRESET_NAMES)
      .default('keepsake')
      .meta({ value: '<name>', description: 'how it remembers and forgets' }),
    seed: seedOption,
    folder: folderOption,
  }),
  async *open({ folder: parent = tmpdir(), sizes, ...given }) {
    const folder = await mkdtemp(join(parent, 'keepsake-perf-'))
    yield {
      dataset: 'everyday',
      dataHash: `seed ${given.seed}`,
      systems: ['keepsake'],
      config: { ...given, sizes, unmeasured: UNMEASURED, retention: 'never' },
      tasks: ['speed'],
      goesOn: 'never',
      total: null,
      steps: sizes.map((turns) => ({
        name: `${turns} turns`,
        measure: async () => {
          const path = join(folder, `${turns}.db`)
          const figures = await measureSize({ ...given, turns, path })
          return [stepEntry(`${turns} turns`, [{ system: 'keepsake', figures }])]
        },
      })),
      close: () => rm(folder, { recursive: true, force: true }),
    }
  },
})

/** Fills a file, then measures it opened again, with the default `synchronous: 'full'`. Calls are made one after the other. */
async function measureSize(config: PerfConfig): Promise<Figure[]> {
  const { turns, calls, seed } = config
  const slice = `turns:${turns}`
  const talk = talkOf(0)
  const filled = await fill(config, talk)
  const start = performance.now()
  const memory = await open(config, 'full')
  try {
    const draw = seededDraw(seed)
    const scope = memory.scope({ user: USER })
    const recall = () => scope.recall(draw.pick(talk.questions), { reinforce: false })
    await recall()
    const openMs = performance.now() - start
    let next = turns
    const remember = () => scope.remember(cycleTurns(talk, next++, 1), { session: 'measured' })
    const count = { calls, unmeasured: UNMEASURED }
    const recalled = await timeCalls(recall, count)
    const recallProcessorMs = await meanProcessorTime(recall, count)
    const remembered = await timeCalls(remember, count)
    const afterRemember: number[] = []
    for (let call = 0; call < Math.ceil(calls / 5); call += 1) {
      await remember()
      afterRemember.push(...(await timeCalls(recall, { calls: 1, unmeasured: 0 })))
    }
    return [
      ...timeFigures(slice, 'recall', recalled),
      ...timeFigures(slice, 'remember', remembered),
      ...timeFigures(slice, 'recall_after_remember', afterRemember),
      ...plainFigures('speed', slice, {
        recall_processor_ms: round(recallProcessorMs),
        open_ms: round(openMs),
        bytes_per_turn_ram: round((await memory.stats()).cacheBytes / turns),
        ...filled,
      }),
    ]
  } finally {
    await memory.close()
  }
}

function open({ path, preset }: PerfConfig, synchronous: 'full' | 'normal'): Promise<Keepsake> {
  return openMemory({
    path,
    preset: presetNamed(preset),
    retention: { when: 'never' },
    synchronous,
    now: () => NOW,
  })
}

async function fill(config: PerfConfig, talk: Talk): Promise<Record<string, number>> {
  const memory = await open(config, 'normal')
  const { turns, path } = config
  const scope = memory.scope({ user: USER })
  const start = performance.now()
  for (let from = 0; from < turns; from += TURNS_PER_FILL)
    await scope.remember(cycleTurns(talk, from, Math.min(TURNS_PER_FILL, turns - from)), {
      session: `session-${from}`,
    })
  const remembered = performance.now()
  await memory.drain()
  const drained = performance.now()
  const { memories } = await memory.stats()
  await memory.close()
  return {
    fill_turns_per_second: round((turns * 1_000) / (remembered - start)),
    consolidation_ms: round(drained - remembered),
    bytes_per_turn_disk: round((await stat(path)).size / turns),
    memories_live: memories.live,
  }
}
