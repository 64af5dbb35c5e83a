import { keyTable } from '@keepsake/text'
import { firstInFirstOut as oldestFirst, noForgetting } from '../forget/policies/known-policies.ts'
import { extractiveSummariser } from '../story/summarise-extractively.ts'
import type { Preset } from './preset.ts'

/** What stays after each session, as in LUFY's comparison. */
const KEEP = 0.1

/** First in, first out: naive RAG that lets the oldest go. What any other policy of forgetting has to beat. */
export function firstInFirstOut(): Preset {
  return {
    ...naiveRag(),
    name: 'first-in-first-out',
    summary: 'Utterance pairs by cosine; when a session ends, all but the latest tenth go.',
    policy: oldestFirst(),
    retention: { when: 'session-end', keep: KEEP },
  }
}

/** Plain retrieval-augmented generation: every round is kept, the nearest vectors come back, nothing is forgotten. */
export function naiveRag(): Preset {
  return {
    ...plainPreset(),
    name: 'naive-rag',
    summary: 'Every round as it was said, nearest vectors, no forgetting.',
    source: 'LUFY, table 4: the conventional retrieval-augmented chatbot it is compared with.',
    branches: [{ kind: 'utterances', order: 'answer' }],
    ranking: { kind: 'cosine', threshold: -1, importance: 0 },
    recalls: ['utterance'],
    use: { limit: 5, first: 0, second: 0, reinforce: false },
  }
}

/** Silence that ends an unnamed session: longer than a meal, shorter than a night. */
const SESSION_GAP = 4 * 60 * 60 * 1000

/** Defaults of presets: quote, believe everything, and forget nothing. */
export function plainPreset() {
  return {
    grounding: 'off',
    keyTable: keyTable(),
    summariser: extractiveSummariser(),
    sessionGap: SESSION_GAP,
    policy: noForgetting(),
    retention: { when: 'never' },
    exempt: [],
    context: 'list',
  } as const satisfies Partial<Preset>
}
