// Opens providers of the AI SDK.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { InvalidInputError } from 'keepsake'
import type { AiSdkEmbeddingModel, AiSdkLanguageModel } from 'keepsake/model'
import { importProvider } from './import-provider.ts'
import type { ModelSpec, ProviderName } from './model-spec.ts'

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Settings of a provider. */
export interface ProviderSettings {
  /** The environment with the keys. Default `process.env`. */
  env?: Environment
  /** Sends the requests, for a proxy or a test. Default: the global `fetch`. */
  fetch?: typeof globalThis.fetch
}

/** Providers that answer over HTTP, through the AI SDK. */
type ServedProvider = Exclude<ProviderName, 'transformers' | 'sentence-encoder' | 'cohere' | 'language'>

/** The part of an AI SDK provider in use. Its own types exist only if it is installed. */
interface ModelProvider {
  languageModel(name: string): AiSdkLanguageModel
  embeddingModel(name: string): AiSdkEmbeddingModel
}

/** Opens the AI SDK's provider of a model. @throws InvalidInputError with what to install or set */
export async function openProvider(
  { provider, url }: Pick<ModelSpec<ServedProvider>, 'provider' | 'url'>,
  spec: string,
  settings: ProviderSettings,
): Promise<ModelProvider> {
  switch (provider) {
    case 'openai': {
      const { createOpenAI } = await importProvider('@ai-sdk/openai', spec, () => import('@ai-sdk/openai'))
      return createOpenAI(withKey('OPENAI_API_KEY', spec, settings))
    }
    case 'anthropic': {
      const load = () => import('@ai-sdk/anthropic')
      const { createAnthropic } = await importProvider('@ai-sdk/anthropic', spec, load)
      return createAnthropic(withKey('ANTHROPIC_API_KEY', spec, settings))
    }
    case 'google': {
      const { createGoogle } = await importProvider('@ai-sdk/google', spec, () => import('@ai-sdk/google'))
      return createGoogle(withKey('GOOGLE_GENERATIVE_AI_API_KEY', spec, settings))
    }
    case 'ollama':
    case 'openai-compatible': {
      const { env = process.env, fetch } = settings
      const apiKey = provider === 'ollama' ? undefined : env['KEEPSAKE_MODEL_API_KEY']
      // Ollama truncates prompts to its own context length, which only OLLAMA_CONTEXT_LENGTH can set.
      return createOpenAICompatible({
        name: provider,
        baseURL: url ?? '',
        supportsStructuredOutputs: true,
        includeUsage: true,
        ...(apiKey ? { apiKey } : {}),
        ...(fetch ? { fetch } : {}),
      })
    }
  }
}

/** Returns the settings of a provider that needs a key. @throws InvalidInputError with the variable to set */
export function withKey(
  variable: string,
  spec: string,
  { env = process.env, fetch }: ProviderSettings,
): { apiKey: string; fetch?: typeof globalThis.fetch } {
  const apiKey = env[variable]?.trim()
  if (apiKey) return { apiKey, ...(fetch ? { fetch } : {}) }
  throw new InvalidInputError(`"${spec}" needs a key: set ${variable} in the environment.`, { variable })
}
