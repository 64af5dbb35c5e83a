// Tests of English words by kind for patterns, such as PLACE and FOOD, by their vectors.
import { normaliseText } from '../../terms/normalise-text.ts'
import { cosine } from '../../vectors/cosine.ts'
import { meanVector } from '../../vectors/mean-vector.ts'
import { embeddedWordTable, embeddedWordVectors } from '../../vectors/word-vectors.ts'
import type { WordKinds } from '../matching/grammar.ts'
import type { Word } from '../matching/word.ts'

/** Sample words of each kind. A word is of the kind if its vector is near their mean. */
const SAMPLES = {
  place: 'london berlin paris madrid chicago manchester tokyo brazil france texas india stockholm',
  workplace:
    'hospital bakery bank school factory library restaurant warehouse museum hotel university clinic',
  field: `finance marketing logistics retail healthcare insurance construction advertising engineering journalism
    hospitality banking`,
  name: 'john mary anna michael sarah david emily james laura peter karen maria',
  substance: 'peanuts penicillin pollen cats shellfish dust latex eggs wheat milk aspirin bees',
  food: 'pork beef fish cheese bread milk eggs meat gluten nuts coffee alcohol',
  pet: 'dog cat puppy kitten hamster rabbit parrot beagle spaniel poodle tortoise horse',
  job: 'nurse teacher plumber engineer carpenter accountant waitress lawyer driver electrician chef journalist',
  played: 'piano guitar violin drums flute tennis football chess basketball cello hockey badminton',
} as const
type Kind = keyof typeof SAMPLES

const means = new Map<Kind, Float32Array>()

/** Returns the mean vector of a kind's sample words, which is computed once. */
function meanOf(kind: Kind): Float32Array {
  const cached = means.get(kind)
  if (cached !== undefined) return cached
  const model = embeddedWordVectors()
  const mean = meanVector(SAMPLES[kind].split(/\s+/).map((word) => model.embedNow(word)))
  means.set(kind, mean)
  return mean
}

/** Returns the cosine of a word and the mean of a kind, or `null` for an unknown word: one without a vector in the packaged table. */
function likenessTo(kind: Kind, word: Word): number | null {
  const plain = normaliseText(word.text)
  return embeddedWordTable().rows.has(plain)
    ? cosine(meanOf(kind), embeddedWordVectors().embedNow(plain))
    : null
}

const isCapital = ({ text }: Word): boolean => /^\p{Lu}/u.test(text)

/** Reports whether an unknown word may be a name: it has a capital, or is no plural and no compound such as “sweatpants”. */
function mayBeName(word: Word): boolean {
  if (isCapital(word)) return true
  const plain = normaliseText(word.text)
  return /^\p{L}{3,}$/u.test(plain) && !plain.endsWith('s') && !isCompound(plain)
}

/** Reports whether a word is two common words of at least three letters in one: “sweat” and “pants”. */
function isCompound(plain: string): boolean {
  for (let split = 3; split <= plain.length - 3; split++)
    if (isCommon(plain.slice(0, split)) && isCommon(plain.slice(split))) return true
  return false
}

/** Common words are in the first rows of the table, which is sorted by frequency. */
const COMMON_ROWS = 20_000
function isCommon(plain: string): boolean {
  return (embeddedWordTable().rows.get(plain) ?? COMMON_ROWS) < COMMON_ROWS
}

/**
 * Makes a test for a kind whose words may be names. An unknown word passes if it may be a name. A capital is evidence of a name, so its
 * minimum cosine is lower.
 */
function nearOrName(kind: Kind, minCosine: number, minCosineOfCapital = minCosine): (word: Word) => boolean {
  return (word) => {
    const likeness = likenessTo(kind, word)
    if (likeness === null) return mayBeName(word)
    return likeness >= (isCapital(word) ? minCosineOfCapital : minCosine)
  }
}

/** Makes a test for a kind that has no names, so that no unknown word passes. */
function near(kind: Kind, minCosine: number): (word: Word) => boolean {
  return (word) => (likenessTo(kind, word) ?? -1) >= minCosine
}

/** Reports whether a word is a common first name, and no place. */
export function isGivenName(text: string): boolean {
  const word = { text, lower: text, lemma: text, pos: '', before: '' }
  const likeness = likenessTo('name', word) ?? 0
  return likeness >= 0.25 && likeness > (likenessTo('place', word) ?? 0)
}

/**
 * Tests of a pattern for the kind of a word: `PLACE`, `JOB` and so on. A minimum cosine lies between the words of the kind and the other
 * words that stand in the same position of a sentence.
 */
export const WORD_KINDS: WordKinds = {
  PLACE: nearOrName('place', 0.2, 0),
  /** A place to which a user moves. A firm, a team or a device also has a capital, so its minimum is higher. */
  TOWN: nearOrName('place', 0.2, 0.1),
  /** The state or country after a town: “Lyon, France”, “Washington, D.C.”. */
  REGION: (word) =>
    /^(?:\p{Lu}\.?){2,3}$/u.test(word.text) || (isCapital(word) && (likenessTo('place', word) ?? 0) >= 0.15),
  WORKPLACE: near('workplace', 0.27),
  /** A field of work, or its abbreviation: “IT”, “HR”. */
  FIELD: (word) => /^\p{Lu}{2,3}$/u.test(word.text) || near('field', 0.23)(word),
  CALLED: nearOrName('name', 0.1, 0.02),
  SUBSTANCE: nearOrName('substance', 0.2),
  FOOD: near('food', 0.33),
  JOB: near('job', 0.42),
  PET: near('pet', 0.42),
  PLAYED: near('played', 0.35),
}
