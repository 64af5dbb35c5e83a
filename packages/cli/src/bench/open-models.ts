import type { BenchContext } from '@keepsake/bench'
import type { Io } from '../io.ts'
import { loadHttpPeers, loadModels } from '../load-package.ts'

/** Models and services, of packages that are loaded when one is named. */
export function openers({
  env,
}: Io): Pick<BenchContext, 'openModel' | 'openEmbedding' | 'openTokens' | 'openHttpSystem'> {
  return {
    openModel: async (spec) => (await loadModels()).openModel(spec, { env }),
    openEmbedding: async (spec) => (await loadModels()).openEmbeddingModel(spec, { env }),
    openTokens: async (spec) => (await loadModels()).openTokenEmbeddingModel(spec),
    async openHttpSystem(name, { url: baseUrl, modelTimeoutMs }) {
      const { HTTP_SYSTEMS, httpSystem } = await loadHttpPeers()
      const apiKey = env[HTTP_SYSTEMS[name].keyVariable]
      return httpSystem(name, {
        ...(apiKey === undefined ? {} : { apiKey }),
        ...(baseUrl === undefined ? {} : { baseUrl }),
        modelTimeoutMs,
      })
    },
  }
}
