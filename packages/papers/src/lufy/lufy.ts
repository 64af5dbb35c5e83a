// The preset of the paper LUFY.
import { BY_RULES, extractiveSummariser, personaRules, plainPreset } from 'keepsake/preset'
import type { PresetForm, Preset } from 'keepsake/preset'
import { snapshotReader } from '../moom/snapshot-reader.ts'
import { lufy as lufyForgetting } from './policy.ts'
import { sessionSummariser } from './session-summary.ts'
import { keySummaryByModel, keySummaryOfSentences } from './compress-key-summary.ts'
import { keyTable } from '@keepsake/text'

/** α, the weight of importance that is added to the cosine. Cosines above the threshold differ by about 0.1, importance by 1 (LUFY, 4.1.1). */
const IMPORTANCE_SHARE = 0.1
/** Share of memories that stay after each session (LUFY, 4.2). Humans recall about a tenth of a conversation. */
const KEPT_SHARE = 0.1
/** Number of exchanges rated in one call. The paper makes one call for each. Ten at a time cost a tenth of the calls. */
const EXCHANGES_PER_RATING = 10

/** Number of latest utterances that a reply gets (LUFY, 4.1.2). The one to answer counts, which the paper leaves open. */
const RECENT_TURNS = 5

/** Returns LUFY: utterance pairs and session summaries. Two are retrieved, and the reply gets the first. Nine tenths are forgotten. */
export function lufy(form: PresetForm = BY_RULES): Preset {
  return {
    ...plainPreset(),
    name: 'lufy',
    summary:
      'Pairs and summaries by psychological importance; nine tenths are forgotten when a session ends.',
    source:
      'Sumida, Inoue and Kawahara: Enhancing Long-term RAG Chatbots with Psychological Models of Memory Importance and Forgetting, 2025.',
    branches: [
      { kind: 'utterances', order: 'answer', ...(form.model ? { every: EXCHANGES_PER_RATING } : {}) },
      {
        kind: 'facts',
        every: 'session-end',
        extractor: form.model ? snapshotReader({ table: keyTable() }) : personaRules(),
      },
      { kind: 'summaries', signals: 'strongest' },
      { kind: 'portrait', compressor: form.model ? keySummaryByModel() : keySummaryOfSentences() },
    ],
    summariser: form.model ? sessionSummariser() : extractiveSummariser(),
    policy: lufyForgetting(),
    retention: { when: 'session-end', keep: KEPT_SHARE },
    exempt: ['fact', 'portrait'],
    ranking: { kind: 'cosine', threshold: 'calibrated', importance: IMPORTANCE_SHARE },
    recalls: ['utterance', 'summary'],
    always: ['portrait'],
    importance: form.model ? 'model' : 'signal',
    // The second memory is counted but not shown, because memories that are retrieved but not used fade (LUFY, section 2).
    use: { limit: 1, first: 1, second: 1, reinforce: true, passesOverShown: true },
    reply: { kind: 'key-summary', turns: RECENT_TURNS },
  }
}
