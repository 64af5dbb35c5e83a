// Reads whom a question is about, and checks whether a text names that person.
import { either } from '../pattern.ts'
import { readKinWords, RELATIVE, RELATIVE_CHINESE } from './asked-relation.ts'
import { isLikeName, readLeadingChineseName } from './name-like.ts'

/** The person whom a question is about. */
export interface AskedPerson {
  /** Whether it is the asker. */
  readonly isSelf: boolean
  /** The words of the question that name the person; empty for the asker. */
  readonly phrase: string
  /** Words by which a text may name the person, as the source of a pattern; of the asker those for the relations asked for. */
  readonly words: string
  /** Whether the person is a relation of someone other than the asker: “Ana's husband”. */
  readonly isOfOther: boolean
}

const SELF: AskedPerson = { isSelf: true, phrase: '', words: '', isOfOther: false }
/** A relation between people: pets are named by too many words. */
const KIN = String.raw`(?:${RELATIVE.split('|')
  .filter((word) => word !== 'dog' && word !== 'cat')
  .join('|')})(?:-in-law)?`
const IS_KIN = new RegExp(`^${KIN}$`, 'iu')
const KIN_CHINESE = `(?:[表堂][哥姐弟妹]|${RELATIVE_CHINESE})`
/** A verb before the subject of a question. */
const BEFORE_SUBJECT =
  /\b(?:am|is|are|was|were|does|do|did|has|have|had|can|could|will|would|should|(?<=(?:what|who|where|when|how|why)['’])s)\s+/giu
const ADJECTIVES = String.raw`(?:\p{Ll}[\p{L}-]*\s+){0,2}?`
const KIN_SUBJECT = new RegExp(
  String.raw`^(?:my|our|your)\s+${ADJECTIVES}(?<kin>${KIN})\b(?:\s+(?<name>\p{Lu}[\p{L}-]+))?`,
  'u',
)
const NAME_SUBJECT = new RegExp(
  String.raw`^(?:(?:[Mm]rs?|[Mm]s|[Dd]r|${KIN})\.?\s+)?(?<name>\p{Lu}[\p{L}-]+(?:\s+\p{Lu}[\p{L}-]+)*|(?!\p{L}+(?:ing|ed|ly)\b)\p{Ll}[\p{L}-]{2,}(?=\s+\p{L}|['’]s))`,
  'u',
)
/** The relation of the person before it: “Ana's older | husband”. */
const THEIR_KIN = new RegExp(String.raw`^['’]s\s+${ADJECTIVES}(?<kin>${KIN})\b`, 'u')
const OWNER = new RegExp(
  String.raw`(?:\b[Mm]y\s+${ADJECTIVES}(?<kin>${KIN})|(?<=\s)(?<name>\p{Lu}[\p{L}-]+))(?=['’]s\b)`,
  'u',
)
const SELF_SUBJECT = /^(?:i|we)\b/iu
const OF_SELF = /^(?:my|our)\s/iu
const PRONOUN = /\b(?:he|she|they|his|her|their|him|them)\b/iu
const KIN_ANYWHERE = new RegExp(String.raw`\b(?:${RELATIVE})\b`, 'iu')

/** Reads whom a question is about; `null` where it names no one, or more than one may be meant. */
export function readAskedPerson(question: string): AskedPerson | null {
  return /\p{Script=Han}/u.test(question) ? readChinese(question.trim()) : readEnglish(question.trim())
}

function readEnglish(question: string): AskedPerson | null {
  for (const { 0: verb, index } of question.matchAll(BEFORE_SUBJECT)) {
    const subject = question.slice(index + verb.length)
    const kin = KIN_SUBJECT.exec(subject)
    const name = kin === null ? NAME_SUBJECT.exec(subject) : null
    const found = kin ?? name
    if (found !== null && (kin !== null || isNameOf(found.groups?.['name'] ?? ''))) {
      const [phrase] = found
      const rest = subject.slice(phrase.length)
      const theirs = THEIR_KIN.exec(rest)
      if (theirs !== null) return personOf(phrase + theirs[0], { kin: theirs.groups?.['kin'] }, true)
      return personOf(phrase, found.groups ?? {}, false)
    }
    if (SELF_SUBJECT.test(subject) || OF_SELF.test(subject)) {
      const owner = OWNER.exec(question)
      if (owner !== null) return personOf(owner[0], owner.groups ?? {}, false)
      return PRONOUN.test(question) ? null : selfWith(KIN_ANYWHERE.exec(question)?.[0])
    }
  }
  const owner = OWNER.exec(question)
  return owner === null ? null : personOf(owner[0], owner.groups ?? {}, false)
}

/** “Do I have kids?” is about the asker, and so is what is said of the asker's kids. */
function selfWith(kin: string | undefined): AskedPerson {
  return kin === undefined ? SELF : { ...SELF, words: either(...readKinWords(kin.toLowerCase())) }
}

function isNameOf(name: string): boolean {
  return /^\p{Lu}/u.test(name) || isLikeName(name)
}

function personOf(
  phrase: string,
  { kin, name }: Readonly<Record<string, string | undefined>>,
  isOfOther: boolean,
): AskedPerson {
  const named = (name ?? '').split(/\s+/u).filter((word) => word !== '')
  const names = named.filter((word) => !IS_KIN.test(word))
  // “Where does Grandma live?” names no one but by the relation.
  const relation = kin ?? (names.length === 0 ? named[0] : undefined)
  const relations = relation === undefined ? [] : readKinWords(relation.toLowerCase())
  return { isSelf: false, phrase, words: either(...relations, ...names), isOfOther }
}

/** Words before the subject of a Chinese question. */
const CHINESE_START = /^(?:请问|那么?|你|还|记不?记?得|知不?知?道|告诉我|能|说说|[，,\s])*/u
const KIN_CHINESE_SUBJECT = new RegExp(
  String.raw`^(?:我们?(?:家)?的?)?(?:最好的|那个|[大小二三老]){0,2}(?<kin>${KIN_CHINESE}+)`,
  'u',
)
const KIN_CHINESE_ANYWHERE = new RegExp(`${KIN_CHINESE}+`, 'u')
/** 朋友送的点心有花生，我能吃吗 is about both. */
const SELF_IN_CLAUSE = new RegExp(`[，,]我(?!们?家?的?${KIN_CHINESE})`, 'u')
const THEIR_KIN_CHINESE = new RegExp(String.raw`^(?:家)?的?(?<kin>${KIN_CHINESE}+)`, 'u')

function readChinese(question: string): AskedPerson | null {
  const start = CHINESE_START.exec(question)?.[0].length ?? 0
  const text = question.slice(start)
  const kin = KIN_CHINESE_SUBJECT.exec(text)
  const name = kin === null ? readLeadingChineseName(text) : null
  if (kin === null && name === null)
    return text.startsWith('我') ? selfWith(KIN_CHINESE_ANYWHERE.exec(text)?.[0]) : null
  if (SELF_IN_CLAUSE.test(text)) return null
  const phrase = kin?.[0] ?? name ?? ''
  const rest = text.slice(phrase.length)
  const theirs = THEIR_KIN_CHINESE.exec(rest)
  if (theirs !== null) return chinesePerson(phrase + theirs[0], theirs.groups?.['kin'] ?? '', true)
  // 我室友小何 is named by either.
  const beside = kin === null ? null : readLeadingChineseName(rest)
  const person = chinesePerson(phrase + (beside ?? ''), kin?.groups?.['kin'] ?? '', false)
  const names = [name, beside].filter((one) => one !== null)
  return { ...person, words: either(...[person.words, ...names].filter((one) => one !== '')) }
}

function chinesePerson(phrase: string, kin: string, isOfOther: boolean): AskedPerson {
  return { isSelf: false, phrase, words: kin === '' ? '' : either(...readKinWords(kin)), isOfOther }
}

const RELATION_OF_THEM = new RegExp(
  String.raw`^(?:-in-law|[夫婿媳]|['’]s\s+${ADJECTIVES}(?:${KIN})\b|(?:家|家里)?的?(?:[大小二三老]?${KIN_CHINESE}))`,
  'u',
)
/** Before a relation of another: “her | husband”, 小雨的老公. */
const OF_OTHER =
  /(?:\b(?:his|her|their)|(?<!\buser)['’]s)\s+(?:\p{L}+\s+)?$|(?<!我们?家?|用户)的$|[他她表堂]$/iu
const OF_ASKER = /\b(?:my|our)\s+(?:\p{L}+\s+)?$|我们?家?的?$/iu
/** Another name right after a relation: “my brother | Piet”. */
const NAME_AFTER = /^,?\s+(?:called |named )?(?<name>\p{Lu}[\p{L}-]+)/u

/** The last pattern: every sentence of a recall is searched for the same person. */
let last: { readonly words: string; readonly pattern: RegExp } | null = null

function patternOf(words: string): RegExp {
  if (last?.words !== words) {
    const isChinese = /\p{Script=Han}/u.test(words)
    const source = isChinese ? `(?:${words})+` : String.raw`(?<!\p{L})(?:${words})(?!\p{L})`
    last = { words, pattern: new RegExp(source, 'giu') }
  }
  return last.pattern
}

/** Checks whether a text names a person, and not only a relation of theirs: “Ivo's flatmate”. */
export function namesPerson({ words, isOfOther }: AskedPerson, text: string): boolean {
  for (const { 0: found, index } of text.matchAll(patternOf(words))) {
    const before = text.slice(0, index)
    const after = text.slice(index + found.length)
    if (RELATION_OF_THEM.test(after)) continue
    const isName = /^\p{Lu}/u.test(found)
    if (!isName && (isOfOther ? OF_ASKER : OF_OTHER).test(before)) continue
    const { name } = NAME_AFTER.exec(after)?.groups ?? {}
    if (!isName && !isOfOther && name !== undefined && !new RegExp(`^(?:${words})$`, 'iu').test(name))
      continue
    return true
  }
  return false
}

const INTRODUCED = new RegExp(
  String.raw`\b(?:[Mm]y|[Oo]ur|user['’]s)\s+${ADJECTIVES}(?<kin>${KIN})(?:\s+is(?:\s+called|\s+named)?|,?\s+(?:called|named)|['’]s\s+name\s+is|,)?\s+(?<name>\p{Lu}[\p{L}-]+)`,
  'gu',
)
const INTRODUCED_CHINESE = new RegExp(
  String.raw`(?:我们?家?的?|用户的?)(?:最好的|[大小二三老])?(?<kin>${KIN_CHINESE}+)的?(?:名字)?(?:叫做?|名叫|是)?(?<name>\p{Script=Han}{2,3}|\p{Lu}\p{L}+)`,
  'gu',
)

/** Adds the other words by which texts introduce a person: with “my sister Lin”, “Lin” is “my sister”. */
export function withIntroducedNames(person: AskedPerson, texts: readonly string[]): AskedPerson {
  if (person.isSelf || person.isOfOther) return person
  const isOne = new RegExp(`^(?:${person.words})+$`, 'iu')
  const added = texts.flatMap((text) =>
    [...text.matchAll(INTRODUCED), ...text.matchAll(INTRODUCED_CHINESE)].flatMap(({ groups = {} }) => {
      const { kin = '', name: found = '' } = groups
      const name = /\p{Script=Han}/u.test(found) ? readLeadingChineseName(found) : found
      if (name === null) return []
      if (isOne.test(name)) return readKinWords(kin.toLowerCase())
      return isOne.test(kin) ? [name] : []
    }),
  )
  return added.length === 0 ? person : { ...person, words: either(person.words, ...new Set(added)) }
}
