import { personaRules } from '../extraction/rules/persona-rules.ts'
import { snapshotReader } from '../extraction/snapshot-reader.ts'
import { competitionInhibition } from '../forget/policies/competition-inhibition.ts'
import { keyTable } from '../persona/key-table.ts'
import { HYBRID } from '../retrieval/retrieval-recipe.ts'
import { storySummariser } from '../story/summarise-by-model.ts'
import { extractiveSummariser } from '../story/summarise-extractively.ts'
import { MOOM_THRESHOLDS } from '../story/pack-units.ts'
import { BY_RULES, type PresetForm } from './preset-form.ts'
import { plainPreset } from './plain-preset.ts'
import type { Preset } from './preset.ts'

/** Rounds between two persona snapshots (MOOM, appendix C). */
const SNAPSHOT_ROUNDS = 10
/** Best k of the paper's ablation (appendix D). */
const K = 9
/** The capacity, in characters, at which forgetting beats unlimited memory in the paper (figure 3). */
const CAPACITY_CHARACTERS = 6_000

/**
 * MOOM: a plot branch that packs rounds into a hierarchy of summaries, a persona branch that merges a snapshot every
 * ten rounds by key, and competition–inhibition forgetting. Without a model summaries quote and rules read the persona.
 */
export function moom(form: PresetForm = BY_RULES): Preset {
  return {
    ...plainPreset(),
    name: 'moom',
    summary:
      'Plot and persona branches, merged by key class, with competition–inhibition forgetting under a capacity.',
    source:
      'MOOM: Maintenance, Organization and Optimization of Memory in Ultra-Long Role-Playing Dialogues, 2025.',
    branches: [
      {
        kind: 'facts',
        every: { rounds: SNAPSHOT_ROUNDS },
        extractor: form.model ? snapshotReader({ table: keyTable() }) : personaRules(),
      },
      { kind: 'story', thresholds: MOOM_THRESHOLDS },
    ],
    summariser: form.model ? storySummariser() : extractiveSummariser(),
    policy: competitionInhibition(),
    retention: { when: 'capacity', characters: CAPACITY_CHARACTERS },
    ranking: { kind: 'hybrid', recipe: HYBRID },
    recalls: ['fact', 'story'],
    use: { limit: K, first: K, second: K, reinforce: true },
  }
}
