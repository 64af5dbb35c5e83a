import { findTerms } from '../terms/analyse-text.ts'
import { normaliseText } from '../terms/normalise-text.ts'

/** How the value of a new statement relates to a known one. */
export type ValueRelation = 'same' | 'says-more' | 'says-less' | 'different'

/** Compares content words: “the Beatles” says the `same` as “Beatles”, “Lyon” `says-less` than “Lyon, France”. */
export function compareValues(fresh: string, known: string): ValueRelation {
  return compareRead(readValue(fresh), readValue(known))
}

/** Compares values that `readValue` has analysed. */
export function compareRead(first: ReadValue, second: ReadValue): ValueRelation {
  if (first.plain === second.plain) return 'same'
  // Values of function words only ("her", "mine") have no terms to compare.
  if (first.terms.size === 0 || second.terms.size === 0) return 'different'
  const coversKnown = [...second.terms].every((term) => first.terms.has(term))
  const coversFresh = [...first.terms].every((term) => second.terms.has(term))
  if (coversKnown && coversFresh) return 'same'
  if (coversKnown) return 'says-more'
  return coversFresh ? 'says-less' : 'different'
}

/** Matches the beginning of a value that has one end at a time: “sister lives in”, “dad is 71”, “boss Karen”, 妹妹住在, 爸六十. */
const SINGLE_PART =
  /^(?:boss|manager|supervisor)(?= \p{Lu}\S*(?: \p{Lu}\S*)*$)|^.+? (?:lives? (?:in|near)|works? (?:at|for|as)|is (?=\d|(?:twen|thir|for|fif|six|seven|eigh|nine)ty))|^\p{Script=Han}{1,3}?(?:住在?|(?=[\d一二三四五六七八九十]{1,4}[岁了]*$))/u
/** Captures the name in a statement: “The user's sister Mia lives in …”. */
const NAMED = / (\p{Lu}[\p{L}'-]+) (?:lives?|works?|is|moved|has|got) /u

/** Reports whether two facts cannot both be true: both state the same single part (“sister lives in”) and do not name two persons. */
export function isUpdate(first: StatedValue, second: StatedValue): boolean {
  const partOf = ({ value }: StatedValue): string | undefined =>
    SINGLE_PART.exec(value?.replace(/^new /, '') ?? '')?.[0]
  const nameOf = ({ text }: StatedValue): string | undefined => NAMED.exec(text)?.[1]
  const part = partOf(first)
  if (part === undefined || part !== partOf(second)) return false
  const [name, otherName] = [nameOf(first), nameOf(second)]
  return name === undefined || otherName === undefined || name === otherName
}
type StatedValue = Readonly<{ value: string | null; text: string }>

export interface ReadValue {
  /** The value in lower case, without punctuation. */
  readonly plain: string
  /** Stems of its content words. */
  readonly terms: ReadonlySet<string>
}

export function readValue(value: string): ReadValue {
  return { plain: plain(value), terms: new Set(findTerms(value)) }
}

function plain(value: string): string {
  return normaliseText(value)
    .replace(/[\p{P}\p{S}\s]+/gu, ' ')
    .trim()
}
