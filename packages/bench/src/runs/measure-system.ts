import type { EmbeddingModel, LanguageModel, RerankingModel } from 'keepsake'
import type { TokenEmbeddingModel } from '@keepsake/models'
import { embeddedWordVectors } from '@keepsake/text'
import type { Measurement, Step } from '../benchmark/benchmark.ts'
import { RunError } from '../benchmark/run-error.ts'
import type { BenchConversation, OpenedDataset } from '../datasets/conversation.ts'
import type { Judge } from '../judges/judge.ts'
import type { TaskName } from '../log/figure.ts'
import type { LogEntry } from '../log/log-entry.ts'
import { contextualMatcher } from '../metrics/contextual-matching.ts'
import { greedyMatcher } from '../metrics/greedy-matching.ts'
import type { Reader } from '../readers/reader.ts'
import type { MemorySystem } from '../systems/memory-system.ts'
import { entriesOf } from './figures/make-figures.ts'
import { summariseLog } from './figures/summarise-log.ts'
import { withProbeTable } from './measure/probe-table.ts'
import { measureConversation } from './measure/measure-conversation.ts'
import { tellProtocol, usualTasks, type Protocol } from './protocol.ts'
import type { RunTools } from './measure/measuring.ts'

const CONTEXT_TOKENS = 1_000
const CONCURRENCY = 2
/** HaluMem: memories retrieved for a question. */
const MEMORIES_WANTED = 20

/** What a run measures: data, system, models and conditions. */
export interface MeasureSystemOptions {
  readonly dataset: OpenedDataset
  readonly system: MemorySystem
  /** The system's model; `null`: none. */
  readonly model?: LanguageModel | null
  /** The system's embedder; `null`: its own. */
  readonly embedding?: EmbeddingModel | null
  /** Reranks what the system found; `null`, the default: none. */
  readonly reranking?: LanguageModel | RerankingModel | null
  /** The embedder for comparing texts, the same for every system. Default: the built-in one. */
  readonly likeness?: EmbeddingModel | undefined
  /** The model of BERTScore, the same for every system. Default: it is not computed. */
  readonly tokens?: TokenEmbeddingModel | undefined
  /** Timeout of the system's model for one answer, in milliseconds. Default: the system's. */
  readonly modelTimeoutMs?: number | undefined
  readonly reader: Reader
  readonly judge: Judge
  /** Measured tasks, of those that the data supports. Default: all but `coverage`. */
  readonly tasks?: readonly TaskName[] | undefined
  /** Token budget of a question's context. Default 1,000. */
  readonly contextTokens?: number | undefined
  /** The measuring protocol. Default `own`. */
  readonly protocol?: Protocol | undefined
  /** Memories retrieved for a question. Default 20 (HaluMem). */
  readonly memoriesWanted?: number | undefined
  /** Whether systems with their own replies give them. Default: the reader answers for every system. */
  readonly ownAnswers?: boolean
  /** Most conversations to measure, from the first. Default: all. */
  readonly limit?: number | undefined
  /** Concurrent conversations. Default 2. */
  readonly concurrency?: number
}

/**
 * Measures a system on a data set, with an empty memory for every conversation. For {@link runMeasurement}.
 *
 * @throws RunError on the way when nothing of a conversation could be ingested; DatasetError for the data; whatever the system's `open`
 * throws; JudgeError and ModelError when judge or reader cannot be reached.
 */
export function measureSystem(options: MeasureSystemOptions): Measurement {
  const { dataset, system, reader, judge, limit = null, protocol = 'own' } = options
  const { tasks = usualTasks(protocol) } = options
  const { model = null, embedding = null, reranking = null, likeness = embeddedWordVectors() } = options
  const { contextTokens = CONTEXT_TOKENS, ownAnswers = false, modelTimeoutMs } = options
  const total = Math.min(dataset.size, limit ?? dataset.size)
  const name = model === null ? (system.nameWithoutModel ?? system.name) : system.name
  const tokens = options.tokens === undefined ? null : contextualMatcher(options.tokens)
  const { memoriesWanted = MEMORIES_WANTED } = options
  const taskNames = new Set(tasks)
  const counts = { contextTokens, memoriesWanted }
  const tools = { reader, judge, tokens, tasks: taskNames, protocol, ...counts, ownAnswers }
  const toolsByLanguage = { en: toolsFor('en', likeness, tools), zh: toolsFor('zh', likeness, tools) }
  return {
    dataset: dataset.name,
    dataHash: dataset.dataHash,
    systems: [name],
    config: {
      ...system.config,
      model: model?.id ?? null,
      embedding: embedding?.id ?? null,
      ...(reranking === null ? {} : { reranking: reranking.id }),
      likeness: likeness.id,
      bertscore: tokens?.id ?? null,
      ...(protocol === 'own' ? {} : { protocol }),
      ...counts,
      ...(protocol === 'lufy' ? { memoriesWanted: 'as each system hands over' } : {}),
      limit,
      ownAnswers,
      readerVersion: reader.version,
      judgeVersion: judge.version,
    },
    reader: reader.name,
    judge: judge.name,
    tasks,
    asked: { system: system.name },
    goesOn: 'always',
    total,
    concurrency: options.concurrency ?? CONCURRENCY,
    steps: stepsOf(dataset, total, async (conversation) => {
      const language = conversation.language ?? dataset.language
      return measureOne(
        taskNames.has('probe-table') ? withProbeTable(conversation, language) : conversation,
        await system.open({ user: conversation.user, model, embedding, reranking, modelTimeoutMs }),
        toolsByLanguage[language],
      )
    }),
    summarise: (log) => [
      {
        system: name,
        figures: summariseLog(byConversation(log), { judge: judge.name, reader: reader.name }),
      },
    ],
    countConversations: (log) => entriesOf(log, 'done').length,
    leftOut: () => dataset.leftOut(),
    remarks: (log) => [...tellProtocol(protocol, reader, judge), ...describeFormatErrors(system.name, log)],
  }
}

/** The judge and reader for conversations of a language. */
function toolsFor(
  language: 'en' | 'zh',
  likeness: EmbeddingModel,
  same: Omit<RunTools, 'language' | 'matcher'>,
): RunTools {
  return {
    ...same,
    reader: same.reader.inLanguage?.(language) ?? same.reader,
    judge: same.judge.inLanguage?.(language) ?? same.judge,
    language,
    matcher: greedyMatcher({ embedding: likeness, language }),
  }
}

async function* stepsOf(
  dataset: OpenedDataset,
  maxConversations: number,
  measure: (conversation: BenchConversation) => Promise<LogEntry[]>,
): AsyncGenerator<Step> {
  let count = 0
  if (maxConversations <= 0) return
  for await (const conversation of dataset.conversations()) {
    yield { name: conversation.name, measure: () => measure(conversation) }
    if (++count >= maxConversations) return
  }
}

async function measureOne(
  conversation: BenchConversation,
  memory: Awaited<ReturnType<MemorySystem['open']>>,
  by: RunTools,
): Promise<LogEntry[]> {
  try {
    const entries = await measureConversation(conversation, memory, by)
    requireSomeIngested(conversation, entries)
    return entries
  } finally {
    await memory.close()
  }
}

/** Fails when nothing worked: the system is probably misconfigured, not bad. */
function requireSomeIngested(conversation: BenchConversation, entries: readonly LogEntry[]): void {
  const ingested = entriesOf(entries, 'ingestion')
  const [first] = ingested
  if (first === undefined || ingested.some(({ failure }) => failure === null)) return
  throw new RunError(
    conversation.name,
    `no session of it could be ingested: ${first.failure ?? ''}. Mend it and run the same command again.`,
  )
}

/** Lists malformed but readable answers of the system. */
function describeFormatErrors(system: string, log: readonly LogEntry[]): string[] {
  const counts = new Map<string, number>()
  for (const { what, count } of entriesOf(log, 'oddity')) counts.set(what, (counts.get(what) ?? 0) + count)
  if (counts.size === 0) return []
  const descriptions = [...counts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([what, count]) => `${what} (${count})`)
  return [`${system} gave ${descriptions.join(', ')}: read as none, and no mark was taken for it.`]
}

/** Sorts by conversation, since figures must not depend on which finished first. */
export function byConversation(log: readonly LogEntry[]): LogEntry[] {
  const nameOf = (entry: LogEntry): string => (entry.entry === 'step' ? entry.step : entry.conversation)
  return log.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : 0))
}
