import { cosine } from '../vectors/cosine.ts'
import { embeddedWordVectors } from '../vectors/word-vectors.ts'
import { TextTrait } from '../terms/text-traits.ts'
import { CUES } from './count-cues.ts'
import type { KnownWords, TurnWords } from './read-said.ts'
import { overlapOf, termsIn, type Worth } from './target-features.ts'
import type { WeighedWords } from './weigh-words.ts'

/** The most likely target statement. */
export interface TargetStatement {
  readonly known: KnownWords
  /** The lead of its score over the next one. */
  readonly margin: number
}

/** Features of the kind of an update. */
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

/** Minimum rarity of a possible value: a name, an object, a place. */
const RARE = 7
/** Minimum worth of a shared word that identifies a target. */
const TELLING = 0.35
/** Maximum margin that counts. */
const MARGIN = 4

/** Returns the features of an update's kind, in the order of `KIND_FEATURES`. */
export function kindFeatures(said: TurnWords, meant: TargetStatement | null, worth: Worth): number[] {
  const known = meant?.known ?? NOTHING
  const { coverage, strongest } = overlapOf(said.terms, known, worth)
  const names = ({ terms }: Pick<TurnWords, 'terms'>): boolean =>
    [...terms].some(([term, { rarity }]) => known.terms.has(term) && worth(term, rarity) >= strongest / 2)
  const beside = said.clauses.filter((clause) => meant !== null && names(clause))
  const turned = termsIn(said.clauses.filter(({ cues }) => cues.now > 0 || cues.changes > 0))
  const counts = CUES.map((cue) => said.cues[cue])
  const fresh = Math.log1p(newness(said.terms, known))
  const akin = kinOf(said.terms, said, known, worth)
  const has = (trait: number): number => ((said.traits & trait) === 0 ? 0 : 1)
  return [
    ...counts,
    ...CUES.map(
      (cue) =>
        strongest *
        Math.min(
          3,
          beside.reduce((sum, { cues }) => sum + cues[cue], 0),
        ),
    ),
    ...counts.map((count) => strongest * count),
    coverage,
    strongest,
    strongest ** 2,
    meant === null ? 0 : cosine(said.vector, known.vector),
    Math.min(MARGIN, meant?.margin ?? 0),
    fresh,
    strongest * fresh,
    Math.log1p(newness(turned, known)),
    akin,
    strongest * akin,
    kinOf(turned, said, known, worth),
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
    meant === null ? 1 : 0,
  ]
}

const NOTHING: KnownWords = { terms: new Map(), vector: new Float32Array() }

/** Returns the share of new words that the statement lacks. */
function newness(terms: WeighedWords, known: KnownWords): number {
  let sum = 0
  for (const [term, { rarity }] of terms) if (!known.terms.has(term)) sum += Math.max(0, rarity - RARE) / 9
  return sum
}

const vectors = embeddedWordVectors()

/** Returns the similarity of a new word to one in the statement, such as a town that replaces a town. Numbers are similar. */
function kinOf(terms: WeighedWords, said: TurnWords, known: KnownWords, worth: Worth): number {
  const isOld = (term: string): boolean => known.terms.has(term)
  const old = [...said.terms].filter(([term, { rarity }]) => isOld(term) && worth(term, rarity) > TELLING)
  const fresh = [...terms].filter(([term, { rarity }]) => !isOld(term) && rarity > RARE)
  if (old.length === 0 || fresh.length === 0) return 0
  const was = old.map(([, { word }]) => readValue(word))
  const is = fresh.map(([, { word }]) => readValue(word))
  return Math.max(0, ...was.flatMap((before) => is.map((after) => likenessOf(before, after))))
}

function isNumber(word: string): boolean {
  return /^\p{N}/u.test(word)
}

interface Value {
  readonly isNumber: boolean
  readonly vector: Float32Array
}

function readValue(word: string): Value {
  return { isNumber: isNumber(word), vector: vectors.embedNow(word) }
}

function likenessOf(first: Value, second: Value): number {
  return first.isNumber && second.isNumber ? 1 : cosine(first.vector, second.vector)
}
