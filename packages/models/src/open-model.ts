import {
  languageModel,
  type AiSdkLanguageModel,
  type LanguageModel,
  type LanguageModelOptions,
} from 'keepsake'
import { compatibleProvider } from './compatible-provider.ts'
import { importProvider } from './import-provider.ts'
import { parseModelSpec, type ModelSpec } from './model-spec.ts'
import { fetchSetting, requireKey, type ProviderSettings } from './provider-settings.ts'

const PROVIDERS = ['openai', 'anthropic', 'google', 'ollama', 'openai-compatible'] as const
type LanguageProvider = (typeof PROVIDERS)[number]

export type OpenModelOptions = ProviderSettings & LanguageModelOptions

/**
 * Opens a language model by name: `openai:NAME`, `anthropic:NAME`, `google:NAME`, `ollama:NAME[@URL]` or
 * `openai-compatible:URL#NAME`. Nothing is asked of it yet. Keys come from the environment: `OPENAI_API_KEY`,
 * `ANTHROPIC_API_KEY`, `GOOGLE_GENERATIVE_AI_API_KEY`; for `openai-compatible` `KEEPSAKE_MODEL_API_KEY`, else none: a key
 * for OpenAI is not sent to whatever server is named.
 *
 * @example
 * const model = await openModel('ollama:qwen3:8b')
 * @throws InvalidInputError saying what to write, to install or to set.
 */
export async function openModel(spec: string, options: OpenModelOptions = {}): Promise<LanguageModel> {
  const { env: _env, fetch: _fetch, ...rest } = options
  return languageModel(
    await openProvider(parseModelSpec(spec, 'language model', PROVIDERS), spec, options),
    rest,
  )
}

async function openProvider(
  parsed: ModelSpec<LanguageProvider>,
  spec: string,
  settings: ProviderSettings,
): Promise<AiSdkLanguageModel> {
  const { provider, name } = parsed
  const common = fetchSetting(settings)
  switch (provider) {
    case 'openai': {
      const { createOpenAI } = await importProvider('@ai-sdk/openai', spec, () => import('@ai-sdk/openai'))
      return createOpenAI({ apiKey: requireKey('OPENAI_API_KEY', spec, settings.env), ...common })(name)
    }
    case 'anthropic': {
      const { createAnthropic } = await importProvider(
        '@ai-sdk/anthropic',
        spec,
        () => import('@ai-sdk/anthropic'),
      )
      return createAnthropic({ apiKey: requireKey('ANTHROPIC_API_KEY', spec, settings.env), ...common })(name)
    }
    case 'google': {
      const { createGoogle } = await importProvider('@ai-sdk/google', spec, () => import('@ai-sdk/google'))
      const apiKey = requireKey('GOOGLE_GENERATIVE_AI_API_KEY', spec, settings.env)
      return createGoogle({ apiKey, ...common })(name)
    }
    case 'ollama':
    case 'openai-compatible':
      return compatibleProvider({ ...parsed, provider }, settings).chatModel(name)
  }
}
