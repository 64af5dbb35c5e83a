// Finds whom a pronoun in a request means, and sentences that continue a topic by a pronoun.
import { splitSentences } from '@keepsake/text'
import { PERSON_EN, PERSON_ZH, FAMILY_NAME } from './read-topic.ts'

/** Matches a sentence whose subject is a person, by a pronoun: "And he starts on Monday." */
const SUBJECT_EN =
  /^(?:(?:and|but|so|well|oh|yes|no|yeah|then|now|anyway|apparently|because|also|still)[\s,]+)*(?:he|she)(?:'s|'d|'ll)?\b/i
/** Matches a sentence that continues a topic other than a person: "It was due in June." */
const THING_EN =
  /^(?:(?:and|but|so|well|oh|yes|no|yeah|then|now|anyway|apparently|because|also|still)[\s,]+)*(?:it|that|this|they)(?:'s|'d|'ll)?\s+(?:is|was|were|will|would|has|had|must|sounds?|seems?|cost|came|happened|hurts?)\b/i
const THING_ZH =
  /^(?:那|所以|不过|但是?|而且|然后|后来|因为|其实|嗯|哦|啊)*[\s,，]*(?:它|这[件个]?事?|那[件个]?事?)(?:是|真|太|让|很|就|还|也|对)/
/** Matches a pronoun anywhere in a question. */
const PRONOUN_IN_QUESTION = /\b(?:he|she|him|her|his|they|them|it|that)\b|[他她它]|这[件个]?事|那[件个]?事/i
/** Maximum number of words of an answer that names no topic. */
const MAX_ANSWER_WORDS = 14
/** Matches a short reaction that ends with a pronoun: "Big step for him." */
const REACTION_EN = /\b(?:for|of|with|to|about) (?:him|her)[\s.!?,]*$/i
const SUBJECT_ZH =
  /^(?:那|所以|不过|但是?|而且|然后|后来|因为|其实|听说|现在|还有|嗯|哦|啊)*[\s,，]*[他她](?!们|俩)/
const CALENDAR =
  /^(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|January|February|March|April|May|June|July|August|September|October|November|December|I|I'\w+|OK)$/

/** Returns the capitalised words inside sentences that are names and not known. */
function otherNames(text: string, known: readonly string[]): string[] {
  return splitSentences(text).flatMap(({ text: sentence }) =>
    [...sentence.matchAll(/(?<=[\p{L}\p{N},;:'’"]\s+)\p{Lu}[\p{L}'’-]*/gu)]
      .map(([word]) => word.replace(/['’]s$/, ''))
      .filter((word) => !CALENDAR.test(word) && !known.includes(word)),
  )
}

/** Returns the names in a sentence that are neither places nor known. */
export function findNewNames(sentence: string, known: readonly string[]): string[] {
  const [first = ''] =
    /^\p{Lu}[\p{Ll}'-]+(?=\s+(?:is|was|has|had|and|says|said|told|asked|wants|keeps|called|came|left|did|does|never|still|just)\b|\?)/u.exec(
      sentence,
    ) ?? []
  const isName = first !== '' && !COMMON_FIRST.test(first) && !known.includes(first)
  return [...(isName ? [first] : []), ...otherNames(sentence, known)].filter(
    (name) => !isPlace(sentence, name),
  )
}
const COMMON_FIRST =
  /^(?:I|He|She|It|We|They|You|This|That|There|Who|What|Which|Where|Everyone|Everybody|Someone|Somebody|Nobody|Everything|Nothing|Mine|Work|Life|Today|Yesterday|Tomorrow|Tonight|Dinner|Lunch|And|But|So|My|The|One|Both|All|Some)$/

/**
 * Returns the sentences of a text that continue the topic of the turn before by a pronoun: "He starts on Monday." Returns none
 * when the text names anyone else, because the pronoun is ambiguous then.
 *
 * @param known names that are no other person: the person of the topic, and the speakers
 * @param isPerson whether the topic is a person; otherwise “it” continues it
 */
export function continuingSentences(text: string, known: readonly string[], isPerson = true): string[] {
  if (otherNames(text, known).length > 0 || namesPerson(text)) return []
  return splitSentences(text)
    .map((sentence) => sentence.text)
    .filter((sentence) =>
      isPerson
        ? SUBJECT_EN.test(sentence) || REACTION_EN.test(sentence) || SUBJECT_ZH.test(sentence)
        : THING_EN.test(sentence) || THING_ZH.test(sentence),
    )
}

/** Returns the questions of a text if one of them contains a pronoun and the text names no one else. */
export function questionSentences(text: string, known: readonly string[]): string[] {
  if (otherNames(text, known).length > 0 || namesPerson(text)) return []
  const questions = splitSentences(text)
    .map((sentence) => sentence.text)
    .filter((sentence) => /[?？]\s*$/.test(sentence))
  return questions.some((sentence) => PRONOUN_IN_QUESTION.test(sentence)) ? questions : []
}

/** Returns the sentences of a short answer to such a question: "By June." */
export function answerSentences(text: string, known: readonly string[]): string[] {
  if (otherNames(text, known).length > 0 || namesPerson(text)) return []
  const words = text.match(/\p{Script=Han}|[\p{L}\p{N}'’]+/gu) ?? []
  return words.length > MAX_ANSWER_WORDS ? [] : splitSentences(text).map((sentence) => sentence.text)
}

/** Checks whether a text gives the name to another person than the topic: “my brother Tom” when the topic is “my ex”. */
export function namesOtherPerson(text: string, name: string, about: string): boolean {
  if (!text.includes(name)) return false
  return splitSentences(text).some(({ text: sentence }) => {
    const isNamed = sentence.includes(name)
    return (
      isNamed &&
      namesPerson(sentence) &&
      !sentence.toLowerCase().includes(about.toLowerCase().replace(/^(?:my|our|我的?) */, ''))
    )
  })
}

/** Checks whether a text contains a word for a person: "brother", "colleague". */
function namesPerson(text: string): boolean {
  return PERSON_EN.test(text) || PERSON_ZH.test(text)
}

/**
 * Checks that a text mentions no person but the one of the topic, so that a later pronoun means them.
 *
 * @param mentions whether a sentence mentions the person
 */
export function isOnlyAbout(
  text: string,
  mentions: (sentence: string) => boolean,
  known: readonly string[],
): boolean {
  const sentences = splitSentences(text).map((sentence) => sentence.text)
  if (known.some((name) => name !== '' && isPlace(text, name))) return false
  const otherSentences = sentences.filter((sentence) => !mentions(sentence))
  return (
    otherSentences.every((sentence) => !namesPerson(sentence)) &&
    sentences.every((sentence) => !namesPerson(withoutOwnRelation(sentence, known))) &&
    otherNames(text, known).filter((name) => !isPlace(text, name)).length === 0
  )
}

/** Removes words for the known person: "colleague" in "my colleague Tom" is no second person. */
function withoutOwnRelation(sentence: string, known: readonly string[]): string {
  return known
    .filter((name) => name.length > 1)
    .map((name) => name.replace(/[^\p{L}]/gu, '.'))
    .reduce(
      (rest, name) =>
        rest
          .replace(
            new RegExp(`${PERSON_EN.source},?\\s+(?:(?:is\\s+)?(?:called|named)\\s+)?${name}`, 'giu'),
            name,
          )
          .replace(
            new RegExp(`${name}(?:,|\\s+is|\\s+was|'s)\\s+(?:\\p{L}+\\s+){0,3}?${PERSON_EN.source}`, 'giu'),
            name,
          )
          .replace(new RegExp(`(?:${PERSON_ZH.source})+(?:的名字)?(?:叫|是)?${name}`, 'gu'), name)
          .replace(new RegExp(`${name}是我?的?(?:${PERSON_ZH.source})+`, 'gu'), name),
      sentence,
    )
}

/** Checks whether the name follows a preposition of place: "in Paris". */
function isPlace(text: string, name: string): boolean {
  return new RegExp(
    String.raw`\b(?:in|from|at|near|into)\s+(?:the\s+)?${name.replace(/[^\p{L}]/gu, '.')}`,
    'u',
  ).test(text)
}

/** Checks whether "he" or "she" can refer to the topic: a name, or a relation such as "my ex". */
export function canBePerson(about: string, isName: boolean): boolean {
  return isName || namesPerson(about) || /\b(?:ex|crush|date|fianc[eé]e?|family)\b|前任/i.test(about)
}

const PRONOUN = /^(?:he|she|they|him|her|them|他们?|她们?|那个人|这个人)$/i
/** Matches a relation of the user, with or without a name: “my ex Marek”, “my boss”. */
const RELATION_EN = new RegExp(
  String.raw`\bmy\s+(?:\p{Ll}+[\s-]+){0,2}?(?:${PERSON_EN.source.replaceAll('\\b', '')}|ex)(?![\p{L}-])(?:,?\s+(?:called\s+|named\s+)?(?<name>(?!I\b)\p{Lu}[\p{L}'-]*))?`,
  'gu',
)
const RELATION_ZH = new RegExp(
  `我?(?:家|的)?(?:前任|前?(?:${PERSON_ZH.source}))+(?:叫|是)?(?<name>${FAMILY_NAME}\\p{Script=Han})?`,
  'gu',
)
const NAME_ZH = new RegExp(
  `(?:(?<=[跟和与同给被对找])(?<with>${FAMILY_NAME}\\p{Script=Han})|(?<=^|[，。！？、\\s])(?<name>${FAMILY_NAME}\\p{Script=Han}{1,2}?)(?=[跟和与说问让叫把给在去来又也还借欠打找的，。！？]|$))`,
  'gu',
)

/** Checks whether a request names its person only by a pronoun. */
export function isPronoun(about: string): boolean {
  return PRONOUN.test(about.trim())
}

/**
 * Returns the person that “him” or 他 means: the last one named or described before it; `null` when there is none.
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

function lastPersonIn(sentence: string, speakers: readonly string[]): string | null {
  const relations = [...sentence.matchAll(RELATION_EN), ...sentence.matchAll(RELATION_ZH)].map((match) => ({
    at: match.index,
    person: match.groups?.['name'] ?? match[0].replace(/^my\s+/i, 'my '),
  }))
  const names = [
    ...findNewNames(sentence, speakers).map((person) => ({ at: sentence.lastIndexOf(person), person })),
    ...[...sentence.matchAll(NAME_ZH)].map((match) => ({
      at: match.index,
      person: match.groups?.['name'] ?? match.groups?.['with'] ?? '',
    })),
  ].filter(({ person }) => person !== '')
  return [...relations, ...names].sort((a, b) => b.at - a.at)[0]?.person ?? null
}
