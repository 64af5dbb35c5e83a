import {
  BY_RULES,
  extractiveSummariser,
  personaRules,
  plainPreset,
  sessionSummariser,
  type PresetForm,
} from 'keepsake/parts'
import { snapshotReader } from '../moom/snapshot-reader.ts'
import { lufy as lufyForgetting } from './policy.ts'
import { keySummaryByModel, keySummaryOfSentences } from './compress-key-summary.ts'
import { keyTable } from '@keepsake/text'
import type { Preset } from 'keepsake'

/** α: cosines above the threshold span about a tenth, importance spans one (LUFY, 4.1.1). */
const IMPORTANCE_SHARE = 0.1
/** What stays after each session (LUFY, 4.2; people recall about a tenth of a conversation). */
const KEEP = 0.1
/** Rounds whose importance one call rates. The paper asks for each; the answers are the same numbers for a tenth of the calls. */
const RATED_ROUNDS = 10

/** The latest utterances that a reply is given (LUFY, 4.1.2); the paper does not say whether the one to answer is among them: here it is. */
const RECENT_TURNS = 5

/**
 * LUFY: utterance pairs and session summaries with arousal, surprise, importance and use; a profile and a key summary of
 * the past that are never forgotten; two memories retrieved, the first given to the reply, the second only counted; nine
 * tenths forgotten.
 */
export function lufy(form: PresetForm = BY_RULES): Preset {
  return {
    ...plainPreset(),
    name: 'lufy',
    summary:
      'Pairs and summaries by psychological importance; nine tenths are forgotten when a session ends.',
    source:
      'Sumida, Inoue and Kawahara: Enhancing Long-term RAG Chatbots with Psychological Models of Memory Importance and Forgetting, 2025.',
    branches: [
      { kind: 'utterances', order: 'answer', ...(form.model ? { every: RATED_ROUNDS } : {}) },
      {
        kind: 'facts',
        every: 'session-end',
        extractor: form.model ? snapshotReader({ table: keyTable() }) : personaRules(),
      },
      { kind: 'summaries' },
      { kind: 'portrait', compressor: form.model ? keySummaryByModel() : keySummaryOfSentences() },
    ],
    summariser: form.model ? sessionSummariser() : extractiveSummariser(),
    policy: lufyForgetting(),
    retention: { when: 'session-end', keep: KEEP },
    exempt: ['fact', 'portrait'],
    ranking: { kind: 'cosine', threshold: 'calibrated', importance: IMPORTANCE_SHARE },
    recalls: ['utterance', 'summary'],
    always: ['portrait'],
    importance: form.model ? 'model' : 'signal',
    // The second is counted and not shown: what is retrieved beside the used one fades (LUFY, section 2).
    use: { limit: 1, first: 1, second: 1, reinforce: true, passesOverShown: true },
    reply: { kind: 'key-summary', turns: RECENT_TURNS },
  }
}
