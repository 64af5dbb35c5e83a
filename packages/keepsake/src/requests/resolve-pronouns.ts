// Finds the person that a pronoun in a request means, and sentences that continue a topic by a pronoun.
import { escapePattern, splitSentences } from '@keepsake/text'
import { relationsTo } from '../entities/same-name.ts'
import { FAMILY_NAME } from './chinese-names.ts'
import { PERSON_EN, PERSON_ZH } from './topic-relations.ts'

const LINKING_WORDS_EN = 'and|but|so|well|oh|yes|no|yeah|then|now|anyway|apparently|because|also|still'
const LINKING_WORDS_ZH = '那|所以|不过|但是?|而且|然后|后来|因为|其实|嗯|哦|啊'
const VERBS_OF_THINGS = 'is|was|were|will|would|has|had|must|sounds?|seems?|cost|came|happened|hurts?'
/** Matches a sentence whose subject is “he” or “she”: “And he starts on Monday.” */
const PERSON_SUBJECT_EN = new RegExp(
  String.raw`^(?:(?:${LINKING_WORDS_EN})[\s,]+)*(?:he|she)(?:'s|'d|'ll)?\b`,
  'i',
)
const PERSON_SUBJECT_ZH = new RegExp(
  String.raw`^(?:${LINKING_WORDS_ZH}|听说|现在|还有)*[\s,，]*[他她](?!们|俩)`,
)
/** Matches a sentence that continues a topic other than a person: “It was due in June.” */
const THING_SUBJECT_EN = new RegExp(
  String.raw`^(?:(?:${LINKING_WORDS_EN})[\s,]+)*(?:it|that|this|they)(?:'s|'d|'ll)?\s+(?:${VERBS_OF_THINGS})\b`,
  'i',
)
const THING_SUBJECT_ZH = new RegExp(
  String.raw`^(?:${LINKING_WORDS_ZH})*[\s,，]*(?:它|这[件个]?事?|那[件个]?事?)(?:是|真|太|让|很|就|还|也|对)`,
)
const POSSESSIVE_SUBJECT = new RegExp(
  String.raw`^(?:(?:${LINKING_WORDS_EN})[\s,]+)*(?:his|her|its)\s+\p{Ll}`,
  'iu',
)

/** Checks whether a text begins with a pronoun, so that it continues what was said before it. */
export function beginsWithPronoun(text: string): boolean {
  const patterns = [
    PERSON_SUBJECT_EN,
    POSSESSIVE_SUBJECT,
    THING_SUBJECT_EN,
    PERSON_SUBJECT_ZH,
    THING_SUBJECT_ZH,
    /^它(?!们)/,
  ]
  return patterns.some((pattern) => pattern.test(text))
}

/** Matches a pronoun anywhere in a question. */
const PRONOUN_IN_QUESTION = /\b(?:he|she|him|her|his|they|them|it|that)\b|[他她它]|这[件个]?事|那[件个]?事/i
/** Maximum words of a short answer. A longer one probably has a topic of its own. Chosen, not measured. */
const MAX_ANSWER_WORDS = 14
/** Matches a short reaction that ends with a pronoun: “Big step for him.” */
const REACTION_EN = /\b(?:for|of|with|to|about) (?:him|her)[\s.!?,]*$/i
const MONTHS = 'January|February|March|April|May|June|July|August|September|October|November|December'
/** Matches capitalised words that are no names. */
const NO_NAME = new RegExp(
  String.raw`^(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|${MONTHS}|I|I'\w+|OK)$`,
)

/** Returns the capitalised words inside sentences that are no known names. */
function otherNames(text: string, known: readonly string[]): string[] {
  return splitSentences(text).flatMap(({ text: sentence }) => {
    const capitalised = sentence.match(/(?<=[\p{L}\p{N},;:'’"]\s+)\p{Lu}[\p{L}'’-]*/gu) ?? []
    return capitalised
      .map((word) => word.replace(/['’]s$/, ''))
      .filter((word) => !NO_NAME.test(word) && !known.includes(word))
  })
}

const VERBS_AFTER_NAME =
  /is|was|has|had|and|says|said|told|asked|wants|keeps|called|came|left|did|does|never|still|just/
/** Matches a capitalised word at the start of a sentence that may be a name, because a verb follows: “Tom says …”. */
const NAME_AT_START = new RegExp(
  String.raw`^\p{Lu}[\p{Ll}'-]+(?=\s+(?:${VERBS_AFTER_NAME.source})\b|\?)`,
  'u',
)
/** Common words at the start of a sentence, which are no names. */
const COMMON_FIRST_WORDS: ReadonlySet<string> = new Set(
  `I He She It We They You This That There Who What Which Where Everyone Everybody Someone Somebody Nobody Everything
   Nothing Mine Work Life Today Yesterday Tomorrow Tonight Dinner Lunch And But So My The One Both All Some`.split(
    /\s+/,
  ),
)

/** Returns the names in a sentence that are neither places nor known. */
export function findNewNames(sentence: string, known: readonly string[]): string[] {
  const first = NAME_AT_START.exec(sentence)?.[0]
  const isName = first !== undefined && !COMMON_FIRST_WORDS.has(first) && !known.includes(first)
  const names = isName ? [first, ...otherNames(sentence, known)] : otherNames(sentence, known)
  return names.filter((name) => !isPlace(sentence, name))
}

/**
 * Returns the sentences of a text that continue the topic of the turn before by a pronoun: “He starts on Monday.” Returns
 * none if the text names another person, because the pronoun is ambiguous then.
 *
 * @param known names that are no other person: the person of the topic, and the speakers
 * @param isPerson whether the topic is a person; other topics are continued by “it”
 */
export function continuingSentences(text: string, known: readonly string[], isPerson = true): string[] {
  if (mentionsOthers(text, known)) return []
  const patterns = isPerson
    ? [PERSON_SUBJECT_EN, REACTION_EN, PERSON_SUBJECT_ZH]
    : [THING_SUBJECT_EN, THING_SUBJECT_ZH]
  return sentencesOf(text).filter((sentence) => patterns.some((pattern) => pattern.test(sentence)))
}

/** Returns the questions of a text if one of them contains a pronoun, and the text names no other person. */
export function questionSentences(text: string, known: readonly string[]): string[] {
  if (mentionsOthers(text, known)) return []
  const questions = sentencesOf(text).filter((sentence) => /[?？]\s*$/.test(sentence))
  return questions.some((sentence) => PRONOUN_IN_QUESTION.test(sentence)) ? questions : []
}

/** Returns the sentences of a short answer to a question with a pronoun: “By June.” */
export function answerSentences(text: string, known: readonly string[]): string[] {
  if (mentionsOthers(text, known)) return []
  const words = text.match(/\p{Script=Han}|[\p{L}\p{N}'’]+/gu) ?? []
  return words.length > MAX_ANSWER_WORDS ? [] : sentencesOf(text)
}

/** Checks whether a text mentions other people than the known ones. */
export function mentionsOthers(text: string, known: readonly string[]): boolean {
  return otherNames(text, known).length > 0 || namesPerson(text)
}

function sentencesOf(text: string): string[] {
  return splitSentences(text).map((sentence) => sentence.text)
}

/** Checks whether a name belongs to another person or animal than the topic: Tom in “my cat Tom” if the topic is “my ex”. */
export function namesOtherPerson(text: string, name: string, about: string): boolean {
  const anyCase = new RegExp(escapePattern(name), 'giu')
  if (!anyCase.test(text)) return false
  const topic = escapePattern(about.toLowerCase().replace(/^(?:my|our|我的?) */, ''))
  const isOfTopic = new RegExp(
    /^\p{Script=Han}/u.test(topic) ? topic : String.raw`(?<!\p{L})${topic}(?!\p{L})`,
    'iu',
  )
  const isGiven = new RegExp(
    String.raw`(?:\b(?:called|named|name is)(?: \p{Ll}+)? |叫)${anyCase.source}`,
    'iu',
  )
  return sentencesOf(text).some((sentence) => {
    const written = sentence.replace(anyCase, name)
    const isOther =
      namesPerson(written) ||
      isGiven.test(written.replaceAll(/['’]s\b/gu, ' is')) ||
      relationsTo(name, written).length > 0
    return written.includes(name) && isOther && !isOfTopic.test(sentence)
  })
}

/** Checks whether a text contains a word for a person: “brother”, “colleague”. */
function namesPerson(text: string): boolean {
  return PERSON_EN.test(text) || PERSON_ZH.test(text)
}

/**
 * Checks that a text mentions no person but the one of the topic, so that a later pronoun means this person.
 *
 * @param mentions checks whether a sentence mentions the topic
 * @param known names of the topic and of the speakers
 */
export function isOnlyAbout(
  text: string,
  mentions: (sentence: string) => boolean,
  known: readonly string[],
): boolean {
  // If a name is also a place in this text (“in Paris”), it may not mean the person.
  if (known.some((name) => name !== '' && isPlace(text, name))) return false
  const sentences = sentencesOf(text)
  const otherSentences = sentences.filter((sentence) => !mentions(sentence))
  return (
    otherSentences.every((sentence) => !namesPerson(sentence)) &&
    sentences.every((sentence) => !namesPerson(withoutOwnRelation(sentence, known))) &&
    otherNames(text, known).filter((name) => !isPlace(text, name)).length === 0
  )
}

/** Removes the relations of known people: “colleague” in “my colleague Tom” is no second person. */
function withoutOwnRelation(sentence: string, known: readonly string[]): string {
  let rest = sentence
  for (const name of known) {
    if (name.length <= 1) continue
    const anyName = name.replace(/[^\p{L}]/gu, '.')
    const descriptions = [
      new RegExp(`${PERSON_EN.source},?\\s+(?:(?:is\\s+)?(?:called|named)\\s+)?${anyName}`, 'giu'),
      new RegExp(`${anyName}(?:,|\\s+is|\\s+was|'s)\\s+(?:\\p{L}+\\s+){0,3}?${PERSON_EN.source}`, 'giu'),
      new RegExp(`(?:${PERSON_ZH.source})+(?:的名字)?(?:叫|是)?${anyName}`, 'gu'),
      new RegExp(`${anyName}是我?的?(?:${PERSON_ZH.source})+`, 'gu'),
    ]
    for (const description of descriptions) rest = rest.replace(description, anyName)
  }
  return rest
}

/** Checks whether a name follows a preposition of place: “in Paris”. */
function isPlace(text: string, name: string): boolean {
  return new RegExp(
    String.raw`\b(?:in|from|at|near|into)\s+(?:the\s+)?${name.replace(/[^\p{L}]/gu, '.')}`,
    'u',
  ).test(text)
}

/** Checks whether “he” or “she” can mean the topic: a name, or a relation such as “my ex”. */
export function canBePerson(about: string, isName: boolean): boolean {
  return isName || namesPerson(about) || /\b(?:ex|crush|date|fianc[eé]e?|family)\b|前任/i.test(about)
}

const PRONOUN = /^(?:he|she|they|him|her|them|他们?|她们?|那个人|这个人)$/i
const PEOPLE_EN = `(?:${PERSON_EN.source.replaceAll('\\b', '')}|ex)`
const NAME_AFTER_RELATION = String.raw`(?:,?\s+(?:called\s+|named\s+)?(?<name>(?!I\b)\p{Lu}[\p{L}'-]*))?`
/** Matches a person by the relation to the user, with or without a name: “my ex Marek”, “my boss”. */
const RELATION_EN = new RegExp(
  String.raw`\bmy\s+(?:\p{Ll}+[\s-]+){0,2}?${PEOPLE_EN}(?![\p{L}-])${NAME_AFTER_RELATION}`,
  'gu',
)
const RELATION_ZH = new RegExp(
  `我?(?:家|的)?(?:前任|前?(?:${PERSON_ZH.source}))+(?:叫|是)?(?<name>${FAMILY_NAME}\\p{Script=Han})?`,
  'gu',
)
/** Matches a Chinese name after a preposition (跟王敏), or at the start of a clause before a verb (王敏说). */
const NAME_ZH = new RegExp(
  [
    `(?<=[跟和与同给被对找])(?<with>${FAMILY_NAME}\\p{Script=Han})`,
    `(?<=^|[，。！？、\\s])(?<name>${FAMILY_NAME}\\p{Script=Han}{1,2}?)(?=[跟和与说问让叫把给在去来又也还借欠打找的，。！？]|$)`,
  ].join('|'),
  'gu',
)

/** Checks whether a request names its person only by a pronoun. */
export function isPronoun(about: string): boolean {
  return PRONOUN.test(about.trim())
}

/**
 * Returns the person that “him” or 他 means: the last person who is named or described before it; `null` if there is none.
 *
 * @param before texts before the pronoun, the latest first
 * @param speakers names of the speakers, whom a pronoun does not mean
 */
export function findReferent(before: readonly string[], speakers: readonly string[]): string | null {
  for (const text of before) {
    for (const { text: sentence } of splitSentences(text).toReversed()) {
      const person = lastPersonIn(sentence, speakers)
      if (person !== null) return person
    }
  }
  return null
}

/** Returns the person who is named or described last in a sentence; `null` if there is none. */
function lastPersonIn(sentence: string, speakers: readonly string[]): string | null {
  const people: { readonly at: number; readonly person: string }[] = []
  for (const match of [...sentence.matchAll(RELATION_EN), ...sentence.matchAll(RELATION_ZH)])
    people.push({ at: match.index, person: match.groups?.['name'] ?? match[0].replace(/^my\s+/i, 'my ') })
  for (const person of findNewNames(sentence, speakers))
    people.push({ at: sentence.lastIndexOf(person), person })
  for (const { index, groups } of sentence.matchAll(NAME_ZH))
    people.push({ at: index, person: groups?.['name'] ?? groups?.['with'] ?? '' })
  const named = people.filter(({ person }) => person !== '')
  return named.sort((a, b) => b.at - a.at)[0]?.person ?? null
}
