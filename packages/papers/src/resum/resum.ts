// The preset of the paper Resum.
import { BY_RULES, plainPreset, requestRules } from 'keepsake/preset'
import type { PresetForm, Branch, Preset } from 'keepsake/preset'
import { extractiveCompressor } from '../comedy/compress-extractively.ts'
import { recursiveCompressor } from './recursive-summary.ts'

/** Maximum turns of the running session that a recall returns in addition to the memory. A reply gets all of them. */
const MAX_TURNS = 40

/** Returns Resum: one running memory, rewritten after each session from itself and the session. */
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
    use: { limit: MAX_TURNS, first: 0, second: 0, reinforce: false },
  }
}
