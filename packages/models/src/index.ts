/** Opens models by a name on a command line or in a configuration. */
export {
  openArousalModel,
  openEmbeddingModel,
  openModel,
  openRerankingModel,
  openSurpriseModel,
  openTokenEmbeddingModel,
  type OpenModelOptions,
} from './open-model.ts'
export type { Environment, ProviderSettings } from './open-provider.ts'
