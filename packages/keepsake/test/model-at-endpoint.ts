import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { languageModel, type OpenOptions } from 'keepsake'
import type { Preset } from 'keepsake/preset'
import { findPreset } from '@keepsake/papers'

/** The default with a model, but every segment makes a portrait. */
export function portrayingEverySegment(): Preset {
  const preset = findPreset('keepsake', { model: true })
  const branches = preset.branches.map((branch) =>
    branch.kind === 'portrait' ? { ...branch, every: 1, leastTurns: 0 } : branch,
  )
  return { ...preset, branches }
}

/** Options to open a memory whose model is at the endpoint, asked once, through the provider that applications use. */
export function askingAt(
  url: string,
  modelOptions: OpenOptions['modelOptions'] = { retries: 0 },
  fetch?: typeof globalThis.fetch,
): OpenOptions {
  const provider = createOpenAICompatible({
    name: 'scripted',
    baseURL: url,
    supportsStructuredOutputs: true,
    ...(fetch === undefined ? {} : { fetch }),
  })
  return { model: languageModel(provider('one')), modelOptions, preset: portrayingEverySegment() }
}
