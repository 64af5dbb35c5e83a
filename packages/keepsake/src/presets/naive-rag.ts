import { noForgetting } from '../forget/policies/none.ts'
import { keyTable } from '../persona/key-table.ts'
import { extractiveSummariser } from '../story/summarise-extractively.ts'
import { SESSION_GAP } from './session-gap.ts'
import type { Preset } from './preset.ts'

/** Plain retrieval-augmented generation: every round is kept, the nearest vectors come back, nothing is forgotten. */
export function naiveRag(): Preset {
  return {
    name: 'naive-rag',
    summary: 'Every round as it was said, nearest vectors, no forgetting.',
    source: 'LUFY, table 4: the conventional retrieval-augmented chatbot it is compared with.',
    branches: [{ kind: 'utterances', order: 'answer' }],
    grounding: 'off',
    keyTable: keyTable(),
    summariser: extractiveSummariser(),
    sessionGap: SESSION_GAP,
    policy: noForgetting(),
    retention: { when: 'never' },
    exempt: [],
    ranking: { kind: 'cosine', threshold: -1, importance: 0 },
    recalls: ['utterance'],
    use: { limit: 5, first: 0, second: 0, reinforce: false },
  }
}
