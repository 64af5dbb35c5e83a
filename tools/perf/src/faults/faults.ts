import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  ALL,
  defineBenchmark,
  folderOption,
  oneOf,
  OptionError,
  plainFigures,
  seededDraw,
  seedOption,
  stepEntry,
  wholeNumber,
  type Figure,
  type LogEntry,
  type Step,
  type SystemFigures,
} from '@keepsake/bench/parts'
import { z } from 'zod'
import { cutFiles, killErasing, stopErasing } from './erasing.ts'
import { frozenFiles, fullDisk, readOnlyDisk, slowDisk } from './failing-disk.ts'
import { jumpingClock, repeatDeliveries } from './in-process.ts'
import { killChat } from './kill-chat.ts'
import { killMigrate } from './kill-migrate.ts'
import { cutConnections, killServerOnce, killWorker } from './kill-server.ts'
import { killConsolidation, raceOpening } from './talkers.ts'
import { cutPostgres, killOnPostgres, killPostgres } from './on-postgres.ts'
import type { Fault, Outcome } from './trial.ts'

/** All faults. Add new ones at the end, since the order is part of each trial's seed. */
export const FAULTS: readonly Fault[] = [
  killServerOnce,
  killWorker,
  killChat,
  killConsolidation,
  cutConnections,
  repeatDeliveries,
  jumpingClock,
  raceOpening,
  killErasing,
  stopErasing,
  fullDisk,
  cutFiles,
  killPostgres,
  cutPostgres,
  killOnPostgres,
  killMigrate,
  readOnlyDisk,
  frozenFiles,
  slowDisk,
]
const NAMES = FAULTS.map(({ name }) => name)
/** The remarks quote this many broken trials. */
const MAX_REMARKS = 3

const options = z.object({
  trials: wholeNumber(1, 100_000).default(500).meta({ description: 'how many trials' }),
  only: z
    .array(oneOf(NAMES))
    .min(1)
    .optional()
    .meta({ value: '<list>', description: `only these faults: ${NAMES.join(', ')}`, standard: 'all' }),
  atATime: wholeNumber(1, 64).default(2).meta({ description: 'concurrent trials, which mostly wait' }),
  seed: seedOption,
  folder: folderOption,
})

interface TrialRecord extends Outcome {
  readonly fault: string
  readonly seed: number
}

/** Tries faults while a memory is used, and checks each time that nothing acknowledged is lost. */
export const faults = defineBenchmark({
  name: 'faults',
  about:
    'Causes faults while a memory is used (kills, cut connections, jumping clocks, repeated deliveries, …), each with a seed. Afterwards it checks that everything acknowledged is stored. A stopped run continues.',
  examples: [
    'faults --trials 50',
    'faults --trials 500 --seed 1 --json',
    'faults --only kill-server --trials 20',
  ],
  options,
  async *open({ trials: count, only, atATime, seed, folder = tmpdir() }) {
    const chosen = only === undefined ? FAULTS : FAULTS.filter(({ name }) => only.includes(name))
    const obstacles = await Promise.all(chosen.map(async (fault) => (await fault.obstacle?.()) ?? null))
    const possible = chosen.filter((_, at) => obstacles[at] === null)
    const skipped = chosen.flatMap(({ name }, at) =>
      obstacles[at] === null ? [] : [`${name} was not tried: ${obstacles[at]}`],
    )
    if (possible.length === 0) throw new OptionError(`None of these can be tried here. ${skipped.join(' ')}`)
    yield {
      dataset: 'generated',
      dataHash: `seed ${seed}`,
      systems: ['keepsake'],
      config: { trials: count, seed, faults: possible.map(({ name }) => name) },
      tasks: ['faults'],
      resumes: 'until-finished',
      total: count,
      concurrency: atATime,
      steps: trialSteps(possible, { count, seed, folder }),
      summarise,
      remarks: (log) => [...skipped, ...brokenRemarks(log)],
      findFault: ([result]) => {
        const broken = result?.figures.find(({ metric, slice }) => metric === 'broken' && slice === ALL)
        return broken?.value === 0 ? null : `${broken?.value} trials broke a promise.`
      },
    }
  },
})

function* trialSteps(
  possible: readonly Fault[],
  { count, seed, folder }: { readonly count: number; readonly seed: number; readonly folder: string },
): Generator<Step> {
  for (let number = 0; number < count; number += 1) {
    const fault = possible[number % possible.length]
    if (fault === undefined) return
    const faultSeed = seed + Math.floor(number / possible.length)
    const name = `${fault.name} ${faultSeed}`
    yield { name, measure: async () => [stepEntry(name, [], await tryOnce(fault, faultSeed, folder))] }
  }
}

async function tryOnce(fault: Fault, seed: number, parent: string): Promise<TrialRecord> {
  const folder = await mkdtemp(join(parent, `keepsake-${fault.name}-`))
  try {
    const draw = seededDraw(seed, NAMES.indexOf(fault.name))
    return { fault: fault.name, seed, ...(await fault.try({ folder, seed, draw })) }
  } catch (error) {
    // A trial that fails counts as broken, and the others go on.
    const why = error instanceof Error ? error.message : String(error)
    return { fault: fault.name, seed, tried: {}, broken: [`it failed: ${why}`] }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function trialsOf(log: readonly LogEntry[]): TrialRecord[] {
  return log.flatMap((entry) => (entry.entry === 'step' ? [entry.records as TrialRecord] : []))
}

function summarise(log: readonly LogEntry[]): SystemFigures[] {
  const trials = trialsOf(log)
  const figures: Figure[] = [
    ...plainFigures('faults', ALL, countTrials(trials)),
    ...[...Map.groupBy(trials, ({ fault }) => fault)].flatMap(([fault, own]) =>
      plainFigures('faults', `fault:${fault}`, countTrials(own)),
    ),
  ]
  return [{ system: 'keepsake', figures }]
}

function countTrials(trials: readonly TrialRecord[]): Record<string, number> {
  const counts: Record<string, number> = {
    trials: trials.length,
    broken: trials.filter(({ broken }) => broken.length > 0).length,
  }
  for (const { tried } of trials)
    for (const [name, count] of Object.entries(tried)) counts[name] = (counts[name] ?? 0) + count
  return counts
}

function brokenRemarks(log: readonly LogEntry[]): string[] {
  const broken = trialsOf(log).filter((trial) => trial.broken.length > 0)
  return broken
    .slice(0, MAX_REMARKS)
    .map(({ fault, seed, broken: [first] }) => `${fault}, seed ${seed}: ${first}.`)
}
