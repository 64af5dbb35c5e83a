// Decides which names a topic contains, and which texts have them. Step 1 rewrites the topic (withUsualCase, withoutSpeaker).
// Step 2 reads its names (nameIn, listNames, findNamesOf). Step 3 makes a test for texts (nameTest).
import { conceptOf, findTerms, isEnglishFunctionWord } from '@keepsake/text'
import { CHINESE_MATTER, FAMILY_NAME, HAN_WORD, SURNAME, testHanName } from './chinese-names.ts'
import { CAPITALISED_NAME, NAME_EN, testSpacedName } from './english-names.ts'
import { MY_RELATION_ZH } from './topic-relations.ts'

/** Returns a topic in capitals in the case of the user's texts: “IDA” as “Ida”, “THE BOAT” as “the boat”, “NATO” as it is. */
export function withUsualCase(topic: string, texts: Iterable<string> = []): string {
  const isInCapitals = !/\p{Ll}/u.test(topic) && /\p{Lu}{2}/u.test(topic)
  if (!isInCapitals) return topic
  const words = new Set([...texts].flatMap((text) => text.match(/\p{L}[\p{L}'-]*/gu) ?? []))
  return topic.replace(/\p{Lu}[\p{Lu}'-]+/gu, (word) => {
    const small = word.toLowerCase()
    if (isEnglishFunctionWord(small)) return small
    const name = word.charAt(0) + small.slice(1)
    return [name, small, word].find((form) => words.has(form)) ?? small
  })
}

/** Removes the speaker from a topic such as “Tom and me” or 我的地址, because the speaker says “I” in any sentence. */
export function withoutSpeaker(topic: string): string {
  if (MY_RELATION_ZH.test(topic)) return topic
  return topic.replace(SPEAKER_EN, '').replace(SPEAKER_ZH, '').replace(FINAL_PARTICLE_ZH, '')
}

/** Matches “me and ” in “me and Tom”, and “ and I” in “Tom and I”. */
const SPEAKER_EN = /^(?:me|myself|us)\s+and\s+|\s+and\s+(?:me|i|myself|us)$/i
/** Matches 我和 in 我和小明, and 我的 in 我的地址. */
const SPEAKER_ZH = /^我们?(?:和|跟|与|的)?(?=\p{Script=Han}{2})/u
/** Matches 的 at the end of 小明的. */
const FINAL_PARTICLE_ZH = /(?<=\p{Script=Han}{2})的$/u

/** Returns the name of which a part of a topic consists: “Mia” for “my sister Mia”. `null` for a part of other words. */
export function nameIn(part: string): string | null {
  if (findTerms(part).some(hasEnglishConcept)) return null
  const englishName = NAME_EN.exec(part.replace(/[’]/g, "'").replace(/'s$/, ''))?.[1]
  if (englishName !== undefined) return englishName
  const chineseName = part.replace(MY_RELATION_ZH, '')
  return HAN_WORD.test(chineseName) && !PRONOUN_OR_PARTICLE_ZH.test(chineseName) ? chineseName : null
}

/** Matches words that are no names: 他妈 begins with a pronoun, 好了 contains a particle. */
const PRONOUN_OR_PARTICLE_ZH = /^[我你他她它这那]|[的了吗呢吧]/

/** Checks whether a term is a common word with a concept, such as “job”, and so no name. */
export function hasEnglishConcept(term: string): boolean {
  return conceptOf(term) !== term
}

/** Checks whether a Chinese name is a person's: it has a family name, or the topic has a relation before it. */
export function isPersonName(name: string, topic: string): boolean {
  return SURNAME.test(name) || MY_RELATION_ZH.test(topic)
}

/** Returns all names in a topic that also has other words: Tom in “the money I owe Tom”, 王敏 in 王敏欠我的钱. */
export function listNames(topic: string): string[] {
  const chineseName = CHINESE_MATTER.exec(topic)?.groups?.['name']
  if (chineseName !== undefined) return [chineseName]
  return [...topic.matchAll(CAPITALISED_NAME)].map(([name]) => name.replace(/['’]s$/, ''))
}

/** Finds names in the texts for a topic that is only a relation: for “my ex”, Tom in “my ex Tom”. */
export function findNamesOf(about: string, texts: readonly string[]): string[] {
  const topic = about.trim()
  const relation = topic.replace(MY, '')
  if (relation === topic || !ONLY_RELATION.test(relation)) return []
  const name = /\p{Script=Han}/u.test(relation) ? NAME_AFTER_RELATION.zh : NAME_AFTER_RELATION.en
  const pattern = new RegExp(`${relation}${name}`, 'gu')
  const names = texts.flatMap((text) => [...text.matchAll(pattern)].flatMap(([, found]) => found ?? []))
  return [...new Set(names)]
}

/** Matches “my ” in “my ex”, and 我的 in 我的前男友. */
const MY = /^(?:my|our)\s+|^我们?(?:家|的)?/i
/** Matches one or two English words, such as “best friend”, or up to five Chinese characters, such as 前男友. */
const ONLY_RELATION = /^(?:[\p{Ll}-]+(?: [\p{Ll}-]+)?|\p{Script=Han}{1,5})$/u
/** What follows a relation in a text: “ is called Tom” after “my ex”, 叫李航 after 前男友. The group is the name. */
const NAME_AFTER_RELATION = {
  en: String.raw`(?:,)?\s+(?:is\s+)?(?:called\s+|named\s+)?((?!I\b)\p{Lu}[\p{L}'-]*)`,
  zh: `(?:叫|是)?(${FAMILY_NAME}\\p{Script=Han})`,
}

/** A test for texts that contain a name. */
export type NameTest = (text: string) => boolean

/**
 * Returns a test for texts that contain a name.
 *
 * @param texts the user's texts. A longer name that they contain, such as 王伟民, does not contain the name 王伟.
 */
export function nameTest(name: string, texts: Iterable<string> = []): NameTest {
  return HAN_WORD.test(name) ? testHanName(name, texts) : testSpacedName(name)
}
