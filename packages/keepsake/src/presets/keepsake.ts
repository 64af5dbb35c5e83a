import { personaRules } from '../extraction/persona-rules.ts'
import { keepsakeForgetting } from '../forgetting/keepsake.ts'
import { keyTable } from '../persona/key-table.ts'
import { HYBRID } from '../retrieval/retrieval-recipe.ts'
import { extractiveSummariser } from '../story/summarise-extractively.ts'
import { MOOM_THRESHOLDS } from '../story/pack-units.ts'
import { SESSION_GAP } from './session-gap.ts'
import type { Preset } from './preset.ts'

/** Some three years of daily talk. A scope that grows past it lets its weakest utterances go. */
const CAPACITY = 50_000

/** Once over, so much of it goes at a time, since judging tens of thousands takes seconds. */
const SLACK = 0.05

/** The default: the best part of each. What was said is kept, facts are drawn from it, and the weakest go under a capacity. */
export function keepsake(): Preset {
  return {
    name: 'keepsake',
    summary:
      'Utterances with signals, facts by key and merge class, story and summaries, hybrid retrieval, forgetting by importance, use and redundancy.',
    source: null,
    branches: [
      { kind: 'utterances', order: 'answer' },
      { kind: 'facts', every: { rounds: 1 }, extractor: personaRules() },
      { kind: 'story', thresholds: MOOM_THRESHOLDS },
      { kind: 'summaries' },
    ],
    grounding: true,
    keyTable: keyTable(),
    summariser: extractiveSummariser(),
    sessionGap: SESSION_GAP,
    policy: keepsakeForgetting(),
    retention: { when: 'capacity', memories: CAPACITY, slack: SLACK },
    exempt: ['fact', 'story', 'summary'],
    ranking: { kind: 'hybrid', recipe: HYBRID },
    recalls: ['utterance', 'fact'],
    use: { limit: 10, first: 1, second: 1, reinforce: true },
  }
}
