// The preset of the paper MOOM.
import {
  BY_RULES,
  MOOM_THRESHOLDS,
  extractiveSummariser,
  personaRules,
  plainPreset,
  storySummariser,
  type PresetForm,
  HYBRID,
  type Preset,
} from 'keepsake/preset'
import { extendKeyTable, keyTable, type KeyTable, type PersonaKeyInput } from '@keepsake/text'
import { snapshotReader } from './snapshot-reader.ts'
import { competitionInhibition, type CompetitionInhibitionOptions } from './competition-inhibition.ts'

/** Number of rounds between two persona snapshots (MOOM, appendix C). */
const SNAPSHOT_ROUNDS = 10
/** k, the number of recalled memories, that was best in the paper (appendix D). */
const DEFAULT_K = 9
/** Capacity at which forgetting beats unlimited memory (MOOM, appendix E: “6k”). Characters of facts and summaries count, those of rounds do not. */
const CAPACITY_CHARACTERS = 6_000
/** Number of candidates that a reranking model reads, as a multiple of k. */
const RERANKED_PER_K = 4

/** Options that the paper varies (figures 3 and 6, table 2) or leaves open. The defaults are as published. */
export interface MoomOptions extends Partial<Pick<PresetForm, 'model'>>, CompetitionInhibitionOptions {
  /** Memories that a recall returns and reinforces. The next k are suppressed. A whole number from 1, default 9. */
  readonly k?: number
  /** Whether the next k are suppressed. `false` is the paper's "without inhibition" (figure 3). */
  readonly inhibits?: boolean
  /** Whether each incoming round is a recall. `false` counts only an application's recalls. */
  readonly recallsEachRound?: boolean
  /** Maximum characters of facts and summaries together. `Infinity` disables forgetting. Default 6,000. */
  readonly characters?: number
  /** The active branches (table 2). Default both. */
  readonly branches?: 'both' | 'plot' | 'persona'
}

/**
 * Returns MOOM: a plot branch, a persona branch, and the forgetting policy competition–inhibition. The plot branch summarises
 * rounds in a hierarchy. Rounds are searched until a summary covers them. The persona branch merges a snapshot of keys and
 * values every ten rounds. Each round recalls memories, by which the policy judges them. Without a model, summaries quote
 * sentences, and rules extract the persona.
 *
 * @example
 * await openMemory({ path: 'memory.db', model, preset: moom({ model: true, k: 5, alpha: 0.3, beta: 0.7 }) })
 */
export function moom(options: MoomOptions = BY_RULES): Preset {
  const { model = false, k = DEFAULT_K, inhibits = true, recallsEachRound = true, ...rest } = options
  const { characters = CAPACITY_CHARACTERS, branches = 'both', ...constants } = rest
  const table = moomKeyTable()
  const persona = {
    kind: 'facts',
    every: { rounds: SNAPSHOT_ROUNDS },
    extractor: model ? snapshotReader({ table }) : personaRules(),
  } as const
  const rawRounds = { kind: 'utterances', order: 'answer', isMeasured: false } as const
  const plot = { kind: 'story', thresholds: MOOM_THRESHOLDS, takesIn: true } as const
  return {
    ...plainPreset(),
    name: 'moom',
    summary:
      'Plot and persona branches, merged by key class, with competition–inhibition forgetting under a capacity and a recall each round.',
    source:
      'MOOM: Maintenance, Organization and Optimization of Memory in Ultra-Long Role-Playing Dialogues, 2025.',
    branches: { both: [rawRounds, persona, plot], plot: [rawRounds, plot], persona: [persona] }[branches],
    keyTable: table,
    summariser: model ? storySummariser() : extractiveSummariser(),
    policy: competitionInhibition(constants),
    retention: characters === Number.POSITIVE_INFINITY ? { when: 'never' } : { when: 'capacity', characters },
    exempt: ['utterance'],
    ranking: { kind: 'hybrid', recipe: HYBRID, rerank: RERANKED_PER_K * k },
    recalls: ['fact', 'story', 'utterance'],
    use: { limit: k, first: k, second: inhibits ? k : 0, reinforce: true, eachRound: recallsEachRound },
  }
}

/** English and Chinese names of the keys for dislikes, by the kind of thing that also has a key `favourite-…`. */
const DISLIKE_NAMES = {
  animal: ['disliked animals', '讨厌的动物'],
  food: ['disliked food', '讨厌的食物'],
  drink: ['disliked drinks', '讨厌的饮料'],
  music: ['disliked music', '讨厌的音乐'],
  film: ['disliked films', '讨厌的电影'],
  sport: ['disliked sports', '讨厌的运动'],
  season: ['disliked seasons', '讨厌的季节'],
  place: ['disliked places', '讨厌的地方'],
  subject: ['disliked subjects', '讨厌的科目'],
  colour: ['disliked colours', '讨厌的颜色'],
} as const

const dislikeKeys = Object.entries(DISLIKE_NAMES).map(([kind, [en, zh]]): PersonaKeyInput => ({
  id: `disliked-${kind}`,
  names: { en: [en], zh: [zh] },
  merge: 'append',
  contradicts: [`favourite-${kind}`, 'likes'],
}))

let table: KeyTable | undefined

/** Returns the built-in table with MOOM's contradictory keys (section 3.2): a dislike contradicts a favourite of its kind. Both are lists. */
function moomKeyTable(): KeyTable {
  if (table !== undefined) return table
  const favourites = [...keyTable().values()].filter(
    ({ id }) => id.startsWith('favourite-') || id === 'favourites',
  )
  const contradictedFavourites = favourites.map((key): PersonaKeyInput => ({
    id: key.id,
    names: { en: [...key.names.en], zh: [...key.names.zh] },
    type: key.type,
    merge: key.merge === 'replace' ? 'append' : key.merge,
    opposite: key.opposite,
    partOf: 'other',
    repeats: key.repeats,
    contradicts: ['dislikes'],
  }))
  table = extendKeyTable(keyTable(), [...contradictedFavourites, ...dislikeKeys])
  return table
}
