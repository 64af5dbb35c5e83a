/** Opens models by a name from a command line or a configuration. */
export {
  openArousalModel,
  openEmbeddingModel,
  openModel,
  openRerankingModel,
  openSurpriseModel,
  openTokenEmbeddingModel,
  whyUnreachable,
  type OpenModelOptions,
} from './open-model.ts'
export type { Environment, ProviderSettings } from './open-provider.ts'

export { rerankWith, type AiSdkRerankingModel, type RerankWithOptions } from './ai-sdk-reranking.ts'
export { completionProbabilities, type CompletionProbabilitiesOptions } from './completion-probabilities.ts'
export { languageReranking, type LanguageRerankingOptions } from './language-reranking.ts'
export { sentenceEncoder } from './sentence-encoder.ts'
export { surpriseWith } from './surprise-by-model.ts'
export type { TokenEmbeddingModel } from './token-embedding-model.ts'
export type { TokenProbabilityModel, TokenProbabilityOptions } from './token-probabilities.ts'
export { transformersArousal, type TransformersArousalOptions } from './transformers-arousal.ts'
export {
  transformersProbabilities,
  type TransformersProbabilitiesOptions,
} from './transformers-probabilities.ts'
export { transformersReranking, type TransformersRerankingOptions } from './transformers-reranking.ts'
export { transformersTokens } from './transformers-tokens.ts'
export { transformersEmbedding } from './transformers.ts'
