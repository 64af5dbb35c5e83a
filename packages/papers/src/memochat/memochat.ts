// The preset of the paper MemoChat.
import { memoReader } from './memo-reader.ts'
import { BY_RULES, plainPreset, requestRules, type PresetForm, HYBRID, type Preset } from 'keepsake/preset'

/** Number of memos from which the model selects. A search finds them first, which limits the cost. */
const CANDIDATES = 30

/** Returns MemoChat: memos with title, summary and turns for the topics of each session. For a question the model selects memos. */
export function memochat(form: PresetForm = BY_RULES): Preset {
  return {
    ...plainPreset(),
    name: 'memochat',
    summary: 'Memos by topic, written when a session ends and chosen by the model for a question.',
    source:
      'Lu et al.: MemoChat: Tuning LLMs to Use Memos for Consistent Long-Range Open-Domain Conversation, 2023.',
    branches: form.model
      ? [{ kind: 'facts', every: 'session-end', extractor: memoReader() }]
      : [{ kind: 'summaries' }, { kind: 'facts', every: 'session-end', extractor: requestRules() }],
    ranking: form.model
      ? { kind: 'chosen', recipe: HYBRID, from: CANDIDATES }
      : { kind: 'hybrid', recipe: HYBRID },
    recalls: ['summary'],
    use: { limit: 5, first: 0, second: 0, reinforce: false },
  }
}
