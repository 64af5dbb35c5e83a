// The preset of the paper MemoryBank.
import {
  BY_RULES,
  extractiveSummariser,
  personaRules,
  plainPreset,
  requestRules,
  type PresetForm,
  type Preset,
} from 'keepsake/preset'
import { dailySummariser } from './daily-summary.ts'
import { ebbinghaus } from './ebbinghaus.ts'
import { overallCompressor } from './overall-summary.ts'

/** Share of memories that stay after each session, from the comparison in the paper LUFY. MemoryBank itself gives no number. */
const KEPT_SHARE = 0.1

/** Returns MemoryBank: each query with its reply, daily summaries, a profile, and Ebbinghaus' forgetting curve. */
export function memoryBank(form: PresetForm = BY_RULES): Preset {
  return {
    ...plainPreset(),
    name: 'memory-bank',
    summary: "Query–reply pairs and summaries on Ebbinghaus' forgetting curve, renewed by each recall.",
    source: 'Zhong et al.: MemoryBank: Enhancing Large Language Models with Long-Term Memory, 2024.',
    branches: [
      { kind: 'utterances', order: 'reply' },
      form.model
        ? { kind: 'facts', every: { rounds: 1 }, extractor: requestRules() }
        : { kind: 'facts', every: 'session-end', extractor: personaRules() },
      { kind: 'summaries' },
      // The mode is incremental, because the daily summaries behind the previous portrait may be forgotten.
      ...(form.model
        ? [{ kind: 'portrait', compressor: overallCompressor({ mode: 'incremental' }) } as const]
        : []),
    ],
    summariser: form.model ? dailySummariser() : extractiveSummariser(),
    policy: ebbinghaus({ unit: 'days' }),
    retention: { when: 'session-end', keep: KEPT_SHARE },
    exempt: ['fact', 'portrait'],
    ranking: { kind: 'cosine', threshold: -1, importance: 0 },
    recalls: ['utterance', 'summary'],
    always: ['portrait'],
    use: { limit: 5, first: 5, second: 0, reinforce: true },
  }
}
