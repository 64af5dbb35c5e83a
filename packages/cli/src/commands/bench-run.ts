import { join } from 'node:path'
import { Command, Option } from 'commander'
import type { FinishedRun, HttpSystemName, MemorySystem, RunOptions } from '@keepsake/bench'
import type { LanguageModel } from 'keepsake'
import { wrongUsage } from '../cli-error.ts'
import { debugOption, wholeNumber } from '../common-options.ts'
import { examples } from '../examples-help.ts'
import type { Io } from '../io.ts'
import { loadPackage } from '../load-package.ts'
import { MODEL_FORMS } from '../model-options.ts'
import { showReport } from '../output/format-report.ts'
import { showRuns } from '../output/format-runs.ts'
import { printJson } from '../output/print.ts'
import { progressFor } from '../output/progress.ts'

interface Options {
  readonly dataset: string
  readonly path: string
  readonly system: string[]
  readonly tasks?: string[]
  readonly model?: string
  readonly embedding?: string
  readonly likeness?: string
  readonly reader?: string
  readonly judge?: string
  readonly modelTimeout?: number
  readonly ownAnswers?: boolean
  readonly url?: string
  readonly contextTokens?: number
  readonly limit?: number
  readonly concurrency?: number
  readonly runs: string
  readonly json?: boolean
}

const list = (value: string): string[] => value.split(',').map((part) => part.trim())

/** `keepsake bench run`: any system, on any data set, by one harness. */
export function benchRunCommand(io: Io): Command {
  return withWhat(new Command('run'))
    .description(
      'Measures memory systems on a data set, every step of them: what they extract, update, find and answer. Without --reader and --judge no language model is needed; what a model judged stands in columns of its own.',
    )
    .option(
      '--context-tokens <n>',
      'budget of the context of an answer (default: 1000)',
      wholeNumber(1, 1_000_000),
    )
    .option('--limit <n>', 'conversations measured at most', wholeNumber(1, 1_000_000))
    .option('--concurrency <n>', 'conversations at a time (default: 2)', wholeNumber(1, 256))
    .option('--runs <folder>', 'where runs are kept; one that was stopped goes on there', './bench-runs')
    .option('--json', 'print the figures as JSON (a list for several systems) and nothing else')
    .addOption(debugOption())
    .addHelpText('after', `\nModels are given as:\n${MODEL_FORMS}`)
    .addHelpText(
      'after',
      examples(
        'keepsake bench run --dataset locomo --path locomo10.json --system keepsake,bm25',
        'keepsake bench run --dataset halumem --path HaluMem-Medium.jsonl --system keepsake --model openai:gpt-5-mini --judge openai:gpt-5 --json',
        'keepsake bench run --dataset longmemeval --path longmemeval_s.json --system mem0-server --url http://localhost:8888 --judge openai:gpt-5',
      ),
    )
    .action((options: Options) => runBenchmarks(io, options))
}

function withWhat(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--dataset <name>',
        'the data set: locomo, lufy, memorybank-en, memorybank-cn, halumem, longmemeval, mem-dialogue, zh-4o, own-talk',
      ).makeOptionMandatory(),
    )
    .requiredOption('--path <path>', "the data set's file or folder; for own-talk a talk's name or file")
    .option(
      '--system <names>',
      'what is measured, separated by commas: a preset, none, whole-context, bm25, mem0, mem0-server, mem0-platform, zep, supermemory, memobase, memos',
      list,
      ['keepsake'],
    )
    .option(
      '--tasks <names>',
      'retrieval, extraction, updating, answering, probes, operations, labels, separated by commas (default: all that the data carries); or forgetting, alone: every policy, on lufy or locomo',
      list,
    )
    .option('--model <spec>', 'the language model that the systems work with')
    .option('--embedding <spec>', "the embedder that the systems work with (default: each system's own)")
    .option(
      '--reader <spec>',
      'the model that answers from what was recalled (default: sentences picked by rule)',
    )
    .option('--judge <spec>', 'the model that judges (default: judged by rule)')
    .option(
      '--model-timeout <seconds>',
      'how long reader and judge may take for one answer (default: 60)',
      wholeNumber(1, 86_400),
    )
    .option('--own-answers', 'let systems that reply by themselves do so, instead of the reader')
    .option('--url <url>', 'where a peer is reached that is not where it usually is')
}

async function runBenchmarks(io: Io, options: Options): Promise<void> {
  if (options.tasks?.includes('forgetting') === true) return runForgetting(io, options)
  const finished: FinishedRun[] = []
  const progress = progressFor(io, options.json === true)
  try {
    for (const name of options.system) {
      const { runBench } = await import('@keepsake/bench')
      const run = await prepare(io, options, name)
      finished.push(await runBench({ ...run, onProgress: progress.follow(`${name} on ${options.dataset}`) }))
      progress.stop()
    }
  } finally {
    progress.stop()
  }
  if (options.json === true) {
    const [first] = finished
    printJson(io, finished.length === 1 ? first?.summary : finished.map(({ summary }) => summary))
  } else showRuns(io, finished)
}

/** Policies are compared among themselves, whatever the system: the task stands alone. */
async function runForgetting(io: Io, { dataset, path, tasks = [], json }: Options): Promise<void> {
  if (tasks.length > 1) throw wrongUsage('--tasks forgetting compares policies, not systems: give it alone.')
  if (dataset !== 'lufy' && dataset !== 'locomo')
    throw wrongUsage(`--tasks forgetting: ${dataset} does not say what is worth keeping; lufy and locomo do.`)
  const { benchForgetting } = await import('@keepsake/bench')
  const progress = progressFor(io, json === true)
  const onProgress = progress.follow('forgetting')
  const report = await benchForgetting({ dataset, path, onProgress }).finally(progress.stop)
  showReport(io, report, json === true)
}

/** Opens all that one run needs. */
async function prepare(io: Io, options: Options, name: string): Promise<RunOptions> {
  const bench = await import('@keepsake/bench')
  const { runs, contextTokens, limit, concurrency, ownAnswers, url } = options
  const dataset = await bench.openDataset(
    oneOf(bench.DATASET_NAMES, options.dataset, '--dataset'),
    options.path,
  )
  const systemName = oneOf(bench.SYSTEM_NAMES, name, '--system')
  const system = bench.isHttpSystem(systemName)
    ? await openHttpSystem(io, systemName, url)
    : bench.openSystem(systemName)
  const tasks = options.tasks?.map((task) => oneOf(bench.TASKS, task, '--tasks'))
  const model = await openCached(io, options.model, runs)
  if (system.needsModel && model === null) {
    throw wrongUsage(`${name} works with a language model only: name one with --model.`)
  }
  const { language } = dataset
  const { modelTimeout } = options
  const runner = modelTimeout === undefined ? {} : { timeoutMs: modelTimeout * 1_000 }
  const reader = await openCached(io, options.reader, runs)
  const judge = await openCached(io, options.judge, runs)
  const likeness = await openEmbedding(io, options.likeness)
  return {
    dataset,
    system,
    model,
    embedding: await openEmbedding(io, options.embedding),
    reader: reader === null ? bench.extractiveReader : bench.modelReader({ model: reader, language, runner }),
    judge: judge === null ? bench.deterministicJudge : bench.modelJudge({ model: judge, language, runner }),
    runs,
    command: commandOf(options, name),
    ...(likeness === null ? {} : { likeness }),
    ...(tasks === undefined ? {} : { tasks }),
    ...(contextTokens === undefined ? {} : { contextTokens }),
    ...(limit === undefined ? {} : { limit }),
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(ownAnswers === undefined ? {} : { ownAnswers }),
  }
}

async function openHttpSystem(
  io: Io,
  name: HttpSystemName,
  baseUrl: string | undefined,
): Promise<MemorySystem> {
  const peers = await loadPackage('@keepsake/bench-http-peers', () => import('@keepsake/bench-http-peers'))
  const apiKey = io.env[peers.HTTP_SYSTEMS[name].keyVariable]
  return peers.httpSystem(name, {
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
  })
}

function oneOf<Name extends string>(allowed: readonly Name[], given: string, option: string): Name {
  const name = allowed.find((one) => one === given)
  if (name === undefined) throw wrongUsage(`${option} ${given}: it must be of ${allowed.join(', ')}.`)
  return name
}

/** A model whose answers are kept beside the runs, so that no run asks twice for the same. */
async function openCached(io: Io, spec: string | undefined, runs: string): Promise<LanguageModel | null> {
  if (spec === undefined) return null
  const { openModel } = await import('@keepsake/models')
  const { cachedModel } = await import('@keepsake/bench')
  return cachedModel(await openModel(spec, { env: io.env }), join(runs, 'answers'))
}

async function openEmbedding(io: Io, spec: string | undefined) {
  if (spec === undefined) return null
  const { openEmbeddingModel } = await import('@keepsake/models')
  return openEmbeddingModel(spec, { env: io.env })
}

/** The command as it can be given again: one system, no secrets (keys are in the environment). */
function commandOf(options: Options, system: string): string {
  const given: (readonly [string, string | number | boolean | undefined])[] = [
    ['dataset', options.dataset],
    ['path', options.path],
    ['system', system],
    ['tasks', options.tasks?.join(',')],
    ['model', options.model],
    ['embedding', options.embedding],
    ['likeness', options.likeness],
    ['reader', options.reader],
    ['judge', options.judge],
    ['own-answers', options.ownAnswers],
    ['url', options.url],
    ['context-tokens', options.contextTokens],
    ['limit', options.limit],
  ]
  const parts = given.flatMap(([name, value]) =>
    value === undefined || value === false
      ? []
      : value === true
        ? [`--${name}`]
        : [`--${name}`, String(value)],
  )
  return ['keepsake bench run', ...parts].join(' ')
}
