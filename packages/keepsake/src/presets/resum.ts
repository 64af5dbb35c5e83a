import { requestRules } from '../extraction/rules/hear-requests.ts'
import { recursiveCompressor } from '../portrait/compress-by-model.ts'
import { extractiveCompressor } from '../portrait/compress-extractively.ts'
import { BY_RULES, type PresetForm } from './preset-form.ts'
import { plainPreset } from './plain-preset.ts'
import type { Branch, Preset } from './preset.ts'

/** Turns of the running session handed to a reply beside the memory. */
const TURNS = 40

/** Resum: one running memory, written anew after each session from what it was and what was said. */
export function resum(form: PresetForm = BY_RULES): Preset {
  const requests: Branch = { kind: 'facts', every: { rounds: 1 }, extractor: requestRules() }
  return {
    ...plainPreset(),
    name: 'resum',
    summary: 'One summary, rewritten after each session from itself and the session; no retrieval.',
    source:
      'Wang et al.: Recursively Summarizing Enables Long-Term Dialogue Memory in Large Language Models, 2023.',
    branches: form.model
      ? [{ kind: 'portrait', compressor: recursiveCompressor() }, requests]
      : [{ kind: 'summaries' }, { kind: 'portrait', compressor: extractiveCompressor() }, requests],
    ranking: { kind: 'whole' },
    recalls: [],
    always: ['portrait'],
    reply: { kind: 'whole-session' },
    use: { limit: TURNS, first: 0, second: 0, reinforce: false },
  }
}
