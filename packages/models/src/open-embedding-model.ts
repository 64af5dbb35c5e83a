import { embedWith, transformersEmbedding, type EmbeddingModel } from 'keepsake'
import { compatibleProvider } from './compatible-provider.ts'
import { importProvider } from './import-provider.ts'
import { parseModelSpec } from './model-spec.ts'
import { fetchSetting, requireKey, type ProviderSettings } from './provider-settings.ts'

const PROVIDERS = ['openai', 'google', 'ollama', 'openai-compatible', 'transformers'] as const

/**
 * Opens an embedding model by name: `openai:NAME`, `google:NAME`, `ollama:NAME[@URL]`, `openai-compatible:URL#NAME`,
 * or `transformers:NAME` for one that runs in the process. Keys as for `openModel`.
 *
 * @example
 * const model = await openEmbeddingModel('openai:text-embedding-3-small')
 * @throws InvalidInputError saying what to write, to install or to set.
 */
export async function openEmbeddingModel(
  spec: string,
  settings: ProviderSettings = {},
): Promise<EmbeddingModel> {
  const parsed = parseModelSpec(spec, 'embedding model', PROVIDERS)
  const { provider, name } = parsed
  const common = fetchSetting(settings)
  switch (provider) {
    case 'openai': {
      const { createOpenAI } = await importProvider('@ai-sdk/openai', spec, () => import('@ai-sdk/openai'))
      const openai = createOpenAI({ apiKey: requireKey('OPENAI_API_KEY', spec, settings.env), ...common })
      return embedWith(openai.embeddingModel(name))
    }
    case 'google': {
      const { createGoogle } = await importProvider('@ai-sdk/google', spec, () => import('@ai-sdk/google'))
      const apiKey = requireKey('GOOGLE_GENERATIVE_AI_API_KEY', spec, settings.env)
      return embedWith(createGoogle({ apiKey, ...common }).embeddingModel(name))
    }
    case 'ollama':
    case 'openai-compatible':
      return embedWith(compatibleProvider({ ...parsed, provider }, settings).embeddingModel(name))
    case 'transformers':
      return transformersEmbedding({ model: name })
  }
}
