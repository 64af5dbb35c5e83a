import { BY_RULES, extractiveSummariser, plainPreset, requestRules } from 'keepsake/preset'
import type { PresetForm, Preset } from 'keepsake/preset'
import { sessionMemoryWriter } from './write-session-memory.ts'

/** Memories retrieved for a reply (Chen et al., section 3.2). */
const TOP = 3

/**
 * Returns the retrieval baseline of COMEDY's paper: the same session memories, of which the three nearest are
 * retrieved.
 * The paper does not say whether a memory is a session's or a sentence. Here it is a session's, the paper's m.
 */
export function comedyRetrieval(form: PresetForm = BY_RULES): Preset {
  return {
    ...plainPreset(),
    name: 'comedy-retrieval',
    summary: "COMEDY's session memories, of which the three nearest are retrieved instead of all compressed.",
    source:
      'Chen et al.: Beyond Retrieval: Embracing Compressive Memory in Real-World Long-Term Conversations, 2024: the retrieval-based baseline.',
    branches: [{ kind: 'summaries' }, { kind: 'facts', every: { rounds: 1 }, extractor: requestRules() }],
    summariser: form.model ? sessionMemoryWriter() : extractiveSummariser(),
    ranking: { kind: 'cosine', threshold: -1, importance: 0 },
    recalls: ['summary'],
    use: { limit: TOP, first: 0, second: 0, reinforce: false },
  }
}
