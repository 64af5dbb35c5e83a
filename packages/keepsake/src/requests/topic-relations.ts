// Reads the relation that a topic gives with a name (“sister” of “my sister Mia”), and decides which texts are about this person.
import { escapePattern } from '@keepsake/text'
import { isSameRelation, RELATION_WORDS } from '../entities/read-relations.ts'
import { relationsTo } from '../entities/same-name.ts'
import { MONTHS } from './english-names.ts'

/** Returns the relation beside a name: “sister” of “my sister Mia” and “Mia, my sister”, 前男友 of 我前男友李航. */
export function relationIn(topic: string): string | null {
  const chinese = MY_RELATION_ZH.exec(topic)?.[0].replace(/^(?:我们?|咱)(?:家|的)?/, '')
  if (chinese !== undefined) return chinese
  const match = RELATION_BEFORE_NAME.exec(topic) ?? RELATION_AFTER_NAME.exec(topic)
  return match?.groups?.['relation'] ?? null
}

/** Matches “my older sister M” of “my older sister Mia”. */
const RELATION_BEFORE_NAME = /^(?:my|our|the)\s+(?:\p{Ll}+\s+){0,2}?(?<relation>\p{Ll}[\p{Ll}-]+)\s+\p{Lu}/u
/** Matches “Mia, my sister”. */
const RELATION_AFTER_NAME = /^\p{Lu}\S*,?\s+(?:the|my|our)\s+(?<relation>\p{Ll}[\p{Ll}-]+)$/u

/** Checks whether texts give a name to people of several relations: “my neighbour Vera”, “my boss Vera”. */
export function isSharedName(name: string, texts: Iterable<string>): boolean {
  const relations: string[] = []
  for (const text of texts) if (text.includes(name)) relations.push(...relationsTo(name, text))
  const [first = '', ...others] = relations
  return others.some((relation) => !isSameRelation(first, relation))
}

/**
 * Returns a function that decides whether a text with the name is about the person of the relation: 1 for yes, 0 for no. A
 * text that states relations must state this one. A text without relations may have only an addition that also other texts
 * about the person have: “Mia from yoga”, if “my sister Mia from yoga” is known.
 */
export function coverageOfPerson(
  name: string,
  relation: string,
  isNamed: (text: string) => boolean,
  texts: Iterable<string> = [],
): (text: string) => number {
  const isSame = (other: string): boolean =>
    isSameRelation(relation, other) || (/^ex\b/.test(relation) && /^ex\b/.test(other))
  const listAdditions = (): Set<string | null> => {
    const textsOfPerson = [...texts].filter(
      (text) => text.includes(name) && relationsTo(name, text).some(isSame),
    )
    return new Set(textsOfPerson.map((text) => additionTo(name, text)))
  }
  // Computed once, on first use.
  let knownAdditions: Set<string | null> | undefined
  return (text) => {
    if (!isNamed(text)) return 0
    const relations = relationsTo(name, text)
    if (relations.length > 0) return relations.some(isSame) ? 1 : 0
    const addition = additionTo(name, text)
    if (addition === null) return 1
    knownAdditions ??= listAdditions()
    return knownAdditions.has(addition) ? 1 : 0
  }
}

/** Returns what distinguishes a person from others of the name: “Marx” of “Karl Marx”, “from yoga”, 楼下 before 的小明; else `null`. */
export function additionTo(name: string, text: string): string | null {
  const escaped = escapePattern(name)
  const pattern = /\p{Script=Han}/u.test(name)
    ? `(${ADDITION_ZH})的${escaped}`
    : String.raw`(?<![\p{L}\p{N}])${escaped} (${ADDITION_EN})`
  return new RegExp(pattern, 'u').exec(text)?.[1] ?? null
}

/** Two characters before 的, without a pronoun as the second: 楼下 in 楼下的小明. */
const ADDITION_ZH = String.raw`\p{Script=Han}(?![我咱他她你们])\p{Script=Han}`
/** A capitalised word after a name that is no family name: a month, a weekday, “I”. */
const NO_FAMILY_NAME = String.raw`(?:${MONTHS}|\p{Lu}\p{Ll}+days?|I)\b`
/** Words after a name: the family name “Marx”, “from yoga”, “the plumber”. */
const ADDITION_EN = String.raw`(?!${NO_FAMILY_NAME})(?:\p{Lu}\p{Ll}[\p{L}'-]*|from (?:the )?\p{L}+|the \p{Ll}+)`

/** Removes the words that relate people: “sister” from “my sister”. */
export function withoutRelations(text: string): string {
  return text.replace(RELATION_WORD, ' ')
}

const RELATION_WORD = new RegExp(String.raw`\b(?:${RELATION_WORDS.en})\b|${RELATION_WORDS.zh}`, 'giu')
/** Matches a relation with a name but without “my”: “sister Mia”. */
export const BARE_RELATION = new RegExp(String.raw`^(?:${RELATION_WORDS.en})\s+\p{Lu}\S*$`, 'u')

const RELATIONS_ZH = [
  '男朋友|女朋友|男友|女友|朋友|同事|同学|室友|邻居|闺蜜|老板|上司|领导|导师|老师|教练',
  '老公|老婆|丈夫|妻子|对象|未婚夫|未婚妻',
  '哥哥?|弟弟?|姐姐?|妹妹?|表[哥弟姐妹]|堂[哥弟姐妹]|叔叔|阿姨|舅舅|姑姑|儿子|女儿|猫|狗|任',
].join('|')
/** Matches the speaker's relation before a name: 我前男友 in 我前男友李航. */
export const MY_RELATION_ZH = new RegExp(
  `^(?:我|我们|咱)(?:家|的)?(?:前|新|老|大|小|那个|好)?(?:${RELATIONS_ZH})(?=\\p{Script=Han}{2,4}$|\\p{Script=Latin})`,
  'u',
)

const PEOPLE_EN = [
  'friend|mother|father|mum|mom|dad|brother|sister|son|daughter|wife|husband|boyfriend|girlfriend|partner',
  'boss|manager|colleague|coworker|neighbou?r|roommate|flatmate',
  'cousin|uncle|aunt|grandmother|grandfather|grandma|grandpa|teacher|doctor',
].join('|')
/** Matches an English word for a person whom a pronoun may mean: “mother”. */
export const PERSON_EN = new RegExp(String.raw`\b(?:${PEOPLE_EN})\b`, 'i')
/** Matches a Chinese word for a person whom a pronoun may mean: 妈. */
export const PERSON_ZH =
  /男朋友|女朋友|男友|女友|朋友|同事|同学|室友|邻居|闺蜜|老板|上司|导师|老师|老公|老婆|丈夫|妻子|妈|爸|哥|弟|姐|妹|叔|姨|舅|姑|爷|奶|外公|外婆|儿子|女儿|医生/
