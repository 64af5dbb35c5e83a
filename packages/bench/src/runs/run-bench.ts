import { join } from 'node:path'
import { embeddedWordVectors } from 'keepsake/parts'
import type { EmbeddingModel, LanguageModel } from 'keepsake'
import pMap from 'p-map'
import type { BenchConversation, OpenedDataset } from '../datasets/conversation.ts'
import type { Judge } from '../judges/judge.ts'
import { greedyMatcher } from '../metrics/greedy-matching.ts'
import type { Reader } from '../readers/reader.ts'
import type { MemorySystem } from '../systems/memory-system.ts'
import type { RunSummary } from './figure.ts'
import { TASKS, type LogEntry, type TaskName } from './log-entry.ts'
import { measureConversation } from './measure/measure-conversation.ts'
import type { MeasuredWith } from './measure/measuring.ts'
import { RunError } from './run-error.ts'
import { RunFolder } from './run-folder.ts'
import { fingerprintOf, HARNESS_VERSION, type RunManifest } from './run-manifest.ts'
import { summariseRun } from './summarise-run.ts'

const CONTEXT_TOKENS = 1_000
const CONCURRENCY = 2

export interface RunOptions {
  readonly dataset: OpenedDataset
  readonly system: MemorySystem
  /** Model that the system works with; `null`: none. */
  readonly model?: LanguageModel | null
  /** Embedder that the system works with; `null`: its own. */
  readonly embedding?: EmbeddingModel | null
  /** Embedder that texts are compared with, the same for every system. Default: the one built in. */
  readonly likeness?: EmbeddingModel
  readonly reader: Reader
  readonly judge: Judge
  /** What is measured, of what the data carries. Default: all. */
  readonly tasks?: readonly TaskName[]
  /** Budget of the context that a question is answered from, in tokens. Default 1,000. */
  readonly contextTokens?: number
  /** Whether a system that has replies of its own gives them. Default: the reader answers for every system. */
  readonly ownAnswers?: boolean
  /** Conversations measured at most, from the first. Default: all. */
  readonly limit?: number
  /** Conversations at a time. Default 2. */
  readonly concurrency?: number
  /** Folder that runs are kept in, each in one of its own. */
  readonly runs: string
  /** How it was asked for, for the report. */
  readonly command: string
  readonly now?: () => Date
  readonly onProgress?: (done: number, total: number) => void
}

/** A run and where it is kept. */
export interface FinishedRun {
  readonly folder: string
  readonly summary: RunSummary
}

/**
 * Measures a system on a data set. Every conversation gets an empty memory of its own. What is done is on disk: killed at
 * any point, the same call goes on where it stopped, and no model is asked twice for the same (give it cached models).
 *
 * @throws RunError when the folder holds another run, or nothing of a conversation could be ingested; DatasetError for
 * the data; whatever the system's `open` throws; JudgeError and ModelError when judge or reader cannot be reached.
 * @example
 * const dataset = await openDataset('locomo', 'locomo10.json')
 * const { summary } = await runBench({ dataset, system: openSystem('keepsake'), reader: extractiveReader, judge: deterministicJudge, runs: 'bench-runs', command: '' })
 */
export async function runBench(options: RunOptions): Promise<FinishedRun> {
  const { dataset, limit } = options
  const manifest = manifestOf(options)
  const path = join(options.runs, `${dataset.name}-${options.system.name}-${fingerprintOf(manifest)}`)
  const folder = RunFolder.open(path, manifest)
  const total = Math.min(dataset.size, limit ?? dataset.size)
  const by = measuredWith(options)
  let done = 0
  const measure = async (conversation: BenchConversation): Promise<void> => {
    if (!folder.done.has(conversation.name))
      await folder.append(await measureOne(options, conversation, by, path))
    options.onProgress?.(++done, total)
  }
  await pMap(firstOf(dataset.conversations(), total), measure, {
    concurrency: options.concurrency ?? CONCURRENCY,
  })
  const entries = folder.entries()
  const summary = summarise(options, folder.manifest, entries)
  folder.finish(summary)
  return { folder: path, summary }
}

async function measureOne(
  options: RunOptions,
  conversation: BenchConversation,
  by: MeasuredWith,
  path: string,
): Promise<LogEntry[]> {
  const { system, model = null, embedding = null } = options
  const memory = await system.open({ user: conversation.user, model, embedding })
  try {
    const entries = await measureConversation(conversation, memory, by)
    requireSomeIngested(path, conversation, entries)
    return entries
  } finally {
    await memory.close()
  }
}

function measuredWith(options: RunOptions): MeasuredWith {
  const {
    reader,
    judge,
    dataset,
    tasks = TASKS,
    contextTokens = CONTEXT_TOKENS,
    ownAnswers = false,
  } = options
  const { language } = dataset
  const matcher = greedyMatcher({ embedding: likenessOf(options), language })
  return { reader, judge, language, tasks: new Set(tasks), contextTokens, ownAnswers, matcher }
}

function likenessOf({ likeness = embeddedWordVectors() }: RunOptions): EmbeddingModel {
  return likeness
}

/** A system of which nothing worked is not a bad system: something is wrong with how it is reached. */
function requireSomeIngested(
  path: string,
  conversation: BenchConversation,
  entries: readonly LogEntry[],
): void {
  const ingested = entries.filter((entry) => entry.entry === 'ingestion')
  const [first] = ingested
  if (first === undefined || ingested.some((entry) => entry.failure === null)) return
  throw new RunError(
    path,
    `no session of ${conversation.name} could be ingested: ${first.failure ?? ''}. Mend it and run the same command again.`,
  )
}

async function* firstOf<T>(all: AsyncIterable<T>, most: number): AsyncGenerator<T> {
  let given = 0
  if (most <= 0) return
  for await (const one of all) {
    yield one
    if (++given >= most) return
  }
}

function manifestOf(options: RunOptions): RunManifest {
  const { dataset, system, reader, judge, tasks = TASKS } = options
  return {
    format: 1,
    harness: HARNESS_VERSION,
    dataset: dataset.name,
    dataHash: dataset.dataHash,
    limit: options.limit ?? null,
    system: system.name,
    config: { ...system.config },
    model: options.model?.id ?? null,
    embedding: options.embedding?.id ?? null,
    likeness: likenessOf(options).id,
    reader: { name: reader.name, version: reader.version },
    judge: { name: judge.name, version: judge.version },
    ownAnswers: options.ownAnswers ?? false,
    tasks: [...tasks],
    contextTokens: options.contextTokens ?? CONTEXT_TOKENS,
    command: options.command,
    startedAt: (options.now?.() ?? new Date()).toISOString(),
  }
}

function summarise(options: RunOptions, manifest: RunManifest, entries: readonly LogEntry[]): RunSummary {
  const { dataset, system } = options
  const judge = manifest.judge.name
  const reader = manifest.reader.name
  const {
    config,
    command,
    startedAt,
    contextTokens,
    limit,
    model,
    embedding,
    likeness,
    ownAnswers,
    harness,
  } = manifest
  const failed = entries.filter(
    (entry) => entry.entry === 'failure' || ('failure' in entry && entry.failure !== null),
  )
  return {
    benchmark: 'run',
    dataset: dataset.name,
    dataHash: dataset.dataHash,
    system: system.name,
    config: {
      ...config,
      model,
      embedding,
      likeness,
      contextTokens,
      limit,
      ownAnswers,
      harness,
      readerVersion: manifest.reader.version,
      judgeVersion: manifest.judge.version,
    },
    reader,
    judge,
    tasks: manifest.tasks,
    conversations: entries.filter((entry) => entry.entry === 'done').length,
    failures: failed.length,
    leftOut: dataset.leftOut(),
    figures: summariseRun(entries, { judge, reader }),
    command,
    startedAt,
    finishedAt: (options.now?.() ?? new Date()).toISOString(),
  }
}
