import type { EmbeddingModel, LanguageModel, RerankingModel } from 'keepsake'
import type { TokenEmbeddingModel } from '@keepsake/models'
import type { z } from 'zod'
import type { FigureTask, SystemFigures } from '../log/figure.ts'
import type { LogEntry } from '../log/log-entry.ts'
import type { MemorySystem } from '../systems/memory-system.ts'
import type { HttpSystemName } from '../systems/open-system.ts'

/** A benchmark. It says how measurements are opened. {@link runBenchmark} runs them: it stores the log, computes figures and resumes runs. */
export interface Benchmark<Shape extends z.ZodRawShape = z.ZodRawShape> {
  readonly name: string
  /** A sentence that helps to choose a benchmark. */
  readonly about: string
  /** The options, each with a description. `randomSeeds` is `--random-seeds` on the command line. */
  readonly options: z.ZodObject<Shape>
  /** Example commands, without `keepsake bench`. */
  readonly examples: readonly string[]
  /** Opens one measurement, or one for each system. @throws OptionError if options exclude each other */
  open(options: z.output<z.ZodObject<Shape>>, context: BenchContext): AsyncIterable<Measurement>
}

/** Types the options of a benchmark by their schema. */
export function defineBenchmark<Shape extends z.ZodRawShape>(benchmark: Benchmark<Shape>): Benchmark<Shape> {
  return benchmark
}

/** The folder of runs, and functions that receive their progress. */
export interface RunContext {
  /** The folder of all runs, each in its own subfolder. */
  readonly runs: string
  /** The clock. Absent: the machine's. */
  readonly now?: () => Date
  /** Receives the number of finished steps and of all steps. */
  readonly onProgress?: (label: string, done: number, total: number) => void
  /** Receives the current step of work that cannot be counted. */
  readonly say?: (step: string) => void
}

/** The resources of a benchmark, made by its caller. */
export interface BenchContext extends RunContext {
  /** Opens a model by its name: `openai:gpt-5-mini`. */
  readonly openModel: (spec: string) => Promise<LanguageModel>
  /** Opens an embedding model by its name. */
  readonly openEmbedding: (spec: string) => Promise<EmbeddingModel>
  /** Opens a model that gives vectors of tokens in context. */
  readonly openTokens: (spec: string) => Promise<TokenEmbeddingModel>
  /** Opens a cross-encoder or a reranking service. */
  readonly openReranking: (spec: string) => Promise<RerankingModel>
  /** Opens a system that is reached over HTTP. */
  readonly openHttpSystem: (name: HttpSystemName, options: OpenHttpSystem) => Promise<MemorySystem>
}

/** How a system is reached over HTTP. */
export interface OpenHttpSystem {
  /** The address. Absent: the usual one of the service. */
  readonly url?: string | undefined
  /** Timeout of the service's own model, in milliseconds. Absent: the service's default. */
  readonly modelTimeoutMs?: number | undefined
}

/** One run of a benchmark. It has its own folder. */
export interface Measurement {
  readonly dataset: string
  /** sha256 of the data. For generated data, a text that names its source. */
  readonly dataHash: string
  readonly systems: readonly string[]
  /** Everything else that decides the figures. Never a key. */
  readonly config: Readonly<Record<string, unknown>>
  readonly reader?: string
  readonly judge?: string
  readonly tasks: readonly FigureTask[]
  /** Options that repeat this measurement alone, if the command asked for several. */
  readonly repeatOptions?: Readonly<Record<string, unknown>>
  /** Whether a repeated command continues the log of an earlier run. `never`: the run measures times, so it must not be interrupted. */
  readonly resumes: 'always' | 'until-finished' | 'never'
  /** The number of steps. `null`: steps take long, so progress shows their names. */
  readonly total: number | null
  readonly steps: Iterable<Step> | AsyncIterable<Step>
  /** Concurrent steps. Default 1. */
  readonly concurrency?: number
  /** Computes the figures from the log. Default: the figures that the steps logged. */
  readonly summarise?: (log: readonly LogEntry[]) => readonly SystemFigures[]
  /** Counts the measured conversations. Absent: the benchmark has none. */
  readonly countConversations?: (log: readonly LogEntry[]) => number
  /** Returns the numbers of questions that were not scored, by reason. It is called after all steps. */
  readonly leftOut?: () => Readonly<Record<string, number>>
  /** Further remarks, in sentences. */
  readonly remarks?: (log: readonly LogEntry[]) => readonly string[]
  /** Describes a violation by a system in a sentence. `null`: none. */
  readonly findFault?: (results: readonly SystemFigures[]) => string | null
  /** Frees the steps' resources. */
  readonly close?: () => Promise<void>
}

/** A unit of work that is measured whole or not at all. */
export interface Step {
  readonly name: string
  /** Measures the step and returns the entries for the log. `say` reports the current substep. */
  readonly measure: (say: (what: string) => void) => Promise<readonly LogEntry[]>
}

/** Makes the log entry of a step. `records` are data from which figures are computed later. */
export function stepEntry(
  step: string,
  results: readonly SystemFigures[],
  records: unknown = null,
): LogEntry {
  return { entry: 'step', step, results, records }
}
