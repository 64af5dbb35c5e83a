import {
  BY_RULES,
  MOOM_THRESHOLDS,
  extractiveSummariser,
  personaRules,
  plainPreset,
  storySummariser,
  type PresetForm,
} from 'keepsake/parts'
import { snapshotReader } from './snapshot-reader.ts'
import { competitionInhibition, type CompetitionInhibitionOptions } from './competition-inhibition.ts'
import { HYBRID, type Preset } from 'keepsake'
import { moomKeyTable } from './moom-keys.ts'

/** Rounds between two persona snapshots (MOOM, appendix C). */
const SNAPSHOT_ROUNDS = 10
/** Best k of the paper's ablation (appendix D). */
const K = 9
/**
 * The capacity at which forgetting beats unlimited memory in the paper (figure 3, appendix E): "6k", of a unit that it does not
 * name. Here it is characters (UTF-16 units) of the live memories' texts, facts and summaries together, in every language; raw rounds,
 * which wait to be summarised, are not counted. A Chinese text says in 6,000 some three times what an English one does.
 */
const CAPACITY_CHARACTERS = 6_000
/** Of what a round may bring up, so many of the likeliest are read by a reranking model where there is one: 2k and as many again. */
const RERANKED = 4 * K

/** What the paper varies (figures 3 and 6, table 2), and what it leaves open. What is absent is as published. */
export interface MoomOptions extends Partial<Pick<PresetForm, 'model'>>, CompetitionInhibitionOptions {
  /** Memories of a recall that are reinforced; as many next are suppressed. A whole number from 1, 9 when absent. */
  readonly k?: number
  /** Whether the next k are suppressed: `false` is the paper's "without inhibition" (figure 3). */
  readonly inhibits?: boolean
  /** Whether each round is a recall while talk comes in. `false`: only what an application asks for is. */
  readonly recallsEachRound?: boolean
  /** Characters that facts and summaries may have together; `Infinity` for no forgetting. 6,000 when absent. */
  readonly characters?: number
  /** Which branches there are (table 2): both when absent. */
  readonly branches?: 'both' | 'plot' | 'persona'
}

/**
 * MOOM: a plot branch that packs rounds into a hierarchy of summaries, a persona branch that merges a snapshot every
 * ten rounds by key, and competition–inhibition forgetting, for which each round recalls what it bears on. Rounds are searched as
 * they were said until a summary tells of them. Without a model summaries quote and rules read the persona.
 *
 * @example
 * await openMemory({ path: 'memory.db', model, preset: moom({ model: true, k: 5, alpha: 0.3, beta: 0.7 }) })
 */
export function moom(options: MoomOptions = BY_RULES): Preset {
  const { model = false, k = K, inhibits = true, recallsEachRound = true, ...others } = options
  const { characters = CAPACITY_CHARACTERS, branches = 'both', ...constants } = others
  const table = moomKeyTable()
  const persona = {
    kind: 'facts',
    every: { rounds: SNAPSHOT_ROUNDS },
    extractor: model ? snapshotReader({ table }) : personaRules(),
  } as const
  const raw = { kind: 'utterances', order: 'answer', isMeasured: false } as const
  const plot = { kind: 'story', thresholds: MOOM_THRESHOLDS, takesIn: true } as const
  return {
    ...plainPreset(),
    name: 'moom',
    summary:
      'Plot and persona branches, merged by key class, with competition–inhibition forgetting under a capacity and a recall each round.',
    source:
      'MOOM: Maintenance, Organization and Optimization of Memory in Ultra-Long Role-Playing Dialogues, 2025.',
    branches: { both: [raw, persona, plot], plot: [raw, plot], persona: [persona] }[branches],
    keyTable: table,
    summariser: model ? storySummariser() : extractiveSummariser(),
    policy: competitionInhibition(constants),
    retention: characters === Number.POSITIVE_INFINITY ? { when: 'never' } : { when: 'capacity', characters },
    exempt: ['utterance'],
    ranking: { kind: 'hybrid', recipe: HYBRID, rerank: RERANKED },
    recalls: ['fact', 'story', 'utterance'],
    use: { limit: K, first: k, second: inhibits ? k : 0, reinforce: true, eachRound: recallsEachRound },
  }
}
