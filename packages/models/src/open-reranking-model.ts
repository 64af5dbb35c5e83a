import { rerankWith, transformersReranking, type RerankingModel } from 'keepsake'
import { importProvider } from './import-provider.ts'
import { parseModelSpec } from './model-spec.ts'
import { fetchSetting, requireKey, type ProviderSettings } from './provider-settings.ts'

const PROVIDERS = ['cohere', 'transformers'] as const

/**
 * Opens a reranking model by name: `cohere:NAME` (key in `COHERE_API_KEY`), or `transformers:NAME` for a
 * cross-encoder that runs in the process.
 *
 * @example
 * const model = await openRerankingModel('cohere:rerank-v3.5')
 * @throws InvalidInputError saying what to write, to install or to set.
 */
export async function openRerankingModel(
  spec: string,
  settings: ProviderSettings = {},
): Promise<RerankingModel> {
  const { provider, name } = parseModelSpec(spec, 'reranking model', PROVIDERS)
  switch (provider) {
    case 'cohere': {
      const { createCohere } = await importProvider('@ai-sdk/cohere', spec, () => import('@ai-sdk/cohere'))
      const apiKey = requireKey('COHERE_API_KEY', spec, settings.env)
      return rerankWith(createCohere({ apiKey, ...fetchSetting(settings) }).rerankingModel(name))
    }
    case 'transformers':
      return transformersReranking({ model: name })
  }
}
