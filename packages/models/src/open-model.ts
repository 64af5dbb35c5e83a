// Opens models by name.
import { embedWith, languageModel } from 'keepsake'
import type { EmbeddingModel, LanguageModel, RerankingModel } from 'keepsake'
import type { ArousalModel, LanguageModelOptions, SurpriseModel } from 'keepsake/model'
import { rerankWith } from './ai-sdk-reranking.ts'
import { completionProbabilities } from './completion-probabilities.ts'
import { languageReranking } from './language-reranking.ts'
import { sentenceEncoder } from './sentence-encoder.ts'
import { surpriseWith } from './surprise-by-model.ts'
import { transformersArousal, type TransformersArousalOptions } from './transformers-arousal.ts'
import { transformersProbabilities } from './transformers-probabilities.ts'
import { transformersReranking } from './transformers-reranking.ts'
import { transformersTokens } from './transformers-tokens.ts'
import { transformersEmbedding } from './transformers.ts'
import type { TokenEmbeddingModel } from './token-embedding-model.ts'
import { importProvider } from './import-provider.ts'
import { parseModelSpec } from './model-spec.ts'
import { openProvider, withKey, type ProviderSettings } from './open-provider.ts'

const LANGUAGE_PROVIDERS = ['openai', 'anthropic', 'google', 'ollama', 'openai-compatible'] as const
/** Maximum time in which a server must return its list of models. */
const LIST_TIMEOUT_MS = 3_000

export type OpenModelOptions = ProviderSettings & LanguageModelOptions

/**
 * Opens a language model by name: `openai:NAME`, `anthropic:NAME`, `google:NAME`, `ollama:NAME[@URL]` or
 * `openai-compatible:URL#NAME`. No request is sent yet. Keys are read from the environment: `OPENAI_API_KEY`,
 * `ANTHROPIC_API_KEY` and `GOOGLE_GENERATIVE_AI_API_KEY`. `openai-compatible` reads only `KEEPSAKE_MODEL_API_KEY`, so that no
 * other server receives a key for OpenAI.
 *
 * @example
 * const model = await openModel('ollama:qwen3:8b')
 * @throws InvalidInputError with what to write, install or set.
 */
export async function openModel(spec: string, options: OpenModelOptions = {}): Promise<LanguageModel> {
  const { env: _env, fetch: _fetch, ...rest } = options
  const parsed = parseModelSpec(spec, 'language model', LANGUAGE_PROVIDERS)
  const provider = await openProvider(parsed, spec, options)
  return languageModel(provider.languageModel(parsed.name), rest)
}

/** Explains why a language model cannot be reached; `null` if its server answers, and for hosted providers, which are not asked. */
export async function whyUnreachable(
  spec: string,
  { fetch = globalThis.fetch }: ProviderSettings = {},
): Promise<string | null> {
  const { provider, url } = parseModelSpec(spec, 'language model', LANGUAGE_PROVIDERS)
  if (url === null) return null
  try {
    const answer = await fetch(`${url}/models`, { signal: AbortSignal.timeout(LIST_TIMEOUT_MS) })
    await answer.body?.cancel()
    return null
  } catch {
    const hint =
      provider === 'ollama'
        ? 'Is Ollama running? "ollama serve" starts it.'
        : 'Start its server, or check the address.'
    return `Nothing answers at ${url}. ${hint}`
  }
}

/**
 * Opens an embedding model by name: `openai:NAME`, `google:NAME`, `ollama:NAME[@URL]` or `openai-compatible:URL#NAME`.
 * `transformers:NAME` and `sentence-encoder:en` (English) run in the process. Keys are read as by `openModel`.
 *
 * @example
 * const model = await openEmbeddingModel('openai:text-embedding-3-small')
 * @throws InvalidInputError with what to write, install or set.
 */
export async function openEmbeddingModel(
  spec: string,
  settings: ProviderSettings = {},
): Promise<EmbeddingModel> {
  const providers = [
    'openai',
    'google',
    'ollama',
    'openai-compatible',
    'transformers',
    'sentence-encoder',
  ] as const
  const { provider, name, url } = parseModelSpec(spec, 'embedding model', providers)
  if (provider === 'transformers') return transformersEmbedding({ model: name })
  if (provider === 'sentence-encoder') return sentenceEncoder()
  return embedWith((await openProvider({ provider, url }, spec, settings)).embeddingModel(name))
}

/**
 * Opens a reranking model by name: `cohere:NAME` (key in `COHERE_API_KEY`), `transformers:NAME` for a cross-encoder in the
 * process, or `language:MODEL` for a language model, whose name is that of `openModel`.
 *
 * @example
 * const model = await openRerankingModel('cohere:rerank-v3.5')
 * @throws InvalidInputError with what to write, install or set.
 */
export async function openRerankingModel(
  spec: string,
  settings: ProviderSettings = {},
): Promise<RerankingModel> {
  const { provider, name } = parseModelSpec(spec, 'reranking model', ['cohere', 'transformers', 'language'])
  if (provider === 'language') return languageReranking(await openModel(name, settings))
  if (provider === 'transformers') return transformersReranking({ model: name })
  const { createCohere } = await importProvider('@ai-sdk/cohere', spec, () => import('@ai-sdk/cohere'))
  return rerankWith(createCohere(withKey('COHERE_API_KEY', spec, settings)).rerankingModel(name))
}

/**
 * Opens a model of arousal (A in the paper LUFY) by name: `transformers:NAME`, a regression model in the process, such as
 * RoBERTa fine-tuned on EmoBank.
 *
 * @param options the output for arousal and its scale, if the model's labels do not name them
 * @example
 * const arousal = openArousalModel('transformers:my/emobank-roberta', { localModelPath: './models' })
 * const memory = await openMemory({ preset: lufy, path: 'memory.db', arousal })
 * @throws InvalidInputError with what to write.
 */
export function openArousalModel(
  spec: string,
  options: Omit<TransformersArousalOptions, 'model'> = {},
): ArousalModel {
  const { name } = parseModelSpec(spec, 'model of arousal', ['transformers'])
  return transformersArousal({ model: name, ...options })
}

/**
 * Opens a model of surprise (P in the paper LUFY), the perplexity of a text under a causal language model. `transformers:NAME`
 * runs in the process (GPT2-Large in the paper). `openai-compatible:URL#NAME` is a server that returns the probabilities of
 * prompt tokens, with its key in `KEEPSAKE_MODEL_API_KEY`.
 *
 * @example
 * const surprise = openSurpriseModel('transformers:Xenova/gpt2')
 * @throws InvalidInputError with what to write.
 */
export function openSurpriseModel(
  spec: string,
  { env = process.env, fetch }: ProviderSettings = {},
): SurpriseModel {
  const parsed = parseModelSpec(spec, 'model of surprise', ['transformers', 'openai-compatible'])
  const { provider, name, url } = parsed
  if (provider === 'transformers') return surpriseWith(transformersProbabilities({ model: name }))
  const apiKey = env['KEEPSAKE_MODEL_API_KEY']?.trim()
  return surpriseWith(
    completionProbabilities({
      url: url ?? '',
      model: name,
      ...(apiKey ? { apiKey } : {}),
      ...(fetch ? { fetch } : {}),
    }),
  )
}

/**
 * Opens a model of contextual token vectors, for BERTScore: `transformers:NAME`, an encoder in the process, such as
 * `transformers:Xenova/bert-base-multilingual-cased`.
 *
 * @example
 * const tokens = openTokenEmbeddingModel('transformers:Xenova/bert-base-multilingual-cased')
 * @throws InvalidInputError with what to write.
 */
export function openTokenEmbeddingModel(spec: string): TokenEmbeddingModel {
  return transformersTokens({ model: parseModelSpec(spec, 'token embedding model', ['transformers']).name })
}
