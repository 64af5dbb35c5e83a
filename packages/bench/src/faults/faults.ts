import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { defineBenchmark, stepEntry, type Step } from '../benchmark/benchmark.ts'
import { folderOption, oneOf, OptionError, seedOption, wholeNumber } from '../benchmark/options.ts'
import { ALL, type Figure, type SystemFigures } from '../log/figure.ts'
import type { LogEntry } from '../log/log-entry.ts'
import { seededDraw } from '../metrics/seeded-draw.ts'
import { plainFigures } from '../results/plain-figures.ts'
import { FAULTS } from './all-faults.ts'
import type { Fault, Outcome } from './fault.ts'

const NAMES = FAULTS.map(({ name }) => name)
/** For two processors. */
const AT_A_TIME = 2
/** Of what does not hold, so many sentences are told. */
const TOLD = 3

const options = z.object({
  trials: wholeNumber(1, 100_000)
    .default(500)
    .meta({ description: 'how often something is made to go wrong' }),
  only: z
    .array(oneOf(NAMES))
    .min(1)
    .optional()
    .meta({ value: '<list>', description: `only of these kinds: ${NAMES.join(', ')}`, standard: 'all' }),
  atATime: wholeNumber(1, 64)
    .default(AT_A_TIME)
    .meta({ description: 'how many are tried at a time: they wait for processes and disks most of it' }),
  seed: seedOption,
  folder: folderOption,
})

/** A trial as its line of the log has it. */
interface TrialRecord extends Outcome {
  readonly fault: string
  readonly seed: number
}

/**
 * Has things go wrong while a memory is at work, again and again, and looks each time whether what was acknowledged is there
 * once, memories are as the log says, and nothing is stuck.
 */
export const faults = defineBenchmark({
  name: 'faults',
  about:
    'Has things go wrong while a memory is at work (kills, cut connections, clocks that jump, repeated deliveries, …), each with a seed, and looks afterwards whether it kept its word. Goes on where it stopped.',
  examples: [
    'faults --trials 50',
    'faults --trials 500 --seed 1 --json',
    'faults --only kill-server --trials 20',
  ],
  options,
  async *open({ trials: runs, only, atATime, seed, folder = tmpdir() }) {
    const wanted = only === undefined ? FAULTS : FAULTS.filter(({ name }) => only.includes(name))
    const { able, lacking } = await sortOut(wanted)
    if (able.length === 0) throw new OptionError(`None of these can be tried here. ${lacking.join(' ')}`)
    yield {
      dataset: 'generated',
      dataHash: `seed ${seed}`,
      systems: ['keepsake'],
      config: { trials: runs, seed, faults: able.map(({ name }) => name) },
      tasks: ['faults'],
      goesOn: 'until-finished',
      total: runs,
      concurrency: atATime,
      steps: trialSteps(able, { runs, seed, folder }),
      summarise,
      remarks: (log) => [...lacking, ...toldBroken(log)],
      findFault: ([result]) => {
        const broken = result?.figures.find(
          ({ metric, slice }) => metric === 'broken' && slice === ALL,
        )?.value
        return broken === 0 ? null : `${broken} trials left something behind that does not hold.`
      },
    }
  },
})

async function sortOut(wanted: readonly Fault[]) {
  const able: Fault[] = []
  const lacking: string[] = []
  for (const fault of wanted) {
    const lacks = (await fault.lacks?.()) ?? null
    if (lacks === null) able.push(fault)
    else lacking.push(`${fault.name} was not tried: ${lacks}`)
  }
  return { able, lacking }
}

interface Trials {
  readonly runs: number
  readonly seed: number
  readonly folder: string
}

function* trialSteps(able: readonly Fault[], { runs, seed, folder }: Trials): Generator<Step> {
  for (let run = 0; run < runs; run += 1) {
    const fault = able[run % able.length]
    if (fault === undefined) return
    const own = seed + Math.floor(run / able.length)
    const step: Step = {
      name: `${fault.name} ${own}`,
      measure: async () => [stepEntry(step.name, [], await tryOnce(fault, own, folder))],
    }
    yield step
  }
}

async function tryOnce(fault: Fault, seed: number, parent: string): Promise<TrialRecord> {
  const folder = await mkdtemp(join(parent, `keepsake-${fault.name}-`))
  try {
    const outcome = await fault.try({ folder, seed, draw: seededDraw(seed, NAMES.indexOf(fault.name)) })
    return { fault: fault.name, seed, ...outcome }
  } catch (error) {
    // That the trial itself fails is told too, and the others go on.
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
  const kinds = [...Map.groupBy(trials, ({ fault }) => fault)]
  const figures: Figure[] = [
    ...plainFigures('faults', ALL, countOf(trials)),
    ...kinds.flatMap(([kind, own]) => plainFigures('faults', `fault:${kind}`, countOf(own))),
  ]
  return [{ system: 'keepsake', figures }]
}

function countOf(trials: readonly TrialRecord[]): Record<string, number> {
  const counts: Record<string, number> = {
    trials: trials.length,
    broken: trials.filter(({ broken }) => broken.length > 0).length,
  }
  for (const { tried } of trials)
    for (const [what, count] of Object.entries(tried)) counts[what] = (counts[what] ?? 0) + count
  return counts
}

function toldBroken(log: readonly LogEntry[]): string[] {
  const broken = trialsOf(log).filter((trial) => trial.broken.length > 0)
  return broken.slice(0, TOLD).map(({ fault, seed, broken: [first] }) => `${fault}, seed ${seed}: ${first}.`)
}
