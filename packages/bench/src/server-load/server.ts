import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { openSqliteStore } from 'keepsake'
import { z } from 'zod'
import { defineBenchmark, stepEntry, type Measurement, type Step } from '../benchmark/benchmark.ts'
import {
  folderOption,
  oneOf,
  OptionError,
  seedOption,
  shareNumber,
  wholeNumber,
} from '../benchmark/options.ts'
import { ALL } from '../log/figure.ts'
import { askChild } from '../processes/child.ts'
import { round } from '../perf/time-calls.ts'
import { findFigure, plainFigures } from '../results/plain-figures.ts'
import { FILL_SCOPES, type Filled, type FillRequest } from './fill-scopes.ts'
import { LOAD_SETTING_NAMES, LOAD_SETTINGS } from './load-plan.ts'

const MOST = 1_000_000
const RATE = `It must be a number above 0, and no more than ${MOST}.`
const WARM_UP_SECONDS = 10
const KILL_WRITERS = 8
const KILL_PEOPLE = 4

const options = z.object({
  scopes: wholeNumber(1, 100_000).default(200).meta({ description: 'people' }),
  connections: wholeNumber(1, 10_000).default(200).meta({
    description: 'connections that ask at a time, each for its share of the people; no more than people',
  }),
  pooled: z
    .boolean()
    .default(false)
    .meta({ description: 'any connection asks for anybody, as a gateway’s do' }),
  workers: wholeNumber(1, 64).default(1).meta({ description: 'processes of the server' }),
  profile: z
    .boolean()
    .default(false)
    .meta({ description: 'tell where the processor’s time goes; of one process' }),
  alone: z
    .boolean()
    .default(false)
    .meta({ description: 'ask the server alone, and not the library beside it' }),
  filled: z.string().optional().meta({
    value: '<path>',
    description: 'a folder where filled files are kept and found again',
    standard: 'filled anew each time',
  }),
  memories: wholeNumber(1, MOST).default(1_000).meta({ description: 'turns told each of them before' }),
  seconds: wholeNumber(1, 86_400).default(60).meta({ description: 'how long each run takes' }),
  recallShare: shareNumber
    .default(0.8)
    .meta({ value: '<share>', description: 'how many calls recall; the others remember' }),
  rate: z
    .number({ error: RATE })
    .positive(RATE)
    .max(MOST, RATE)
    .optional()
    .meta({ description: 'calls a second of the second run', standard: 'half of what the first came to' }),
  settings: z.array(oneOf(LOAD_SETTING_NAMES)).min(1).default(['default']).meta({
    value: '<list>',
    description:
      'how it is set: tight has caches of 128 MiB a process, roomy of 1 GiB, normal has those and --synchronous normal, unreinforced those and recalls strengthen nothing',
  }),
  kills: wholeNumber(1, 10_000).optional().meta({ description: 'kill it so often instead, while it writes' }),
  seed: seedOption,
  folder: folderOption,
})
/** Options of the load run, which `--kills` replaces. */
const LOAD_OPTIONS = [
  'scopes',
  'connections',
  'pooled',
  'workers',
  'profile',
  'alone',
  'filled',
  'memories',
  'seconds',
  'recallShare',
  'rate',
  'settings',
] as const

type Options = z.output<typeof options>

/**
 * A server under load, in a process of its own on loopback with a key, asked from another: as much as it takes, then at a
 * steady rate. The same calls are made of the library, in the process of whoever asks, so that what the server adds is
 * seen. Or a server killed in the middle of requests.
 */
export const server = defineBenchmark({
  name: 'server',
  about:
    'Asks a server, in a process of its own on loopback, as much as it takes and then at half that rate, beside the same calls of the library. With --kills it is killed in the middle of requests instead, and what it had acknowledged is looked for. Takes minutes.',
  examples: [
    'server --scopes 20 --memories 100 --seconds 10',
    'server --settings default,normal --json',
    'server --scopes 5000 --memories 200 --workers 2 --settings tight --filled ~/filled',
    'server --profile --seconds 20',
    'server --workers 2 --seconds 600 --alone --filled ~/filled',
    'server --kills 100',
  ],
  options,
  async *open({ kills, folder: parent = tmpdir(), ...asked }) {
    const folder = await mkdtemp(join(parent, 'keepsake-server-'))
    const common = {
      dataset: 'generated',
      dataHash: `seed ${asked.seed}`,
      goesOn: 'never',
      total: null,
      close: () => rm(folder, { recursive: true, force: true }),
    } as const
    yield { ...common, ...(kills === undefined ? underLoad(asked, folder) : killed(asked, kills, folder)) }
  },
})

type Measuring = Pick<Measurement, 'systems' | 'config' | 'tasks' | 'steps' | 'findFault'>

type Asked = Omit<Options, 'kills' | 'folder'>

function underLoad({ filled, ...asked }: Asked, folder: string): Measuring {
  if (asked.profile && asked.workers > 1)
    throw new OptionError('--profile is of one process: leave out --workers.')
  const connections = Math.min(asked.connections, asked.scopes)
  const warmUpSeconds = Math.min(WARM_UP_SECONDS, asked.seconds)
  return {
    systems: asked.alone ? ['server'] : ['server', 'library'],
    config: {
      ...asked,
      connections,
      warmUpSeconds,
      rate: asked.rate ?? 'half of the first run',
      settings: Object.fromEntries(asked.settings.map((name) => [name, LOAD_SETTINGS[name]])),
    },
    tasks: ['load'],
    steps: loadSteps(
      { ...asked, connections, filled: filled ?? null, rate: asked.rate ?? null, warmUpSeconds },
      folder,
    ),
  }
}

interface LoadRun extends Omit<Asked, 'rate' | 'filled'> {
  readonly filled: string | null
  readonly rate: number | null
  readonly warmUpSeconds: number
}

function* loadSteps(run: LoadRun, folder: string): Generator<Step> {
  const { scopes, memories, seed, settings, filled: kept } = run
  const filledFile = join(kept ?? folder, `people-${scopes}x${memories}-seed-${seed}.db`)
  const filling = `filling ${scopes} scopes with ${memories} memories each`
  yield {
    name: filling,
    async measure() {
      const filled = await fillOnce({ path: filledFile, scopes, memories, seed })
      const figures = plainFigures('load', ALL, {
        memories: filled.memories,
        fill_ms: round(filled.seconds * 1_000),
      })
      return [stepEntry(filling, [{ system: 'server', figures }], filled)]
    },
  }
  for (const name of settings)
    yield {
      name,
      async measure(say) {
        // The server's code is loaded by those alone who measure it.
        const { measureSetting } = await import('./measure-load.ts')
        const { results, records } = await measureSetting({ ...run, name, folder, filledFile, say })
        return [stepEntry(name, results, records)]
      },
    }
}

/** A file that was filled for an earlier run is taken as it is; one that was broken off was never given its name. */
async function fillOnce(request: FillRequest): Promise<Filled> {
  const { path } = request
  if (existsSync(path)) {
    const store = await openSqliteStore({ path, readOnly: true })
    const { memories } = await store.stats()
    await store.close()
    return { memories: memories.live, seconds: 0 }
  }
  await mkdir(dirname(path), { recursive: true })
  const unfinished = `${path}.${process.pid}`
  const filled = await askChild<Filled>(FILL_SCOPES, { ...request, path: unfinished })
  await rename(unfinished, path)
  return filled
}

function killed(asked: Asked, kills: number, folder: string): Measuring {
  const standard = options.parse({})
  const given = LOAD_OPTIONS.find((name) => !isDeepStrictEqual(asked[name], standard[name]))
  if (given !== undefined)
    throw new OptionError(
      `--${given.replace('recallShare', 'recall-share')} is of the load run: leave it out, or leave out --kills.`,
    )
  const plan = { kills, writers: KILL_WRITERS, people: KILL_PEOPLE, seed: asked.seed }
  const step: Step = {
    name: `${kills} kills`,
    async measure(say) {
      const { killServer } = await import('./kill-server.ts')
      const { figures, refusals } = await killServer(plan, folder, say)
      return [stepEntry(step.name, [{ system: 'server', figures }], refusals)]
    },
  }
  return {
    systems: ['server'],
    config: plan,
    tasks: ['server-kills'],
    steps: [step],
    findFault: ([result]) => {
      const of = (metric: string): number =>
        findFigure(result?.figures ?? [], 'server-kills', metric)?.value ?? 0
      const [lost, doubled, returned] = [of('lost'), of('doubled'), of('returned') + of('erased_in_files')]
      return lost + doubled + returned + of('replayed_otherwise') === 0
        ? null
        : `The server did not keep its word: ${lost} acknowledged writes lost, ${doubled} doubled, ${returned} erased ones there.`
    },
  }
}
