import { findTerms } from '../../terms/analyse-text.ts'

/** What is over. Each kind ends facts of its own keys. */
export type EndingKind =
  | 'death'
  | 'parting'
  | 'job'
  | 'closing'
  | 'moving'
  | 'coming-home'
  | 'medicine'
  | 'new-medicine'
  | 'pregnancy'
  | 'diet'
  | 'recovery'
  | 'graduation'
  | 'falling-out'
  | 'plan'
  | 'giving-away'
  | 'stopping'

/** Something that a sentence says is over. */
export interface Ending {
  readonly kind: EndingKind
  /** The words that may name what is over, without what belongs to other people. */
  readonly words: string
  /** Whether the speaker is the subject: “I stopped …” and not “Mia stopped …”. */
  readonly isOwn: boolean
  /** Whether the words can mean nothing else. Without it, a fact is questioned and never ended. */
  readonly isSure: boolean
  /** Whether the words have many meanings, and count only where they name what is known: “done with Ty”. */
  readonly mustName?: boolean
}

/** Words for one relative, pet or plan. The first is the term of all. */
const SYNONYMS: readonly (readonly [RegExp, string])[] = (
  [
    ['mother', 'mum|mom|mam|mama|mummy|mommy'],
    ['father', 'dad|daddy|papa|pops'],
    ['grandmother', 'gran|granny|grandma|nan|nana|nanna|nanny'],
    ['grandfather', 'grandad|granddad|grandpa|gramps'],
    ['aunt', 'auntie|aunty'],
    ['fiance', 'fiancé|fiancée|fiancee'],
    ['flatmate', 'roommate|housemate'],
    ['boss', 'manager|supervisor'],
    ['dog', 'puppy|pup'],
    ['cat', 'kitten|kitty'],
    ['marry', 'wedding|married|marrying|marriage'],
    ['trip', 'holiday|vacation|travel|travelling|traveling|flight|flying|fly|journey'],
    ['vegetarian', 'veggie'],
    ['smoke', 'smoking|smoker|cigarettes?|fags'],
  ] as const
).map(([term, words]) => [new RegExp(String.raw`(?<!\p{L})(?:${words})(?!\p{L})`, 'giu'), term])

/** Returns the terms by which a text names people, pets and things: “Mum” and “mother” are one. */
export function findNamingTerms(text: string): string[] {
  const plain = SYNONYMS.reduce((said, [words, term]) => said.replace(words, term), text)
  return [...new Set(findTerms(plain))].filter((term) => term !== 'user')
}
