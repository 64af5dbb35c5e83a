import { personaRules } from '../extraction/persona-rules.ts'
import { ebbinghaus } from '../forgetting/ebbinghaus.ts'
import { keyTable } from '../persona/key-table.ts'
import { extractiveSummariser } from '../story/summarise-extractively.ts'
import { SESSION_GAP } from './session-gap.ts'
import type { Preset } from './preset.ts'

/** What stays after each session: the tenth that LUFY's comparison gives it; MemoryBank itself names no number. */
const KEEP = 0.1

/**
 * MemoryBank: each query with its reply, summaries of each day's talk, a portrait of the user, and
 * Ebbinghaus' forgetting curve: what is recalled starts anew and fades more slowly.
 */
export function memoryBank(): Preset {
  return {
    name: 'memory-bank',
    summary: "Query–reply pairs and summaries on Ebbinghaus' forgetting curve, renewed by each recall.",
    source: 'Zhong et al.: MemoryBank: Enhancing Large Language Models with Long-Term Memory, 2024.',
    branches: [
      { kind: 'utterances', order: 'reply' },
      { kind: 'facts', every: 'session-end', extractor: personaRules() },
      { kind: 'summaries' },
    ],
    grounding: false,
    keyTable: keyTable(),
    summariser: extractiveSummariser(),
    sessionGap: SESSION_GAP,
    policy: ebbinghaus({ unit: 'days' }),
    retention: { when: 'session-end', keep: KEEP },
    exempt: ['fact'],
    ranking: { kind: 'cosine', threshold: -1, importance: 0 },
    recalls: ['utterance', 'summary'],
    use: { limit: 5, first: 5, second: 0, reinforce: true },
  }
}
