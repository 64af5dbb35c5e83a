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

function meanOf(kind: Kind): Float32Array {
  const known = means.get(kind)
  if (known !== undefined) return known
  const model = embeddedWordVectors()
  const mean = meanVector(SAMPLES[kind].split(/\s+/).map((word) => model.embedNow(word)))
  means.set(kind, mean)
  return mean
}

/** Returns how near a word is to a kind, from -1 to 1, or `null` for a word that the packaged table does not have. */
function likenessTo(kind: Kind, word: Word): number | null {
  const plain = normaliseText(word.text)
  return embeddedWordTable().rows.has(plain)
    ? cosine(meanOf(kind), embeddedWordVectors().embedNow(plain))
    : null
}

const isCapital = ({ text }: Word): boolean => /^\p{Lu}/u.test(text)

/** Reports whether an unknown word may be a name: no plural and no compound of known words, as “sweatpants” is. */
function isRare(word: Word): boolean {
  if (isCapital(word)) return true
  const plain = normaliseText(word.text)
  if (!/^\p{L}{3,}$/u.test(plain) || plain.endsWith('s')) return false
  return !Array.from(plain, (_, index) => index).some(
    (i) => i >= 3 && plain.length - i >= 3 && isCommon(plain.slice(0, i)) && isCommon(plain.slice(i)),
  )
}

/** Rows of the table run from the most frequent word down. Rarer ones are no part of a compound. */
const COMMON_ROWS = 20_000
function isCommon(plain: string): boolean {
  return (embeddedWordTable().rows.get(plain) ?? COMMON_ROWS) < COMMON_ROWS
}

/** Makes a test for words of a kind. A capital is evidence of a name, so it needs less. */
function near(kind: Kind, least: number, leastCapital = least): (word: Word) => boolean {
  return (word) => {
    const likeness = likenessTo(kind, word)
    return likeness === null ? isRare(word) : likeness >= (isCapital(word) ? leastCapital : least)
  }
}

/** Kinds of words that lie far from proper names, so that an unknown word is none of them. */
function within(kind: Kind, least: number): (word: Word) => boolean {
  return (word) => (likenessTo(kind, word) ?? -1) >= least
}

/** Reports whether a word is a common first name, and no place. */
export function isGivenName(text: string): boolean {
  const word = { text, lower: text, lemma: text, pos: '', before: '' }
  const likeness = likenessTo('name', word) ?? 0
  return likeness >= 0.25 && likeness > (likenessTo('place', word) ?? 0)
}

/** Tests of a pattern for the kind of a word: `PLACE`, `JOB` and so on. */
export const WORD_KINDS: WordKinds = {
  PLACE: near('place', 0.2, 0),
  /** Where one moves: a firm, a team or a device also has a capital. */
  TOWN: near('place', 0.2, 0.1),
  /** The state or country after a town: “Lyon, France”, “Washington, D.C.”. */
  REGION: (word) =>
    /^(?:\p{Lu}\.?){2,3}$/u.test(word.text) || (isCapital(word) && (likenessTo('place', word) ?? 0) >= 0.15),
  WORKPLACE: within('workplace', 0.27),
  FIELD: (word) => /^\p{Lu}{2,3}$/u.test(word.text) || within('field', 0.23)(word),
  CALLED: near('name', 0.1, 0.02),
  SUBSTANCE: near('substance', 0.2),
  FOOD: within('food', 0.33),
  JOB: within('job', 0.42),
  PET: within('pet', 0.42),
  PLAYED: within('played', 0.35),
}
