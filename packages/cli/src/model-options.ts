import { InvalidArgumentError, Option, type Command } from 'commander'
import type { OpenOptions } from 'keepsake'
import { wholeNumber } from './common-options.ts'
import type { Io } from './io.ts'
import { loadModels } from './load-package.ts'

/** Options that name models, and what may be asked of them. */
export interface ModelOptions {
  readonly model?: string
  readonly embedding?: string
  readonly reranking?: string
  /** Seconds. */
  readonly modelTimeout?: number
  readonly budgetCalls?: number
  /** Rounds. */
  readonly readEvery?: number
}

/** What a memory is opened with. */
export type OpenedModels = Pick<
  OpenOptions,
  'model' | 'modelOptions' | 'embedding' | 'reranking' | 'readEvery'
>

const FORMS = [
  ['openai:NAME', 'OpenAI, key in OPENAI_API_KEY'],
  ['anthropic:NAME', 'Anthropic, key in ANTHROPIC_API_KEY'],
  ['google:NAME', 'Google, key in GOOGLE_GENERATIVE_AI_API_KEY'],
  ['ollama:NAME[@URL]', 'Ollama, on this machine unless a URL is given'],
  ['openai-compatible:URL#NAME', 'a server that speaks as OpenAI does; its key,'],
  ['', 'if it wants one, in KEEPSAKE_MODEL_API_KEY'],
] as const

/** How a model is named, a form a line. */
export const MODEL_FORMS = FORMS.map(([form, where]) => `  ${form.padEnd(28)}${where}`).join('\n')

/** The paragraph of `--help` that says so. */
export const MODEL_FORMS_HELP = `\nModels are given as:\n${MODEL_FORMS}`

/** The forms in a sentence, for errors: these are one line. */
export const MODEL_FORMS_INLINE = FORMS.flatMap(([form]) => (form === '' ? [] : [form])).join(', ')

/** Adds `--model`, `--embedding`, `--reranking`, `--model-timeout`, `--budget-calls` and what they take. */
export function withModels(command: Command, { env }: Io): Command {
  const model = new Option('--model <spec>', 'the language model; also KEEPSAKE_MODEL')
  return command
    .addOption(env['KEEPSAKE_MODEL'] ? model.default(env['KEEPSAKE_MODEL']) : model)
    .option('--embedding <spec>', 'the embedding model, instead of the one built in')
    .option('--reranking <spec>', 'a model that puts what was found in order anew')
    .option('--model-timeout <seconds>', 'how long to wait for one answer (default: 60)', seconds)
    .option(
      '--budget-calls <n>',
      "calls to the model in a day for one person's memory",
      wholeNumber(1, 1_000_000_000),
    )
    .option(
      '--read-every <n>',
      'rounds of talk the model reads at a time (default: as the preset says)',
      wholeNumber(1, 1_000),
    )
    .addHelpText('after', MODEL_FORMS_HELP)
}

function seconds(value: string): number {
  const number = Number(value)
  if (value.trim() !== '' && number > 0 && number <= 86_400) return number
  throw new InvalidArgumentError('It must be a number of seconds above 0, up to 86400.')
}

/** Opens the models that the options name. Loads nothing of a provider when they name none. */
export async function openModels({ env }: Io, options: ModelOptions): Promise<OpenedModels> {
  const { model, embedding, reranking, modelTimeout, budgetCalls, readEvery } = options
  if (model === undefined && embedding === undefined && reranking === undefined) return {}
  const { openEmbeddingModel, openModel, openRerankingModel } = await loadModels()
  const modelOptions = {
    ...(modelTimeout === undefined ? {} : { timeoutMs: Math.round(modelTimeout * 1_000) }),
    ...(budgetCalls === undefined ? {} : { budget: { calls: budgetCalls } }),
  }
  return {
    ...(model === undefined
      ? {}
      : {
          model: await openModel(model, { env }),
          modelOptions,
          ...(readEvery === undefined ? {} : { readEvery }),
        }),
    ...(embedding === undefined ? {} : { embedding: await openEmbeddingModel(embedding, { env }) }),
    ...(reranking === undefined ? {} : { reranking: await openRerankingModel(reranking, { env }) }),
  }
}

/** The model's own name, without provider and place: `openai-compatible:http://…#qwen` is `qwen`. */
export function modelName(spec: string): string {
  const afterHash = /#(.+)$/.exec(spec)?.[1]
  return afterHash ?? /^[a-z-]+:(.+?)(?:@https?:.*)?$/.exec(spec)?.[1] ?? spec
}
