// Reads the topic of a request to forget, and checks whether texts mention it.
import { conceptOf, findTerms, readStatedKind, splitSentences } from '@keepsake/text'
import { flatMapInPieces } from '../yield-to-event-loop.ts'
import { CHINESE_MATTER, HAN_WORD } from './chinese-names.ts'
import { CAPITALISED_NAME } from './english-names.ts'
import { hasSameMeaning, type Similarity } from './topic-meaning.ts'
import {
  hasEnglishConcept,
  isPersonName,
  listNames,
  nameIn,
  nameTest,
  type NameTest,
  withoutSpeaker,
  withUsualCase,
} from './topic-names.ts'
import {
  BARE_RELATION,
  coverageOfPerson,
  PERSON_EN,
  PERSON_ZH,
  relationIn,
  withoutRelations,
} from './topic-relations.ts'

/** Further input for reading a topic, besides its words. */
export interface TopicContext {
  /** Similarity of meaning; without it, only the words are compared. */
  readonly similarity?: Similarity
  /** The user's texts, in which longer names are found. */
  readonly texts?: Iterable<string>
}

/** The topic of a request to forget, as a test for texts. */
export interface Topic {
  /** Returns the share of the topic's content words that a text contains, 0 to 1; for a name, 0 or 1. */
  coverageIn(text: string): number
  /** Number of content words. 1 for a name or for several topics. */
  readonly size: number
  /** Whether the topic consists of names only. */
  readonly isName: boolean
  /** Whether the topic contains a name. */
  readonly hasName: boolean
  /** For several names: a wider topic that matches any of them. It is used if no text matches this one. */
  readonly anyName?: Topic
}

/** The topic of a request without a topic, such as “forget that”. */
export const NO_TOPIC: Topic = { coverageIn: () => 0, size: 0, isName: false, hasName: false }

/**
 * Minimum share of a topic's content words in a text that mentions it. Of a short topic, a text must contain all words,
 * because deleting the wrong memory is worse than asking again.
 */
const MIN_COVERAGE = 0.75
const MAX_SHORT_TOPIC = 3

/** Checks whether a share of the topic's words is enough for a mention. */
export function isCovered(topic: Topic, coverage: number): boolean {
  return topic.size > 0 && coverage >= (topic.size <= MAX_SHORT_TOPIC ? 1 : MIN_COVERAGE)
}

/** Checks whether a text mentions the topic. */
export function mentionsTopic(topic: Topic, text: string): boolean {
  return isCovered(topic, topic.coverageIn(text))
}

/** Returns the topic if any item mentions it, else its wider topic if it has one. */
export async function chooseTopic<Item>(
  topic: Topic,
  items: readonly Item[],
  textsOf: (item: Item) => readonly string[],
): Promise<Topic> {
  if (topic.anyName === undefined) return topic
  const isMentioned = (text: string): boolean => mentionsTopic(topic, text)
  const mentions = (item: Item): readonly Item[] => (textsOf(item).some(isMentioned) ? [item] : [])
  return (await flatMapInPieces(items, mentions)).length > 0 ? topic : topic.anyName
}

/** Reads several descriptions of one topic. A text that mentions any of them mentions the topic. */
export function readTopics(descriptions: readonly string[], context?: TopicContext): Topic {
  const [first = NO_TOPIC, ...more] = descriptions.map((about) => readTopic(about, context))
  if (more.length === 0) return first
  const topics = [first, ...more]
  return {
    coverageIn: (text) => (topics.some((topic) => mentionsTopic(topic, text)) ? 1 : 0),
    size: 1,
    isName: topics.some(({ isName }) => isName),
    hasName: topics.some(({ hasName }) => hasName),
  }
}

/** Terms of nouns without a meaning of their own: “the business with Tom”, “my health problems”. */
const VAGUE = new Set(
  findTerms(
    'thing things stuff business matter story part bit problem problems issue issues situation details info information data facts episode whole conversation talk subject topic',
  ),
)

/**
 * Reads the topic of a request. Names match as written ("Rose" is no "rose"). Other words match by stem. Of several names, a
 * text must mention all. For "the money I owe Tom", one sentence must name Tom and have a similar meaning.
 */
export function readTopic(words: string, { similarity, texts }: TopicContext = {}): Topic {
  const written = withUsualCase(words, texts)
  // “sister Mia” means “my sister Mia”.
  const given = BARE_RELATION.test(written) ? `my ${written}` : written
  const about = withoutSpeaker(given)
  const matter = readMatter(about, texts)
  const names = about
    .split(/\s*(?:,|、|\band\b|\bor\b|&)\s*|(?<=\p{Script=Han})(?:和|跟|与)(?=\p{Script=Han}{2,4}$)/u)
    .filter((part) => part !== '')
    .map(nameIn)
  const kind = readStatedKind(given)
  const isOwn = OWN_STATE.test(given) && ![PERSON_EN, PERSON_ZH, PET].some((words) => words.test(given))
  const singleNoun = DEFINITE_WORD.exec(given)?.[1]
  const mayBeNames = kind === null && matter?.isChinese !== true
  if (mayBeNames && names.length > 0 && names.every((name) => name !== null)) {
    const isOwnMatter = isOwn && HAN_WORD.test(about) && !isPersonName(about, given)
    return topicOfNames(names, given, isOwnMatter, texts)
  }
  const topicTerms = termsOf(about)
  const nouns = nounsOf(given)
  // Some languages add endings to names: “Berna” is Bern.
  const isForeign = topicTerms.size > 1 && findTerms(about).some(hasEnglishConcept)
  const selects = SELECTS.exec(given)?.[1]
  const coverageIn = (fullText: string): number => {
    if (selects !== undefined && !new RegExp(String.raw`\b${selects}\b`, 'iu').test(fullText)) return 0
    const text = isOwn ? withoutOthers(fullText) : fullText
    if (kind !== null && splitSentences(text).some((sentence) => kind.states.test(sentence.text))) return 1
    if (singleNoun !== undefined && topicTerms.size === 1) return containsNoun(text, singleNoun) ? 1 : 0
    const share = nouns === null ? shareOf(topicTerms, text, isForeign) : shareOfNouns(nouns, text)
    const isRelated = share < 1 && similarity !== undefined && matter?.isDescribed === true
    return isRelated && mentionsMatter(matter, text, similarity) ? 1 : share
  }
  return { coverageIn, size: topicTerms.size, isName: false, hasName: matter !== null }
}

/**
 * Makes the topic of names. A text must mention all of them; the wider topic is mentioned by any of them.
 *
 * @param isOwnMatter whether the name may also be a matter of the speaker, so that sentences about others do not count
 */
function topicOfNames(
  names: readonly string[],
  given: string,
  isOwnMatter: boolean,
  texts?: Iterable<string>,
): Topic {
  const tests = names.map((name): NameTest => {
    const test = nameTest(name, texts)
    return isOwnMatter ? (text) => test(withoutOthers(text)) : test
  })
  const isName = names.every((name) => !HAN_WORD.test(name) || isPersonName(name, given))
  const topic = { size: 1, isName, hasName: isName }
  const anyName = { ...topic, coverageIn: (text: string) => (tests.some((test) => test(text)) ? 1 : 0) }
  const [name = '', ...others] = names
  if (others.length > 0)
    return { ...topic, coverageIn: (text) => (tests.every((test) => test(text)) ? 1 : 0), anyName }
  const relation = relationIn(given)
  if (relation === null) return anyName
  return { ...topic, coverageIn: coverageOfPerson(name, relation, nameTest(name, texts), texts) }
}

/** Matches a topic about the speaker: “I'm ill”, “that I smoke”, “my depression”. */
const OWN_STATE = /^(?:that )?I\b|^my\b|^我/i
/** Matches a word for a pet. */
const PET = /\b(?:dog|cat|puppy|kitten|rabbit|horse|parrot)\b|[狗猫]/i
/** Matches a text about another person or a pet: “my mother is …”. */
const OF_ANOTHER = new RegExp(
  String.raw`^\W*(?:my|our|the user['’]s) (?:\p{L}+ )?(?:${PERSON_EN.source}|${PET.source})(?!.*\b(?:I|me|my)\b)|^(?:我|用户)(?:家的?|的)?(?:${PERSON_ZH.source}|${PET.source})(?!.*我)`,
  'iu',
)

/** Matches words by which a text returns to the speaker. */
const OF_SPEAKER = /\b(?:I|me|my|the user)\b|我|用户/i

/** Matches the label of a turn in the text of an exchange. */
const ROLE_LABEL = /^(?:user|agent): /

/** Returns a text without its sentences about other persons. The sentences after them count too, until one names the speaker. */
function withoutOthers(text: string): string {
  let isOther = false
  const rest = splitSentences(text).filter((sentence) => {
    isOther =
      OF_ANOTHER.test(sentence.text.replace(ROLE_LABEL, '')) || (isOther && !OF_SPEAKER.test(sentence.text))
    return !isOther
  })
  return rest.map((sentence) => sentence.text).join(' ')
}

/** Matches a topic that means one of several: “my other cat”. Its text must contain the same word. */
const SELECTS = /^(?:my|our|the|that)\s+(other|another|first|last|latter)\s+\p{Ll}/iu

/** Matches a topic of one noun: “the bill”. The article shows that it is no name in small letters. */
const DEFINITE_WORD = /^(?:the|my|our|that|this|these|those)\s+(\p{Ll}+)$/u
const BEFORE_NOUN = String.raw`\b(?:the|my|our|your|his|her|their|these|those|some|of|\d+)\s+`

/** Checks whether a text contains a noun: “bill” or “the bills”, but neither “billed” nor the name “Bill” within a sentence. */
function containsNoun(text: string, noun: string): boolean {
  const plural = String.raw`(?<=${BEFORE_NOUN})${noun}e?s`
  const pattern = new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${noun}|${plural})(?![\p{L}\p{N}])`, 'giu')
  const found = splitSentences(text).flatMap((sentence) =>
    [...sentence.text.matchAll(pattern)].map(({ 0: form, index }) => ({
      isCapital: /^\p{Lu}\p{Ll}/u.test(form),
      isFirst: !/\p{L}/u.test(sentence.text.slice(0, index)),
    })),
  )
  const hasName = found.some(({ isCapital, isFirst }) => isCapital && !isFirst)
  return found.some(({ isCapital, isFirst }) => !isCapital || (isFirst && !hasName))
}

/** Matches a topic of several nouns: “my running club”, “driving test”. */
const NOUNS = /^(?:(?:the|my|our|that|this|these|those)\s+|(?=\p{Ll}+ing\s))(\p{Ll}+(?:[\s-]\p{Ll}+)+)$/u

/** Returns the words of a topic of several nouns, without vague ones; `null` for another topic. */
function nounsOf(given: string): readonly string[] | null {
  const words = NOUNS.exec(given)?.[1]?.split(/[\s-]/) ?? []
  if (words.some((word) => findTerms(word).length === 0 || findTerms(word).some(hasEnglishConcept)))
    return null
  const specific = words.filter((word) => !findTerms(word).every((term) => VAGUE.has(term)))
  return specific.length < 2 ? null : specific
}

/** Returns a noun without the ending of its plural or possessive. */
function singular(noun: string): string {
  const plain = noun.toLowerCase().replace(/['’]s?$/, '')
  return plain.replace(/ies$/, 'y').replace(/(?<=ch|sh|x|z|ss)es$|(?<=[^s])s$/, '')
}

/** Returns the share of nouns that a text contains. Participles also match as verbs: “used” in “my used car” and “I use”. */
function shareOfNouns(nouns: readonly string[], text: string): number {
  const found = new Set((text.match(/[\p{L}\p{N}'’]+/gu) ?? []).map(singular))
  const isFound = (noun: string): boolean =>
    found.has(singular(noun)) || (/(?:ed|en)$/.test(noun) && shareOf(new Set(findTerms(noun)), text) === 1)
  return nouns.filter(isFound).length / nouns.length
}

/** Returns the content terms of a topic, without vague nouns if others remain. */
function termsOf(about: string): ReadonlySet<string> {
  const terms = findTerms(about).map(conceptOf)
  const specific = terms.filter((term) => !VAGUE.has(term))
  return new Set(specific.length === 0 ? terms : specific)
}

/** A topic of people and a matter between them and the user: “the money I owe Tom”. */
interface Matter {
  /** A test for each name. */
  readonly names: readonly NameTest[]
  /** The words without the names. */
  readonly rest: string
  readonly isChinese: boolean
  /** Whether several words describe it. “Tom's wedding” names a thing, which texts must name too. */
  readonly isDescribed: boolean
}

/** Matches a thing of a person: “Tom's new boat”. */
const POSSESSIVE = /\p{Lu}[\p{L}-]*['’]s?\s+\p{L}/u

/** Reads the names and the other words of a topic; `null` without names or without other words. */
function readMatter(about: string, texts?: Iterable<string>): Matter | null {
  const [first] = listNames(about)
  const chinese = CHINESE_MATTER.exec(about)?.groups?.['rest']
  if (first !== undefined && chinese !== undefined)
    return { names: [nameTest(first, texts)], rest: chinese, isChinese: true, isDescribed: true }
  const rest = about.replace(CAPITALISED_NAME, ' ')
  const terms = termsOf(rest)
  if (first === undefined || [...terms].every((term) => VAGUE.has(term))) return null
  const isDescribed = terms.size > 1 && !POSSESSIVE.test(about)
  return { names: listNames(about).map((name) => nameTest(name, texts)), rest, isChinese: false, isDescribed }
}

/** Checks whether a sentence names all the people and has a meaning similar to the other words of the topic. */
function mentionsMatter({ names, rest }: Matter, text: string, similarity: Similarity): boolean {
  const sentences = splitSentences(text).map((sentence) => sentence.text)
  return sentences.some((sentence, index) => {
    if (!names.every((isNamed) => isNamed(sentence))) return false
    const next = sentences[index + 1] ?? ''
    const said = HAS_PRONOUN.test(next) ? `${sentence} ${next}` : sentence
    // Words for relations only identify a person. They count if the topic has one too: “sister” is not similar to “wedding”.
    const hasRelation = withoutRelations(rest) !== rest
    return hasSameMeaning(rest, hasRelation ? said : withoutRelations(said), similarity)
  })
}
/** Matches a pronoun, with which the next sentence continues the matter. */
const HAS_PRONOUN = /\b(?:he|she|him|her|they|them|it)\b|[他她它]/i

/**
 * Returns the share of terms that a text contains, 0 to 1.
 *
 * @param isForeign whether a term may have one letter more than in the text, as an ending
 */
export function shareOf(terms: ReadonlySet<string>, text: string, isForeign = false): number {
  if (terms.size === 0) return 0
  const found = new Set(findTerms(text).map(conceptOf))
  const isFound = (term: string): boolean =>
    found.has(term) || (isForeign && term.length > MIN_NAME_LENGTH && found.has(term.slice(0, -1)))
  return [...terms].filter(isFound).length / terms.size
}

/** Minimum length of a name whose last letter may be an ending. */
const MIN_NAME_LENGTH = 4
