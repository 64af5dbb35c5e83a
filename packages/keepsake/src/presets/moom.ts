import { personaRules } from '../extraction/persona-rules.ts'
import { competitionInhibition } from '../forgetting/competition-inhibition.ts'
import { keyTable } from '../persona/key-table.ts'
import { HYBRID } from '../retrieval/retrieval-recipe.ts'
import { extractiveSummariser } from '../story/summarise-extractively.ts'
import { MOOM_THRESHOLDS } from '../story/pack-units.ts'
import { SESSION_GAP } from './session-gap.ts'
import type { Preset } from './preset.ts'

/** Rounds between two persona snapshots (MOOM, appendix C). */
const SNAPSHOT_ROUNDS = 10
/** Best k of the paper's ablation (appendix D). */
const K = 9
/** The capacity, in characters, at which forgetting beats unlimited memory in the paper (figure 3). */
const CAPACITY_CHARACTERS = 6_000

/**
 * MOOM in its model-free form: a plot branch that packs rounds into a hierarchy of (here extractive) summaries, a
 * persona branch that merges a snapshot every ten rounds by key, and competition–inhibition forgetting.
 */
export function moom(): Preset {
  return {
    name: 'moom',
    summary:
      'Plot and persona branches, merged by key class, with competition–inhibition forgetting under a capacity.',
    source:
      'MOOM: Maintenance, Organization and Optimization of Memory in Ultra-Long Role-Playing Dialogues, 2025.',
    branches: [
      { kind: 'facts', every: { rounds: SNAPSHOT_ROUNDS }, extractor: personaRules() },
      { kind: 'story', thresholds: MOOM_THRESHOLDS },
    ],
    grounding: false,
    keyTable: keyTable(),
    summariser: extractiveSummariser(),
    sessionGap: SESSION_GAP,
    policy: competitionInhibition(),
    retention: { when: 'capacity', characters: CAPACITY_CHARACTERS },
    exempt: [],
    ranking: { kind: 'hybrid', recipe: HYBRID },
    recalls: ['fact', 'story'],
    use: { limit: K, first: K, second: K, reinforce: true },
  }
}
