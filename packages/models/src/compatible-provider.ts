import { createOpenAICompatible, type OpenAICompatibleProvider } from '@ai-sdk/openai-compatible'
import type { ModelSpec } from './model-spec.ts'
import { fetchSetting, type ProviderSettings } from './provider-settings.ts'

/**
 * A server that speaks OpenAI's interface; Ollama does too. Ollama cuts prompts to its own context length, which this
 * interface cannot set: start it with `OLLAMA_CONTEXT_LENGTH` raised.
 */
export function compatibleProvider(
  { provider, url }: ModelSpec<'ollama' | 'openai-compatible'>,
  settings: ProviderSettings,
): OpenAICompatibleProvider {
  const { env = process.env } = settings
  const key = provider === 'ollama' ? undefined : env['KEEPSAKE_MODEL_API_KEY']
  return createOpenAICompatible({
    name: provider,
    baseURL: url ?? '',
    supportsStructuredOutputs: true,
    includeUsage: true,
    ...(key ? { apiKey: key } : {}),
    ...fetchSetting(settings),
  })
}
