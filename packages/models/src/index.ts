/** Opens models by a name on a command line or in a configuration. */
export { openEmbeddingModel } from './open-embedding-model.ts'
export { openModel, type OpenModelOptions } from './open-model.ts'
export { openRerankingModel } from './open-reranking-model.ts'
export type { Environment, ProviderSettings } from './provider-settings.ts'
