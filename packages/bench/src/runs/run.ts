import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PRESET_NAMES } from '@keepsake/papers'
import type { EmbeddingModel, LanguageModel, RerankingModel } from 'keepsake'
import type { LanguageAnswer, LanguageRequest } from 'keepsake/model'
import { Agent, setGlobalDispatcher } from 'undici'
import { z } from 'zod'
import { defineBenchmark, type BenchContext, type Measurement } from '../benchmark/benchmark.ts'
import { OptionError, oneOf, seedOption, wholeNumber } from '../benchmark/options.ts'
import { requirePath } from '../benchmark/require-path.ts'
import type { OpenedDataset } from '../datasets/conversation.ts'
import { DATASET_NAMES, openDataset, openLufyAskedBySession } from '../datasets/open-dataset.ts'
import { forgetting } from '../forgetting/forgetting.ts'
import { deterministicJudge } from '../judges/deterministic-judge.ts'
import { halumemJudge } from '../judges/halumem-judge.ts'
import { lufyJudge, lufyRuleJudge } from '../judges/lufy-judge.ts'
import { modelJudge } from '../judges/model-judge.ts'
import { TASKS } from '../log/figure.ts'
import { seededRandom } from '../metrics/seeded-random.ts'
import { extractiveReader } from '../readers/extractive-reader.ts'
import { halumemReader } from '../readers/halumem-reader.ts'
import { modelReader } from '../readers/model-reader.ts'
import { replayOrRecord } from '../recordings/replay-or-record.ts'
import { replayingModel } from '../recordings/replaying-model.ts'
import { streamAnswer } from '../recordings/stream-answer.ts'
import type { MemorySystem } from '../systems/memory-system.ts'
import { SYSTEM_NAMES, isHttpSystem, openSystem } from '../systems/open-system.ts'
import { measureSystem } from './measure-system.ts'
import { MODEL_OPTIONS } from './model-options.ts'
import { PROTOCOLS, UNCUT_TOKENS, requireProtocol, usualTasks, type Protocol } from './protocol.ts'

/** Node's `fetch` gives up if the start of an answer, or its next piece, takes longer than this. */
const FETCH_TIMEOUT_MS = 300_000

/** Raises the timeout of `fetch`, which clients of models use, to the model's timeout. */
function extendFetchTimeout(modelTimeoutMs: number): void {
  if (modelTimeoutMs <= FETCH_TIMEOUT_MS) return
  setGlobalDispatcher(new Agent({ headersTimeout: modelTimeoutMs, bodyTimeout: modelTimeoutMs }))
}

/** How many answers are made unusable. */
export interface SpoilOptions {
  /** One of this many answers is made unusable. A whole number from 2. */
  readonly oneIn: number
  readonly seed: number
}

/** Unusable answers of weak models instead of JSON: a refusal, a cut answer, nothing, a bare word. They are used in turn. */
const UNUSABLE_ANSWERS: readonly ((text: string) => string)[] = [
  () => 'I am sorry, but I cannot help with that.',
  (text) => text.slice(0, Math.ceil(text.length / 3)),
  () => '',
  () => '"yes"',
]

/** Makes one of every `oneIn` answers unusable, always the same ones. A retry is another request, so it mostly succeeds. */
export function spoilingModel(model: LanguageModel, { oneIn, seed }: SpoilOptions): LanguageModel {
  const random = seededRandom(seed)
  let requestCount = 0
  let spoiltCount = 0
  let spoiltPosition = 0
  const isNextSpoilt = (): boolean => {
    const position = requestCount % oneIn
    if (position === 0) spoiltPosition = Math.floor(random() * oneIn)
    requestCount += 1
    return position === spoiltPosition
  }
  const generate = async (request: LanguageRequest): Promise<LanguageAnswer> => {
    const spoil = isNextSpoilt() ? UNUSABLE_ANSWERS[spoiltCount++ % UNUSABLE_ANSWERS.length] : undefined
    const answer = await model.generate(request)
    return spoil === undefined ? answer : { ...answer, text: spoil(answer.text) }
  }
  return {
    id: `${model.id}, one in ${oneIn} unusable (seed ${seed})`,
    generate,
    stream: (request) => streamAnswer(generate(request)),
  }
}

/** The beginning of a model's name that replays recorded answers: `--model recorded:FILE`. */
const RECORDED = 'recorded:'

const OPTIONS = z.object({
  dataset: oneOf(DATASET_NAMES).meta({ value: '<name>', description: 'the data set' }),
  path: z.string().optional().meta({
    value: '<path>',
    description: 'the file or folder of the data set; for own-talk the name or file of a conversation',
    standard: 'for everyday the shipped conversations',
  }),
  system: z
    .array(oneOf(SYSTEM_NAMES))
    .default(['keepsake'])
    .meta({ value: '<names>', description: 'the systems to measure' }),
  tasks: z
    .array(oneOf([...TASKS, 'forgetting']))
    .optional()
    .meta({
      value: '<names>',
      description: 'the steps to measure; or only forgetting, which compares all policies on lufy or locomo',
      standard: 'all that the data supports, except coverage and probe-table',
    }),
  ...MODEL_OPTIONS,
  spoil: wholeNumber(2, 1_000).optional().meta({
    description: 'make one in this many answers of --model unusable, for every system',
    standard: 'none',
  }),
  seed: seedOption,
  ownAnswers: z
    .boolean()
    .optional()
    .meta({ description: 'let systems with their own replies answer instead of the reader' }),
  url: z
    .string()
    .optional()
    .meta({ value: '<url>', description: 'the URL of a peer, if it is not the usual one' }),
  contextTokens: wholeNumber(1, 1_000_000)
    .optional()
    .meta({ description: 'token budget of the context for an answer', standard: '1000' }),
  protocol: oneOf(PROTOCOLS).default('own').meta({
    value: '<name>',
    description:
      'the conditions: own, those of the harness; paper, which sets reader, inputs of the judge, memories and context as in HaluMem (only for halumem); lufy, which asks questions after each session and lets conversation reinforce memories as LUFY does (only for lufy)',
  }),
  memories: wholeNumber(1, 1_000).optional().meta({
    description: 'number of memories retrieved for a question or probe',
    standard: '20, as in HaluMem; MOOM uses 9',
  }),
  limit: wholeNumber(1, 1_000_000).optional().meta({ description: 'maximum number of conversations' }),
  concurrency: wholeNumber(1, 256).default(2).meta({ description: 'concurrent conversations' }),
})

/** Runs any system on any data set. */
export const run = defineBenchmark({
  name: 'run',
  about:
    'Measures each step of memory systems on a data set: what they extract, update, find and answer. Without --reader and --judge no language model is needed. Verdicts of a model have their own columns.',
  examples: [
    'run --dataset locomo --path locomo10.json --system keepsake,bm25',
    'run --dataset halumem --path HaluMem-Medium.jsonl --system keepsake --model openai:gpt-5-mini --judge openai:gpt-5 --json',
    'run --dataset longmemeval --path longmemeval_s.json --system mem0-server --url http://localhost:8888 --judge openai:gpt-5',
  ],
  options: OPTIONS,
  async *open({ tasks, ...options }, context) {
    if (tasks?.includes('forgetting') === true) {
      yield* openForgetting(options, tasks, context)
      return
    }
    requireProtocol(options.protocol, { ...options, tasks })
    const path = requirePath(options.dataset, options.path)
    for (const name of options.system) {
      const dataset = await (options.protocol === 'lufy'
        ? openLufyAskedBySession(path)
        : openDataset(options.dataset, path))
      const modelTimeoutMs = timeoutOf(options.modelTimeout)
      const { url } = options
      const system = isHttpSystem(name)
        ? await context.openHttpSystem(name, { url, modelTimeoutMs })
        : openSystem(name)
      yield await openRunOf(system, dataset, { ...options, tasks }, context)
    }
  },
})

export type RunOptions = Omit<z.output<typeof OPTIONS>, 'dataset' | 'path' | 'system' | 'url'>

/** Opens the measurement of one system by the options of the command. */
export async function openRunOf(
  system: MemorySystem,
  dataset: OpenedDataset,
  options: RunOptions,
  context: BenchContext,
): Promise<Measurement> {
  const { tasks, limit, concurrency, ownAnswers = false, protocol } = options
  const modelTimeoutMs = timeoutOf(options.modelTimeout)
  const model = spoilIfWanted(await openCached(context, options.model), options)
  if (system.needsModel && model === null)
    throw new OptionError(`${system.name} needs a language model: name one with --model.`)
  return measureSystem({
    dataset,
    system,
    model,
    modelTimeoutMs,
    embedding: (await openEmbedding(context, options.embedding)) ?? null,
    reranking: await openReranking(context, system, options.reranking),
    likeness: await openEmbedding(context, options.likeness),
    tokens: options.bertscore === undefined ? undefined : await context.openTokens(options.bertscore),
    ...(await openReaderAndJudge(context, dataset.language, { ...options, modelTimeoutMs })),
    tasks: tasks === undefined ? usualTasks(protocol) : TASKS.filter((task) => tasks.includes(task)),
    contextTokens: protocol === 'paper' ? UNCUT_TOKENS : options.contextTokens,
    protocol,
    memoriesWanted: options.memories,
    ownAnswers,
    limit,
    concurrency,
  })
}

/** Opens the comparison of forgetting policies. It measures policies instead of systems, so no other task can run with it. */
function openForgetting(
  { dataset, path }: { readonly dataset: string; readonly path?: string | undefined },
  tasks: readonly string[],
  context: BenchContext,
): AsyncIterable<Measurement> {
  if (tasks.length > 1)
    throw new OptionError('--tasks forgetting compares policies, not systems. Use it without other tasks.')
  if (dataset !== 'lufy' && dataset !== 'locomo')
    throw new OptionError(
      `--tasks forgetting: ${dataset} does not mark what is worth keeping. Use lufy or locomo.`,
    )
  return forgetting.open(forgetting.options.parse({ dataset, path: requirePath(dataset, path) }), context)
}

/** Wraps the model by `--spoil`. Each system gets its own wrapper, so that only its own requests decide which answers are spoilt. */
function spoilIfWanted(
  model: LanguageModel | null,
  { spoil, seed }: { readonly spoil?: number | undefined; readonly seed: number },
): LanguageModel | null {
  if (spoil === undefined) return model
  if (model === null) throw new OptionError('--spoil needs --model, whose answers it makes unusable.')
  return spoilingModel(model, { oneIn: spoil, seed })
}

/** Converts `--model-timeout` to milliseconds, and raises the timeout of `fetch` to it. */
export function timeoutOf(seconds: number | undefined): number | undefined {
  if (seconds === undefined) return undefined
  extendFetchTimeout(seconds * 1_000)
  return seconds * 1_000
}

/** Readers and judges by protocol. `byRule` is the judge without a model. */
const BY_PROTOCOL = {
  own: { makeReader: modelReader, makeJudge: modelJudge, byRule: deterministicJudge },
  paper: { makeReader: halumemReader, makeJudge: halumemJudge, byRule: deterministicJudge },
  lufy: { makeReader: modelReader, makeJudge: lufyJudge, byRule: lufyRuleJudge },
} as const

interface ReaderAndJudgeOptions {
  readonly reader?: string | undefined
  readonly judge?: string | undefined
  readonly protocol: Protocol
  readonly modelTimeoutMs: number | undefined
}

/** Opens reader and judge. Each is a model if the options name one, and works by rules otherwise. */
export async function openReaderAndJudge(
  context: BenchContext,
  language: 'en' | 'zh',
  { modelTimeoutMs: timeoutMs, protocol, ...specs }: ReaderAndJudgeOptions,
) {
  const runner = timeoutMs === undefined ? {} : { timeoutMs }
  const reader = await openCached(context, specs.reader)
  const judge = await openCached(context, specs.judge)
  const { makeReader, makeJudge, byRule } = BY_PROTOCOL[protocol]
  return {
    reader: reader === null ? extractiveReader : makeReader({ model: reader, language, runner }),
    judge: judge === null ? byRule : makeJudge({ model: judge, language, runner }),
  }
}

/** Matches names of cross-encoders, models that score a text against a query, such as `cohere:rerank-v3.5`. */
const CROSS_ENCODER = /^(transformers|cohere):/

/** Opens the reranking model. @throws OptionError for a system without reranking */
async function openReranking(
  context: BenchContext,
  { name, config }: MemorySystem,
  spec: string | undefined,
): Promise<LanguageModel | RerankingModel | null> {
  if (spec === undefined) return null
  if (!isPreset(config['preset']))
    throw new OptionError(`--reranking is only for keepsake and its presets. ${name} has its own ranking.`)
  return CROSS_ENCODER.test(spec) ? context.openReranking(spec) : openCached(context, spec)
}

/** Reports whether a name is that of a preset. A model can rerank what presets find. */
export function isPreset(name: unknown): boolean {
  return PRESET_NAMES.some((preset) => preset === name)
}

/** Opens a model that caches answers in the runs' folder. `recorded:FILE` only replays answers, and fails if one is missing. */
export async function openCached(
  { openModel, runs }: BenchContext,
  spec: string | undefined,
): Promise<LanguageModel | null> {
  if (spec === undefined) return null
  if (spec.startsWith(RECORDED)) return replayingModel(spec.slice(RECORDED.length))
  const model = await openModel(spec)
  const file = join(runs, 'answers', `${model.id.replaceAll(/[^\w.-]+/g, '_')}.jsonl`)
  dropIncompleteLine(file)
  return replayOrRecord(model, file)
}

/** Removes the unfinished last line that a killed run leaves. */
function dropIncompleteLine(file: string): void {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (text !== '' && !text.endsWith('\n')) writeFileSync(file, text.slice(0, text.lastIndexOf('\n') + 1))
}

async function openEmbedding(
  { openEmbedding: open }: BenchContext,
  spec: string | undefined,
): Promise<EmbeddingModel | undefined> {
  return spec === undefined ? undefined : open(spec)
}
