import { splitSentences } from '@keepsake/text'

const SUBJECT_EN =
  /^(?:(?:and|but|so|well|oh|yes|no|yeah|then|now|anyway|apparently|because|also|still)[\s,]+)*(?:he|she)(?:'s|'d|'ll)?\b/i
/** Continues a topic that is no person: "It was due in June." */
const THING_EN =
  /^(?:(?:and|but|so|well|oh|yes|no|yeah|then|now|anyway|apparently|because|also|still)[\s,]+)*(?:it|that|this|they)(?:'s|'d|'ll)?\s+(?:is|was|were|will|would|has|had|must|sounds?|seems?|cost|came|happened|hurts?)\b/i
const THING_ZH =
  /^(?:那|所以|不过|但是?|而且|然后|后来|因为|其实|嗯|哦|啊)*[\s,，]*(?:它|这[件个]?事?|那[件个]?事?)(?:是|真|太|让|很|就|还|也|对)/
/** Points back from anywhere in a question. */
const POINTING = /\b(?:he|she|him|her|his|they|them|it|that)\b|[他她它]|这[件个]?事|那[件个]?事/i
/** Maximum number of words of a bare answer. */
const LONGEST_ANSWER = 14
/** Continues in an answer: "Big step for him." */
const SHORT_EN = /\b(?:for|of|with|to|about) (?:him|her)[\s.!?,]*$/i
const SUBJECT_ZH =
  /^(?:那|所以|不过|但是?|而且|然后|后来|因为|其实|听说|现在|还有|嗯|哦|啊)*[\s,，]*[他她](?!们|俩)/
export const PERSON_ZH =
  /男朋友|女朋友|男友|女友|朋友|同事|同学|室友|邻居|闺蜜|老板|上司|导师|老师|老公|老婆|丈夫|妻子|妈|爸|哥|弟|姐|妹|叔|姨|舅|姑|爷|奶|外公|外婆|儿子|女儿|医生/
const CALENDAR =
  /^(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|January|February|March|April|May|June|July|August|September|October|November|December|I|I'\w+|OK)$/
/** Words for other people that a pronoun may refer to. */
export const PERSON_EN =
  /\b(?:friend|mother|father|mum|mom|dad|brother|sister|son|daughter|wife|husband|boyfriend|girlfriend|partner|boss|manager|colleague|coworker|neighbou?r|roommate|flatmate|cousin|uncle|aunt|grandmother|grandfather|grandma|grandpa|teacher|doctor)\b/i

/** Returns capitalised words inside sentences: names of any kind. */
function otherNames(text: string, known: readonly string[]): string[] {
  return splitSentences(text).flatMap(({ text: sentence }) =>
    [...sentence.matchAll(/(?<=[\p{L}\p{N},;:'’"]\s+)\p{Lu}[\p{L}'’-]*/gu)]
      .map(([word]) => word.replace(/['’]s$/, ''))
      .filter((word) => !CALENDAR.test(word) && !known.includes(word)),
  )
}

/** Finds names in a sentence that are neither places nor known. */
export function namesInside(sentence: string, known: readonly string[]): string[] {
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
 * Finds sentences that continue about a person of the turn before, with a pronoun as subject and no other name: "Tom told me about it." "He
 * starts on Monday." Empty when the pronoun is ambiguous.
 *
 * @param known names that are no other person: the person meant, and the speakers
 * @param isPerson whether a person is meant; otherwise “it” continues
 */
export function continuingSentences(text: string, known: readonly string[], isPerson = true): string[] {
  if (otherNames(text, known).length > 0 || namesPerson(text)) return []
  return splitSentences(text)
    .map((sentence) => sentence.text)
    .filter((sentence) =>
      isPerson
        ? SUBJECT_EN.test(sentence) || SHORT_EN.test(sentence) || SUBJECT_ZH.test(sentence)
        : THING_EN.test(sentence) || THING_ZH.test(sentence),
    )
}

export function askingSentences(text: string, known: readonly string[]): string[] {
  if (otherNames(text, known).length > 0 || namesPerson(text)) return []
  const asking = splitSentences(text)
    .map((sentence) => sentence.text)
    .filter((sentence) => /[?？]\s*$/.test(sentence))
  return asking.some((sentence) => POINTING.test(sentence)) ? asking : []
}

/** Returns a short answer to such a question: "By June." */
export function answeringSentences(text: string, known: readonly string[]): string[] {
  if (otherNames(text, known).length > 0 || namesPerson(text)) return []
  const words = text.match(/\p{Script=Han}|[\p{L}\p{N}'’]+/gu) ?? []
  return words.length > LONGEST_ANSWER ? [] : splitSentences(text).map((sentence) => sentence.text)
}

/** Checks whether a text gives a name to another person than the one described: “my brother Tom” beside “my ex Tom”. */
export function namesAnother(text: string, name: string, about: string): boolean {
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

function namesPerson(text: string): boolean {
  return PERSON_EN.test(text) || PERSON_ZH.test(text)
}

/**
 * Checks that the turn mentions no other person, so that a later pronoun is unambiguous.
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

/** Removes the person's own relation: in "my colleague Tom" and "Tom is my colleague" it is no second person. */
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

function isPlace(text: string, name: string): boolean {
  return new RegExp(
    String.raw`\b(?:in|from|at|near|into)\s+(?:the\s+)?${name.replace(/[^\p{L}]/gu, '.')}`,
    'u',
  ).test(text)
}

/** Checks whether "he" or "she" can refer to the topic: a name, or a relation such as "my ex". */
export function mayBePerson(about: string, isName: boolean): boolean {
  return isName || namesPerson(about) || /\b(?:ex|crush|date|fianc[eé]e?|family)\b|前任/i.test(about)
}
