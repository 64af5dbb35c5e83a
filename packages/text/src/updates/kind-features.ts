// Computes the numbers from which the update classifier predicts whether a turn adds, changes or ends a statement.
import { cosine } from '../vectors/cosine.ts'
import { embeddedWordVectors } from '../vectors/word-vectors.ts'
import { TextTrait } from '../terms/text-traits.ts'
import { CUES, type Cue } from './count-cues.ts'
import type { KnownWords, TurnWords } from './read-said.ts'
import { overlapOf, termsIn, type Worth } from './target-features.ts'
import type { WeighedWords } from './weigh-words.ts'

/** The most likely target statement. */
export interface TargetStatement {
  readonly known: KnownWords
  /** The lead of its score over the next one. */
  readonly margin: number
}

/**
 * Names of the features from which the kind of an update is predicted. `kindFeatures` returns the values in the same order. The statement
 * that is “meant” is the target, and “means something, and …” multiplies a feature by the strongest overlap with the target.
 *
 * - `says`: how often the turn has a cue, such as “not” or “now”
 * - `coverage`, `strongest`: see `Overlap` in target-features.ts
 * - `margin`: lead of the target over the next statement
 * - `new words`: rare words of the turn that the target lacks
 * - `kin`: likeness of a new word to a shared one, such as a town that replaces a town
 */
export const KIND_FEATURES = [
  ...CUES.map((cue) => `says: ${cue}`),
  ...CUES.map((cue) => `beside what is meant: ${cue}`),
  ...CUES.map((cue) => `means something, and says: ${cue}`),
  'coverage',
  'strongest',
  'strongest, squared',
  'likeness',
  'margin',
  'new words',
  'means something, and new words',
  'new words beside now or a change',
  'kin',
  'means something, and kin',
  'kin beside now or a change',
  'asks',
  'only asks',
  'means something, and asks',
  'first person',
  'means something, in the first person',
  'holds a number',
  'places in time',
  'holds a name',
  'length',
  'clauses',
  'nothing is meant',
] as const

/** Minimum rarity of a word that may be a value: a name, an object, a place. */
const MIN_VALUE_RARITY = 7
/** Rarities of words that may be values lie between the minimum and 16, the rarity of an unknown word. */
const VALUE_RARITY_RANGE = 9
/** Minimum worth of a shared word that identifies a target. */
const MIN_IDENTIFYING_WORTH = 0.35
/** Larger margins count as this. */
const MAX_MARGIN = 4

/** Returns the features of an update's kind, in the order of `KIND_FEATURES`. */
export function kindFeatures(said: TurnWords, target: TargetStatement | null, worth: Worth): number[] {
  const known = target?.known ?? NO_STATEMENT
  const { coverage, strongest } = overlapOf(said.terms, known, worth)
  const namesTarget = ({ terms }: Pick<TurnWords, 'terms'>): boolean =>
    [...terms].some(([term, { rarity }]) => known.terms.has(term) && worth(term, rarity) >= strongest / 2)
  const targetClauses = said.clauses.filter((clause) => target !== null && namesTarget(clause))
  const countAtTarget = (cue: Cue): number => targetClauses.reduce((sum, { cues }) => sum + cues[cue], 0)
  const changedTerms = termsIn(said.clauses.filter(({ cues }) => cues.now > 0 || cues.changes > 0))
  const counts = CUES.map((cue) => said.cues[cue])
  const newWords = Math.log1p(weightOfNewWords(said.terms, known))
  const kin = likenessOfNewWords(said.terms, said, known, worth)
  const has = (trait: number): number => ((said.traits & trait) === 0 ? 0 : 1)
  return [
    ...counts,
    ...CUES.map((cue) => strongest * Math.min(3, countAtTarget(cue))),
    ...counts.map((count) => strongest * count),
    coverage,
    strongest,
    strongest ** 2,
    target === null ? 0 : cosine(said.vector, known.vector),
    Math.min(MAX_MARGIN, target?.margin ?? 0),
    newWords,
    strongest * newWords,
    Math.log1p(weightOfNewWords(changedTerms, known)),
    kin,
    strongest * kin,
    likenessOfNewWords(changedTerms, said, known, worth),
    has(TextTrait.asks),
    has(TextTrait.onlyAsks),
    strongest * has(TextTrait.asks),
    has(TextTrait.firstPerson),
    strongest * has(TextTrait.firstPerson),
    has(TextTrait.holdsNumber),
    has(TextTrait.placesInTime),
    has(TextTrait.holdsName),
    Math.log1p(said.length),
    Math.log1p(said.clauses.length),
    target === null ? 1 : 0,
  ]
}

const NO_STATEMENT: KnownWords = { terms: new Map(), vector: new Float32Array() }

/** Returns the number of rare words that the statement lacks, weighted by rarity: 1 for the rarest. */
function weightOfNewWords(terms: WeighedWords, known: KnownWords): number {
  let sum = 0
  for (const [term, { rarity }] of terms)
    if (!known.terms.has(term)) sum += Math.max(0, rarity - MIN_VALUE_RARITY) / VALUE_RARITY_RANGE
  return sum
}

const vectors = embeddedWordVectors()

/** Returns the likeness of the new word that is most like a shared one, such as a town that replaces a town. Numbers are alike. */
function likenessOfNewWords(terms: WeighedWords, said: TurnWords, known: KnownWords, worth: Worth): number {
  const isKnown = (term: string): boolean => known.terms.has(term)
  const sharedWords = [...said.terms].filter(
    ([term, { rarity }]) => isKnown(term) && worth(term, rarity) > MIN_IDENTIFYING_WORTH,
  )
  const newWords = [...terms].filter(([term, { rarity }]) => !isKnown(term) && rarity > MIN_VALUE_RARITY)
  if (sharedWords.length === 0 || newWords.length === 0) return 0
  const oldValues = sharedWords.map(([, { word }]) => readValue(word))
  const newValues = newWords.map(([, { word }]) => readValue(word))
  return Math.max(0, ...oldValues.flatMap((before) => newValues.map((after) => likenessOf(before, after))))
}

interface Value {
  readonly isNumber: boolean
  readonly vector: Float32Array
}

function readValue(word: string): Value {
  return { isNumber: /^\p{N}/u.test(word), vector: vectors.embedNow(word) }
}

function likenessOf(first: Value, second: Value): number {
  return first.isNumber && second.isNumber ? 1 : cosine(first.vector, second.vector)
}
