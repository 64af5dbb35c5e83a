import { cosine } from '../vectors/cosine.ts'
import type { Cue } from './count-cues.ts'
import type { KnownStatements } from './known-statements.ts'
import type { Clause, KnownWords, TurnWords } from './read-said.ts'
import type { WeighedWords } from './weigh-words.ts'

/** The rarity of an unknown word, which scales the worth of all words. */
const RAREST = 16

/** How well a word distinguishes the known statements, 0 to 1: rare in the language, and in few statements. */
export type Worth = (term: string, rarity: number) => number

/** @param known the known statements, valid until one is added or removed */
export function worthAmong(known: Pick<KnownStatements, 'size' | 'timesOf'>): Worth {
  const maxShare = Math.log(1 + known.size) || 1
  // Caches the worth, since a word is asked for once per statement.
  const shares = new Map<string, number>()
  return (term, rarity) => {
    const share = shares.get(term) ?? Math.log(1 + known.size / Math.max(1, known.timesOf(term))) / maxShare
    shares.set(term, share)
    return (rarity / RAREST) * share
  }
}

export interface Overlap {
  /** The share of the statement's words in the turn, weighted by worth. */
  readonly coverage: number
  /** The highest worth of a shared word. */
  readonly strongest: number
  readonly shared: number
}

const NO_OVERLAP: Overlap = { coverage: 0, strongest: 0, shared: 0 }

export function overlapOf(terms: WeighedWords, known: KnownWords, worth: Worth): Overlap {
  if (terms.size === 0) return NO_OVERLAP
  let total = 0
  let covered = 0
  let strongest = 0
  let shared = 0
  for (const [term, { rarity }] of known.terms) {
    const termWorth = worth(term, rarity)
    total += termWorth
    if (!terms.has(term)) continue
    covered += termWorth
    shared += 1
    strongest = Math.max(strongest, termWorth)
  }
  return { coverage: total === 0 ? 0 : covered / total, strongest, shared: Math.log1p(shared) }
}

export function termsIn(clauses: readonly Clause[]): WeighedWords {
  return new Map(clauses.flatMap(({ terms }) => [...terms]))
}

export const TARGET_FEATURES = [
  'coverage',
  'strongest',
  'shared words',
  'likeness',
  'coverage beside a cue',
  'strongest beside a cue',
  'coverage away from cues',
] as const

/** Cues that stand next to the object of a change. */
const CHANGE_CUES: readonly Cue[] = ['denies', 'ends', 'changes', 'before', 'forgets']

/** The words in clauses with a cue of change, and the words in other clauses. */
export interface Sides {
  readonly beside: WeighedWords
  /** The words away from a cue. This is the turn itself when no word is removed, so that overlaps are computed once. */
  readonly away: WeighedWords
}

export function sidesOf({ clauses, terms }: Pick<TurnWords, 'clauses' | 'terms'>): Sides {
  const hasChange = ({ cues }: Clause): boolean => CHANGE_CUES.some((cue) => cues[cue] > 0)
  const away = termsIn(clauses.filter((clause) => !hasChange(clause)))
  const isAll = away.size === terms.size && [...away.keys()].every((term) => terms.has(term))
  return { beside: termsIn(clauses.filter(hasChange)), away: isAll ? terms : away }
}

/** Returns the features of a possible target, in the order of `TARGET_FEATURES`. */
export function targetFeatures(said: TurnWords, sides: Sides, known: KnownWords, worth: Worth): number[] {
  const whole = overlapOf(said.terms, known, worth)
  const beside = overlapOf(sides.beside, known, worth)
  const away = sides.away === said.terms ? whole : overlapOf(sides.away, known, worth)
  return [
    whole.coverage,
    whole.strongest,
    whole.shared,
    cosine(said.vector, known.vector),
    beside.coverage,
    beside.strongest,
    away.coverage,
  ]
}
