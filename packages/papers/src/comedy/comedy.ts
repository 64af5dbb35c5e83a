// The preset of the paper COMEDY.
import {
  BY_RULES,
  extractiveSummariser,
  plainPreset,
  requestRules,
  type PresetForm,
  type Preset,
} from 'keepsake/preset'
import { extractiveCompressor } from './compress-extractively.ts'
import { wholeCompressor } from './compress-whole.ts'
import { sessionMemoryWriter } from './write-session-memory.ts'

/** Maximum turns of the running session that a recall returns in addition to the portrait. A reply gets all of them. */
const MAX_TURNS = 40

/** Returns COMEDY, which has no retrieval: session memories (task 1) become one portrait (task 2), from which it replies (task 3). */
export function comedy(form: PresetForm = BY_RULES): Preset {
  return {
    ...plainPreset(),
    name: 'comedy',
    summary: 'Session memories compressed into one portrait of user, relationship and events; no retrieval.',
    source:
      'Chen et al.: Beyond Retrieval: Embracing Compressive Memory in Real-World Long-Term Conversations, 2024.',
    branches: [
      { kind: 'summaries' },
      { kind: 'facts', every: { rounds: 1 }, extractor: requestRules() },
      { kind: 'portrait', compressor: form.model ? wholeCompressor() : extractiveCompressor() },
    ],
    summariser: form.model ? sessionMemoryWriter() : extractiveSummariser(),
    ranking: { kind: 'whole' },
    recalls: [],
    always: ['portrait'],
    reply: { kind: 'whole-session' },
    use: { limit: MAX_TURNS, first: 0, second: 0, reinforce: false },
  }
}
