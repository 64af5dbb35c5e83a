import { readFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import pMap from 'p-map'
import type { z } from 'zod'
import type { SystemFigures } from '../log/figure.ts'
import type { LogEntry } from '../log/log-entry.ts'
import {
  FORMAT,
  HARNESS_VERSION,
  fingerprintOf,
  type Machine,
  type RunManifest,
  type RunSummary,
} from '../results/run-summary.ts'
import type { BenchContext, Benchmark, Measurement, RunContext, Step } from './benchmark.ts'
import { commandOf } from './options.ts'
import { RunFolder } from './run-folder.ts'

/** A finished run. */
export interface FinishedRun {
  readonly folder: string
  readonly summaries: readonly RunSummary[]
  /** A sentence about a violation by a system. `null`: none. */
  readonly fault: string | null
}

/**
 * Runs a benchmark. Its progress is on disk, so the same call resumes a killed run (see `resumes` of measurements). No model gets the same
 * request twice.
 *
 * @throws z.ZodError and OptionError for the options, RunError if the folder has another run or nothing could be measured, and any error
 * of the steps
 *
 * @example
 * const [run] = await runBenchmark(BENCHMARKS.retrieval, { dataset: 'locomo', path: 'locomo10.json' }, context)
 * run?.summaries[0]?.figures.find(({ metric }) => metric === 'hit@5')?.value
 */
export async function runBenchmark<Shape extends z.ZodRawShape>(
  benchmark: Benchmark<Shape>,
  input: z.input<z.ZodObject<Shape>>,
  context: BenchContext,
): Promise<FinishedRun[]> {
  const options = benchmark.options.parse(input)
  const finished: FinishedRun[] = []
  const { name } = benchmark
  for await (const measurement of benchmark.open(options, context)) {
    const command = commandOf(name, { ...input, ...measurement.repeatOptions })
    finished.push(await runMeasurement(measurement, { benchmark: name, command, context }))
  }
  return finished
}

/** The command that is run, and its context. */
export interface RunRequest {
  readonly benchmark: string
  readonly command: string
  readonly context: RunContext
}

/** Runs one measurement, for programs with their own system or data set. */
export async function runMeasurement(measurement: Measurement, request: RunRequest): Promise<FinishedRun> {
  const { context } = request
  const manifest = manifestOf(measurement, request)
  const folder = RunFolder.open(join(context.runs, nameOf(manifest)), manifest, measurement.resumes)
  try {
    await measureSteps(measurement, folder, context)
  } finally {
    await measurement.close?.()
  }
  const log = folder.entries()
  const results = (measurement.summarise ?? figuresOfSteps(measurement.systems))(log)
  const common = {
    ...commonFields(folder.manifest),
    conversations: measurement.countConversations?.(log) ?? null,
    failures: log.filter(isFailure).length,
    leftOut: { ...measurement.leftOut?.() },
    remarks: [...(measurement.remarks?.(log) ?? [])],
    finishedAt: timeOf(context),
  }
  const summaries = results.map(({ system, figures }): RunSummary => ({
    ...common,
    system,
    figures: [...figures],
  }))
  folder.finish(summaries)
  return { folder: folder.path, summaries, fault: measurement.findFault?.(results) ?? null }
}

/** Measures all steps that an earlier run has not finished. */
async function measureSteps(
  measurement: Measurement,
  folder: RunFolder,
  { onProgress, say = () => undefined }: RunContext,
): Promise<void> {
  const { steps, total, concurrency = 1, systems, dataset } = measurement
  const label = `${systems.length === 1 ? systems[0] : 'measuring'} on ${dataset}`
  let done = 0
  const measure = async ({ name, measure: run }: Step): Promise<void> => {
    if (total === null) say(name)
    if (!folder.done.has(name)) await folder.append(await run((what) => say(`${name}: ${what}`)))
    done += 1
    if (total !== null) onProgress?.(label, done, total)
  }
  await pMap(steps, measure, { concurrency })
}

function manifestOf(measurement: Measurement, { benchmark, command, context }: RunRequest): RunManifest {
  const { dataset, dataHash, systems, config, reader = null, judge = null, tasks } = measurement
  return {
    format: FORMAT,
    benchmark,
    dataset,
    dataHash,
    systems: [...systems],
    config: { ...config, harness: HARNESS_VERSION },
    reader,
    judge,
    tasks: [...tasks],
    command,
    machine: describeMachine(),
    startedAt: timeOf(context),
  }
}

/** Returns the fields that the summaries of all systems share. Adds the machine's load at the end of the run. */
function commonFields({ systems: _systems, machine, ...manifest }: RunManifest) {
  if (machine === null) return { ...manifest, machine }
  return {
    ...manifest,
    machine: { ...machine, load: [machine.load[0], loadOfMachine()] satisfies [number, number] },
  }
}

/** Makes the name of a run's folder, such as `locomo-keepsake-0f3a12…`. Benchmarks other than `run` put their name first. */
function nameOf(manifest: RunManifest): string {
  const { benchmark, dataset, systems } = manifest
  const [system, ...others] = systems
  const benchmarkPart = benchmark === 'run' ? [] : [benchmark]
  const systemPart = system === undefined || others.length > 0 ? [] : [system]
  return [...benchmarkPart, dataset, ...systemPart, fingerprintOf(manifest)].join('-')
}

/** Returns a function that collects, by system, the figures that steps logged. */
function figuresOfSteps(systems: readonly string[]): (log: readonly LogEntry[]) => SystemFigures[] {
  return (log) => {
    const results = log.flatMap((one) => (one.entry === 'step' ? one.results : []))
    return systems.map((system) => ({
      system,
      figures: results.flatMap((one) => (one.system === system ? one.figures : [])),
    }))
  }
}

function isFailure(entry: LogEntry): boolean {
  return entry.entry === 'failure' || ('failure' in entry && entry.failure !== null)
}

function timeOf({ now = () => new Date() }: RunContext): string {
  return now().toISOString()
}

function describeMachine(): Machine {
  const { node, v8 } = process.versions
  const { platform, arch } = process
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  const processors = availableParallelism()
  return { node, v8, platform, arch, processors, keepsake: version, load: [loadOfMachine(), null] }
}

function loadOfMachine(): number {
  return Number((loadavg()[0] ?? 0).toPrecision(4))
}
