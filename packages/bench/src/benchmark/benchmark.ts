import type { EmbeddingModel, LanguageModel } from 'keepsake'
import type { TokenEmbeddingModel } from '@keepsake/models'
import type { z } from 'zod'
import type { FigureTask, SystemFigures } from '../log/figure.ts'
import type { LogEntry } from '../log/log-entry.ts'
import type { MemorySystem } from '../systems/memory-system.ts'
import type { HttpSystemName } from '../systems/open-system.ts'

/**
 * A benchmark: what it is called, what it can be asked, and how what is asked is opened. {@link runBenchmark} does the
 * rest: the run's folder with its manifest, its log and its figures, what goes on after a kill, what is told on the way.
 */
export interface Benchmark<Shape extends z.ZodRawShape = z.ZodRawShape> {
  readonly name: string
  /** A sentence for those who choose between benchmarks. */
  readonly about: string
  /** Its options, each with a description; the command line makes its own of them: `randomSeeds` is `--random-seeds`. */
  readonly options: z.ZodObject<Shape>
  /** Commands to begin with, without `keepsake bench`. */
  readonly examples: readonly string[]
  /**
   * Opens what is asked for: one measurement, or one after the other where systems are measured apart.
   *
   * @throws OptionError when options do not go together; DatasetError and the like for what they name
   */
  open(options: z.output<z.ZodObject<Shape>>, context: BenchContext): AsyncIterable<Measurement>
}

/** Keeps the types of a benchmark's options. */
export function defineBenchmark<Shape extends z.ZodRawShape>(benchmark: Benchmark<Shape>): Benchmark<Shape> {
  return benchmark
}

/** Where runs are kept, and who is told how far they are. */
export interface RunContext {
  /** Folder that runs are kept in, each in one of its own. */
  readonly runs: string
  readonly now?: () => Date
  /** Receives how much of how much is done. */
  readonly onProgress?: (label: string, done: number, total: number) => void
  /** Receives what is being done, of work that cannot be counted. */
  readonly say?: (step: string) => void
}

/** What a benchmark may use of the world; made by its caller. */
export interface BenchContext extends RunContext {
  /** Opens a model by its name: `openai:gpt-5-mini`. */
  readonly openModel: (spec: string) => Promise<LanguageModel>
  readonly openEmbedding: (spec: string) => Promise<EmbeddingModel>
  /** Opens a model that gives tokens vectors in their context. */
  readonly openTokens: (spec: string) => Promise<TokenEmbeddingModel>
  readonly openHttpSystem: (name: HttpSystemName, options: OpenHttpSystem) => Promise<MemorySystem>
}

/** How a service is reached over HTTP. */
export interface OpenHttpSystem {
  /** Absent: its usual address. */
  readonly url?: string | undefined
  /** How long its own model may take for one answer, in milliseconds. Absent: as the service has it. */
  readonly modelTimeoutMs?: number | undefined
}

/** What one run measures, opened: it has a folder of its own. */
export interface Measurement {
  readonly dataset: string
  /** sha256 of what is read; of what is generated, what it is generated from. */
  readonly dataHash: string
  readonly systems: readonly string[]
  /** Everything else that decides the figures; never a key. */
  readonly config: Readonly<Record<string, unknown>>
  readonly reader?: string
  readonly judge?: string
  readonly tasks: readonly FigureTask[]
  /** The options that ask for this measurement alone, where more were asked for. */
  readonly asked?: Readonly<Record<string, unknown>>
  /**
   * `always`: what is in the log is not measured again, however old it is. `until-finished`: so only until the run is
   * over; then it is measured again. `never`: times are measured in one go.
   */
  readonly goesOn: 'always' | 'until-finished' | 'never'
  /** How many steps there are; `null`: each takes long and is told by its name. */
  readonly total: number | null
  readonly steps: Iterable<Step> | AsyncIterable<Step>
  /** Steps at a time. Default 1. */
  readonly concurrency?: number
  /** Figures of all steps together. Default: those of each step. */
  readonly summarise?: (log: readonly LogEntry[]) => readonly SystemFigures[]
  /** Conversations measured; absent: it measures none. */
  readonly countConversations?: (log: readonly LogEntry[]) => number
  /** Questions left out of what is scored, by reason; asked for when all is measured. */
  readonly leftOut?: () => Readonly<Record<string, number>>
  /** What else is to be known of it, in sentences. */
  readonly remarks?: (log: readonly LogEntry[]) => readonly string[]
  /** What a system must not do and did, in a sentence; `null`: it kept its word. */
  readonly findFault?: (results: readonly SystemFigures[]) => string | null
  /** Frees what the steps use. */
  readonly close?: () => Promise<void>
}

/** A piece of work that is measured whole or not at all. */
export interface Step {
  /** A conversation's name, or what is done: what its lines of the log say. */
  readonly name: string
  /** @param say tells what is being done within it */
  readonly measure: (say: (what: string) => void) => Promise<readonly LogEntry[]>
}

/** The line of a step that measures no conversation. */
export function stepEntry(
  step: string,
  results: readonly SystemFigures[],
  records: unknown = null,
): LogEntry {
  return { entry: 'step', step, results, records }
}
