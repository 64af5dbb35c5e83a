import type { Dataset } from '../datasets/conversation.ts'
import { loadLocomo } from '../datasets/locomo.ts'
import { loadLufy } from '../datasets/lufy.ts'
import { loadMemoryBank, readMemoryBankLabels } from '../datasets/memorybank.ts'
import { bootstrapInterval, type Interval } from '../metrics/bootstrap-interval.ts'
import { judgeRecall, type QuestionOutcome } from './question-outcome.ts'
import { summariseOutcomes, type Summary } from './summarise-outcomes.ts'
import type { RetrievalSystem, SystemRecall } from './system.ts'

/** Turns asked of a system: enough that 30 units remain after turns are expanded and deduplicated. */
const TURNS_ASKED = 100
const NOTHING: SystemRecall = { turns: [], confidence: 0 }

export interface RetrievalBenchOptions {
  readonly dataset: 'locomo' | 'lufy' | 'memorybank'
  /** LoCoMo's JSON file, LUFY's tree, or MemoryBank's folder. */
  readonly path: string
  readonly system: RetrievalSystem
  /** Is told of every question as it is judged: the per-question log. */
  readonly onOutcome?: (outcome: QuestionOutcome) => void
  /** Is told how far it is, from 0 to 1. */
  readonly onProgress?: (share: number) => void
}

/** One benchmark run, as printed with `--json`. */
export interface RetrievalResult extends Summary {
  readonly benchmark: 'retrieval'
  readonly dataset: string
  /** sha256 of the input; by language for MemoryBank. */
  readonly dataHash: string
  readonly config: Readonly<Record<string, unknown>>
  readonly leftOut: Readonly<Record<string, number>>
}

/**
 * Measures how well a system finds the turns that answer questions about remembered conversations. Each
 * conversation is remembered whole in a memory of its own, then all its questions are asked, without reinforcement.
 *
 * @throws DatasetError when the data is absent or is not in its published form. A system's failure on a question is
 * logged, scores zero, and does not end the run.
 */
export async function benchRetrieval(options: RetrievalBenchOptions): Promise<RetrievalResult> {
  if (options.dataset === 'memorybank') return benchMemoryBank(options)
  const data = options.dataset === 'locomo' ? await loadLocomo(options.path) : await loadLufy(options.path)
  const outcomes = await askAll(data, options, (share) => options.onProgress?.(share))
  return {
    benchmark: 'retrieval',
    dataset: data.name,
    dataHash: data.dataHash,
    config: { system: options.system.name, ...options.system.config },
    leftOut: data.leftOut,
    ...summariseOutcomes(outcomes),
  }
}

/** Both languages, pooled and apart, and the difference between them question by question. */
async function benchMemoryBank(options: RetrievalBenchOptions): Promise<RetrievalResult> {
  const labels = await readMemoryBankLabels()
  const english = await loadMemoryBank(options.path, 'en', labels)
  const chinese = await loadMemoryBank(options.path, 'cn', labels)
  const en = await askAll(english, options, (share) => options.onProgress?.(share / 2))
  const cn = await askAll(chinese, options, (share) => options.onProgress?.(0.5 + share / 2))
  const parts = { en: summariseOutcomes(en), cn: summariseOutcomes(cn) }
  const both = summariseOutcomes([...en, ...cn])
  const metrics: Record<string, number> = { ...both.metrics }
  const intervals: Record<string, Interval> = { ...both.intervals }
  for (const [language, summary] of Object.entries(parts)) {
    for (const [name, value] of Object.entries(summary.metrics)) metrics[`${language}.${name}`] = value
    for (const [name, interval] of Object.entries(summary.intervals))
      intervals[`${language}.${name}`] = interval
  }
  for (const name of ['hit@5', 'mrr']) {
    const pairs = pairUp(en, cn, name)
    const mean = (pooled: readonly Pair[]): number =>
      pooled.reduce((sum, p) => sum + p.difference, 0) / pooled.length
    metrics[`difference_cn_en.${name}`] = mean(pairs)
    const clusters = [...Map.groupBy(pairs, (pair) => pair.person).values()]
    intervals[`difference_cn_en.${name}`] = bootstrapInterval(clusters, mean, { seed: 1 })
  }
  return {
    benchmark: 'retrieval',
    dataset: 'memorybank',
    dataHash: `en:${english.dataHash} cn:${chinese.dataHash}`,
    config: { system: options.system.name, ...options.system.config },
    leftOut: {
      'en.unlabelled': english.leftOut['unlabelled'] ?? 0,
      'cn.unlabelled': chinese.leftOut['unlabelled'] ?? 0,
    },
    metrics,
    intervals,
    byCategory: { english: parts.en.metrics, chinese: parts.cn.metrics },
  }
}

interface Pair {
  readonly person: string
  readonly difference: number
}

function pairUp(en: readonly QuestionOutcome[], cn: readonly QuestionOutcome[], metric: string): Pair[] {
  const english = new Map(en.map((outcome) => [`${outcome.person} ${outcome.question}`, outcome]))
  return cn.flatMap((outcome) => {
    const other = english.get(`${outcome.person} ${outcome.question}`)?.scores?.[metric]
    const own = outcome.scores?.[metric]
    return other === undefined || own === undefined
      ? []
      : [{ person: outcome.person, difference: own - other }]
  })
}

async function askAll(
  data: Dataset,
  options: RetrievalBenchOptions,
  onProgress: (share: number) => void,
): Promise<QuestionOutcome[]> {
  const outcomes: QuestionOutcome[] = []
  for (const [index, conversation] of data.conversations.entries()) {
    const memory = await options.system.ingest(conversation)
    try {
      for (const question of conversation.questions) {
        const start = performance.now()
        let recall = NOTHING
        let failure: string | null = null
        try {
          recall = await memory.recall(question, TURNS_ASKED)
        } catch (error) {
          failure = error instanceof Error ? error.message : String(error)
        }
        const outcome = judgeRecall(conversation, question, recall, performance.now() - start, failure)
        outcomes.push(outcome)
        options.onOutcome?.(outcome)
      }
    } finally {
      await memory.close()
    }
    onProgress((index + 1) / data.conversations.length)
  }
  return outcomes
}
