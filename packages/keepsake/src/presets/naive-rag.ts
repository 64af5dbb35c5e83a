import { plainPreset } from './plain-preset.ts'
import type { Preset } from './preset.ts'

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
