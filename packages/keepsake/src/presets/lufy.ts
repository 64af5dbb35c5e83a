import { personaRules } from '../extraction/persona-rules.ts'
import { lufy as lufyForgetting } from '../forgetting/lufy.ts'
import { keyTable } from '../persona/key-table.ts'
import { extractiveSummariser } from '../story/summarise-extractively.ts'
import { COSINE_THRESHOLD } from './cosine-threshold.ts'
import { SESSION_GAP } from './session-gap.ts'
import type { Preset } from './preset.ts'

/** α: cosines above the threshold span about a tenth, importance spans one (LUFY, 4.1.1). */
const IMPORTANCE_SHARE = 0.1
/** What stays after each session (LUFY, 4.2; people recall about a tenth of a conversation). */
const KEEP = 0.1

/**
 * LUFY: utterance pairs and session summaries with arousal, surprise, importance and use; a profile that is
 * never forgotten; two memories retrieved, the first used, the second only counted; nine tenths let go.
 */
export function lufy(): Preset {
  return {
    name: 'lufy',
    summary:
      'Pairs and summaries by psychological importance; nine tenths are forgotten when a session ends.',
    source:
      'Sumida, Inoue and Kawahara: Enhancing Long-term RAG Chatbots with Psychological Models of Memory Importance and Forgetting, 2025.',
    branches: [
      { kind: 'utterances', order: 'answer' },
      { kind: 'facts', every: 'session-end', extractor: personaRules() },
      { kind: 'summaries' },
    ],
    grounding: false,
    keyTable: keyTable(),
    summariser: extractiveSummariser(),
    sessionGap: SESSION_GAP,
    policy: lufyForgetting(),
    retention: { when: 'session-end', keep: KEEP },
    exempt: ['fact'],
    ranking: { kind: 'cosine', threshold: COSINE_THRESHOLD, importance: IMPORTANCE_SHARE },
    recalls: ['utterance', 'summary'],
    use: { limit: 2, first: 1, second: 1, reinforce: true },
  }
}
