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

const TURNS_PER_CALL = 1_000
const WARMUP_CALLS = 100
const USER = 'person'
/** The time of the memory's clock, after all turns. */
const CLOCK_TIME = Date.UTC(2045, 0, 1)

interface PerfConfig {
  readonly path: string
  readonly preset: PresetName
  readonly turns: number
  readonly calls: number
  readonly seed: number
}

/** Measures through the public API how fast a memory is, and how much RAM and disk space it needs. */
export const perf = defineBenchmark({
  name: 'perf',
  about: 'Measures how fast a memory of everyday conversations is, and how much RAM and disk space it needs.',
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
      config: { ...given, sizes, unmeasured: WARMUP_CALLS, retention: 'never' },
      tasks: ['speed'],
      resumes: 'never',
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

/** Fills a file, opens it again with the default `synchronous: 'full'`, and measures it. */
async function measureSize(config: PerfConfig): Promise<Figure[]> {
  const { turns, calls, seed } = config
  const slice = `turns:${turns}`
  const talk = talkOf(0)
  const fillFigures = await fill(config, talk)
  const start = performance.now()
  const memory = await open(config, 'full')
  try {
    const draw = seededDraw(seed)
    const scope = memory.scope({ user: USER })
    const recall = () => scope.recall(draw.pick(talk.questions), { reinforce: false })
    await recall()
    const openMs = round(performance.now() - start)
    let next = turns
    const remember = () => scope.remember(cycleTurns(talk, next++, 1), { session: 'measured' })
    const { callFigures, recallProcessorMs } = await measureCalls(slice, calls, { recall, remember })
    const figures = {
      recall_processor_ms: recallProcessorMs,
      open_ms: openMs,
      bytes_per_turn_ram: round((await memory.stats()).cacheBytes / turns),
      ...fillFigures,
    }
    return [...callFigures, ...plainFigures('speed', slice, figures)]
  } finally {
    await memory.close()
  }
}

type Call = () => Promise<unknown>

/** Times recalls, remembered turns, and recalls directly after a remembered turn, one call after another. */
async function measureCalls(
  slice: string,
  calls: number,
  { recall, remember }: Record<'recall' | 'remember', Call>,
) {
  const count = { calls, unmeasured: WARMUP_CALLS }
  const recallTimes = await timeCalls(recall, count)
  const recallProcessorMs = round(await meanProcessorTime(recall, count))
  const rememberTimes = await timeCalls(remember, count)
  const timesAfterRemember: number[] = []
  for (let call = 0; call < Math.ceil(calls / 5); call += 1) {
    await remember()
    timesAfterRemember.push(...(await timeCalls(recall, { calls: 1, unmeasured: 0 })))
  }
  const callFigures = [
    ...timeFigures(slice, 'recall', recallTimes),
    ...timeFigures(slice, 'remember', rememberTimes),
    ...timeFigures(slice, 'recall_after_remember', timesAfterRemember),
  ]
  return { callFigures, recallProcessorMs }
}

function open({ path, preset }: PerfConfig, synchronous: 'full' | 'normal'): Promise<Keepsake> {
  return openMemory({
    path,
    preset: presetNamed(preset),
    retention: { when: 'never' },
    synchronous,
    now: () => CLOCK_TIME,
  })
}

async function fill(config: PerfConfig, talk: Talk): Promise<Record<string, number>> {
  const memory = await open(config, 'normal')
  const { turns, path } = config
  const scope = memory.scope({ user: USER })
  const start = performance.now()
  for (let from = 0; from < turns; from += TURNS_PER_CALL)
    await scope.remember(cycleTurns(talk, from, Math.min(TURNS_PER_CALL, turns - from)), {
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
