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
import type { MemorySystem, SystemMemory } from '../systems/memory-system.ts'
import { entriesOf } from './figures/make-figures.ts'
import { summariseLog } from './figures/summarise-log.ts'
import { withProbeTable } from './measure/probe-table.ts'
import { measureConversation } from './measure/measure-conversation.ts'
import { describeProtocol, usualTasks, type Protocol } from './protocol.ts'
import type { RunTools } from './measure/conversation-run.ts'

const CONTEXT_TOKENS = 1_000
const CONCURRENCY = 2
/** Number of memories retrieved for a question, as in the HaluMem paper. */
const MEMORIES_WANTED = 20

/** The data, system, models and conditions of a run. */
export interface MeasureSystemOptions {
  readonly dataset: OpenedDataset
  readonly system: MemorySystem
  /** The language model of the system. Default: none. */
  readonly model?: LanguageModel | null
  /** The embedding model of the system. Default: the system's own. */
  readonly embedding?: EmbeddingModel | null
  /** The model that reranks what the system found. Default: none. */
  readonly reranking?: LanguageModel | RerankingModel | null
  /** The embedding model for comparing texts, the same for every system. Default: the built-in one. */
  readonly likeness?: EmbeddingModel | undefined
  /** The model of BERTScore, which compares texts token by token. Default: BERTScore is not computed. */
  readonly tokens?: TokenEmbeddingModel | undefined
  /** Timeout of the system's model for one answer, in milliseconds. Default: the system's. */
  readonly modelTimeoutMs?: number | undefined
  readonly reader: Reader
  readonly judge: Judge
  /** Tasks to measure. Tasks that the data does not support are skipped. Default: those of `usualTasks`. */
  readonly tasks?: readonly TaskName[] | undefined
  /** Token budget of a question's context. Default 1,000. */
  readonly contextTokens?: number | undefined
  /** The measuring protocol. Default `own`. */
  readonly protocol?: Protocol | undefined
  /** Memories retrieved for a question. Default 20 (HaluMem). */
  readonly memoriesWanted?: number | undefined
  /** Whether systems with their own replies give them. Default: the reader answers for every system. */
  readonly ownAnswers?: boolean
  /** Maximum number of conversations to measure, from the first. Default: all. */
  readonly limit?: number | undefined
  /** Concurrent conversations. Default 2. */
  readonly concurrency?: number
}

/** Prepares the measurement of a system on a data set for {@link runMeasurement}. Every conversation gets an empty memory. */
export function measureSystem(options: MeasureSystemOptions): Measurement {
  const { dataset, system, reader, judge, limit = null, protocol = 'own' } = options
  const { tasks = usualTasks(protocol) } = options
  const { model = null, embedding = null, reranking = null, likeness = embeddedWordVectors() } = options
  const { contextTokens = CONTEXT_TOKENS, ownAnswers = false, modelTimeoutMs } = options
  const { memoriesWanted = MEMORIES_WANTED } = options
  const total = Math.min(dataset.size, limit ?? dataset.size)
  const name = model === null ? (system.nameWithoutModel ?? system.name) : system.name
  const tokens = options.tokens === undefined ? null : contextualMatcher(options.tokens)
  const taskNames = new Set(tasks)
  const limits = { contextTokens, memoriesWanted }
  const tools = { reader, judge, tokens, tasks: taskNames, protocol, ...limits, ownAnswers }
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
      ...limits,
      ...(protocol === 'lufy' ? { memoriesWanted: 'as each system hands over' } : {}),
      limit,
      ownAnswers,
      readerVersion: reader.version,
      judgeVersion: judge.version,
    },
    reader: reader.name,
    judge: judge.name,
    tasks,
    repeatOptions: { system: system.name },
    resumes: 'always',
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
    remarks: (log) => [
      ...describeProtocol(protocol, reader, judge),
      ...describeFormatErrors(system.name, log),
    ],
  }
}

/** Makes the tools for conversations of a language: reader and judge with prompts in it, and a matcher that splits its words. */
function toolsFor(
  language: 'en' | 'zh',
  likeness: EmbeddingModel,
  tools: Omit<RunTools, 'language' | 'matcher'>,
): RunTools {
  return {
    ...tools,
    reader: tools.reader.inLanguage?.(language) ?? tools.reader,
    judge: tools.judge.inLanguage?.(language) ?? tools.judge,
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
    count += 1
    if (count >= maxConversations) return
  }
}

async function measureOne(
  conversation: BenchConversation,
  memory: SystemMemory,
  tools: RunTools,
): Promise<LogEntry[]> {
  try {
    const entries = await measureConversation(conversation, memory, tools)
    requireSomeIngested(conversation, entries)
    return entries
  } finally {
    await memory.close()
  }
}

/** Requires that some session was stored. If none was, the system is probably misconfigured rather than bad. @throws RunError */
function requireSomeIngested(conversation: BenchConversation, entries: readonly LogEntry[]): void {
  const ingestions = entriesOf(entries, 'ingestion')
  const [first] = ingestions
  if (first === undefined || ingestions.some(({ failure }) => failure === null)) return
  throw new RunError(
    conversation.name,
    `no session could be ingested: ${first.failure?.replace(/\.$/, '') ?? ''}. Fix the cause and run the same command again.`,
  )
}

/** Describes the system's malformed but readable answers in one sentence. */
function describeFormatErrors(system: string, log: readonly LogEntry[]): string[] {
  const counts = new Map<string, number>()
  for (const { what, count } of entriesOf(log, 'oddity')) counts.set(what, (counts.get(what) ?? 0) + count)
  if (counts.size === 0) return []
  const descriptions = [...counts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([what, count]) => `${what} (${count})`)
  return [`${system} gave ${descriptions.join(', ')}: counted as no answer, without a deduction.`]
}

/** Sorts a log by conversation. Figures must not depend on which conversation finished first. */
export function byConversation(log: readonly LogEntry[]): LogEntry[] {
  const nameOf = (entry: LogEntry): string => (entry.entry === 'step' ? entry.step : entry.conversation)
  return log.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : 0))
}
