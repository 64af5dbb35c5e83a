import type { LanguageModel } from 'keepsake'
import type { OpenedModels } from './model-options.ts'
import type { Progress } from './output/progress.ts'

/** Shows which call to the language model is under way, after `label`: slow models leave one wondering. */
export function watchModels(models: OpenedModels, progress: Progress, label: string): OpenedModels {
  const { model } = models
  if (model === undefined) return models
  let calls = 0
  const watched: LanguageModel = {
    id: model.id,
    generate(request) {
      calls += 1
      const what = (request.schemaName ?? 'text').replaceAll('_', ' ')
      progress.relabel(`${label}: call ${calls} (${what})`)
      return model.generate(request)
    },
    stream: (request) => model.stream(request),
  }
  return { ...models, model: watched }
}
