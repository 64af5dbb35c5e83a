// Reads whom a question is about, and which statements may be about that person.
import { escapePattern } from '../pattern.ts'
import { splitSentences } from '../terms/split-sentences.ts'
import { readKinWords, RELATIVE, RELATIVE_CHINESE } from './asked-relation.ts'
import { isLikeName, readLeadingChineseName } from './name-like.ts'
import { readAnother, type Statement } from './read-statements.ts'

/** The person whom a question is about: the asker, another person, or both. */
export interface AskedPerson {
  readonly isSelf: boolean
  /** The words of the question that name another person. Empty for the asker. */
  readonly phrase: string
  /** Whether the person is a relation of someone other than the asker: “Ana's husband”. */
  readonly isOfOther: boolean
  /** Names and words for relations by which a text may name others that the question is about. */
  readonly words: readonly string[]
}

const KIN = `(?:${RELATIVE})(?:-in-law)?`

/** Reads whom a question is about. Returns `null` if that is not certain. */
export function readAskedPerson(question: string): AskedPerson | null {
  const person = /\p{Script=Han}/u.test(question) ? readChinese(question.trim()) : readEnglish(question)
  if (person === null || !person.words.some((word) => PET.test(word))) return person
  return person.isSelf ? { ...person, words: person.words.filter((word) => !PET.test(word)) } : null
}

/** Matches words for what the asker said: “What did I say | she plays?” is not about the asker. */
const SAID_BY_SELF =
  /\b(?:did|have) (?:i|we) (?:ever )?(?:say|said|t(?:ell|old) you|mention(?:ed)?) (?:that )?/iu

/** Reads the first subject that is a person: the asker, a relative, or a name. */
function readEnglish(asked: string): AskedPerson | null {
  const question = asked.replace(SAID_BY_SELF, '')
  for (const { 0: found, index, groups = {} } of question.matchAll(SUBJECT)) {
    const { self, kin, name = '', their } = groups
    const another = { isSelf: false, phrase: found, isOfOther: their !== undefined }
    if (self !== undefined) {
      const relations = [
        ...(question.match(KIN_ANYWHERE) ?? []),
        ...(ASKS_PARTNER.test(question) ? ['partner'] : []),
      ]
      return { isSelf: true, phrase: '', isOfOther: false, words: relations.flatMap(kinWords) }
    }
    if (their !== undefined) return { ...another, words: kinWords(their) }
    if (kin !== undefined) {
      // Texts may name “my flatmate Bea” by either word.
      const [beside = ''] = /^\s+\p{Lu}[\p{L}-]+/u.exec(question.slice(index + found.length)) ?? []
      return {
        ...another,
        phrase: found + beside,
        words: [...kinWords(kin), ...(beside.match(/\S+/u) ?? [])],
      }
    }
    if (/^\p{Lu}/u.test(name) || isLikeName(name)) return { ...another, words: [name] }
  }
  return null
}

const kinWords = (kin: string): string[] => readKinWords(kin.toLowerCase())

/** Matches the words before the subject of a Chinese question. */
const CHINESE_START = /^(?:请问|那么?|你|还|记不?记?得|知不?知?道|告诉我|能|说说|[，,\s])*/u
const KIN_CHINESE = `(?:[表堂][哥姐弟妹]|${RELATIVE_CHINESE})+`
const KIN_CHINESE_SUBJECT = new RegExp(
  String.raw`^(?:我们?(?:家)?的?)?(?:最好的|那个|[大小二三老]){0,2}(?<kin>${KIN_CHINESE})`,
  'u',
)
const KIN_CHINESE_ANYWHERE = new RegExp(KIN_CHINESE, 'gu')
const THEIR_KIN_CHINESE = new RegExp(String.raw`^(?:家)?的?(?<kin>${KIN_CHINESE})`, 'u')

function readChinese(question: string): AskedPerson | null {
  const text = question.replace(CHINESE_START, '')
  const { 0: phrase = '', groups: { kin } = {} } = KIN_CHINESE_SUBJECT.exec(text) ?? {}
  const name = readLeadingChineseName(text.slice(phrase.length)) ?? ''
  if (kin === undefined && name === '' && !text.startsWith('我')) return null
  // 朋友送的点心有花生，我能吃吗 is about both.
  const isSelf = (kin === undefined && name === '') || /[，,]我/u.test(text)
  const partner = isSelf && ASKS_PARTNER.test(question) ? ['伴侣'] : []
  const relations = isSelf ? [...(text.match(KIN_CHINESE_ANYWHERE) ?? []), ...partner] : [kin ?? '']
  const named = phrase + name
  const { 0: after = '', groups: { kin: theirs } = {} } =
    THEIR_KIN_CHINESE.exec(text.slice(named.length)) ?? {}
  if (theirs !== undefined)
    return { isSelf, phrase: named + after, isOfOther: true, words: readKinWords(theirs) }
  const words = [...relations.flatMap(readKinWords), name].filter((word) => word !== '')
  return { isSelf, phrase: named, isOfOther: false, words }
}
/** Matches words before a relation that is not the asker's: “her | husband”, 小雨的 | 老公. */
const OF_OTHER =
  /(?:\b(?:his|her|their)|(?<!\buser)['’]s)\s+(?:\p{L}+\s+)?$|(?<!我们?家?|用户)的$|[他她表堂]$/iu
const OF_ASKER = /\b(?:my|our)\s+(?:\p{L}+\s+)?$|我们?家?的?$/iu

/** Returns a test of whether a text names a person, and not only a relation of that person: “Ivo's flatmate”. */
function testNamed(words: readonly string[], isOfOther: boolean): (text: string) => boolean {
  if (words.length === 0) return () => false
  const any = words.map(escapePattern).join('|')
  const isChinese = /\p{Script=Han}/u.test(any)
  const pattern = new RegExp(isChinese ? `(?:${any})+` : String.raw`(?<!\p{L})(?:${any})(?!\p{L})`, 'giu')
  const isThem = ({ 0: found, index, input }: RegExpExecArray): boolean => {
    if (RELATION_OF_THEM.test(input.slice(index + found.length))) return false
    return /^\p{Lu}/u.test(found) || !(isOfOther ? OF_ASKER : OF_OTHER).test(input.slice(0, index))
  }
  return (text) => {
    for (const found of text.matchAll(pattern)) if (isThem(found)) return true
    return false
  }
}

/** Matches a subject that ends in a pronoun: “And she …”. */
const THEIRS_ALONE = /(?:\b(?:(?:he|she)s?|they(?:re|ve)?)|[他她它])$/iu
const THEIRS = /\b(?:(?:he|she)s?|they(?:re|ve)?|him|her|his|hers|their|them)\b|[他她它]/iu
const SELF = /\b(?:i|im|ive|me|my|myself|we|us|our|the user)\b|我|用户/i

function namesAnyone(text: string): boolean {
  return NAMES_KIN.test(text) || (text.match(/(?<=\p{L}[,;]?\s+)\p{Lu}[\p{L}-]+/gu) ?? []).some(isLikeName)
}

/** Selects the statements of a text that may be about a person. `before` returns the texts before it, the nearest last. */
export type SelectStatements = <S extends Statement>(
  statements: readonly S[],
  before: () => readonly string[],
) => readonly S[]

/**
 * Returns a function that selects the statements of a text that may be about the asked person. A pronoun means the person named last.
 *
 * @param otherNames further names of the person
 */
export function selectStatementsAbout(
  { isSelf, isOfOther, words }: AskedPerson,
  otherNames: readonly string[],
): SelectStatements {
  const names = otherNames.flatMap((name) => name.split(' '))
  const isNamedIn = testNamed([...new Set([...words, ...names])], isOfOther)
  if (isSelf)
    return (statements) => statements.filter(({ another }) => another === null || isNamedIn(another))
  return (statements, before) => {
    /** Whether the person named last is another one. `null` until a person is named. */
    let isElse: boolean | null = null
    const mayBeAbout = ({ text, another }: Statement): boolean => {
      const isNamed = isNamedIn(text)
      const isPronoun = another !== null && THEIRS_ALONE.test(another)
      if (isNamed) isElse = false
      else if (another === null ? isElse === null && namesAnyone(text) : !isPronoun) isElse = true
      // Without a subject, a sentence continues about the person named before. Without such a person, it is about the speaker.
      if (isNamed || isElse === true) return isNamed
      return isPronoun || THEIRS.test(text) || (isElse === false && !SELF.test(text))
    }
    for (const { text } of before().flatMap((one) => splitSentences(one)))
      mayBeAbout({ text, another: readAnother(text) })
    return statements.filter(mayBeAbout)
  }
}

const ADJECTIVES = String.raw`(?:\p{Ll}[\p{L}-]*\s+){0,2}?`
/** Matches a verb and the subject after it: “does | my sister's husband”, “is | Kim”, “do | I”. */
const SUBJECT = new RegExp(
  String.raw`\b(?:am|is|are|was|were|does|do|did|has|have|had|can|could|will|would|should|(?<=\p{L}['’])s)\s+(?:(?<self>(?:i|we)\b|(?:my|our)\b(?!\s+${ADJECTIVES}${KIN}\b))|(?:(?:my|our|your)\s+${ADJECTIVES})?(?<kin>${KIN})\b|(?:(?:mrs?|ms|dr)\.?\s+)?(?<name>(?!\p{L}+(?:ing|ed|ly)\b)\p{L}[\p{L}-]+)(?=\s+\p{L}|['’]s))(?<theirs>['’]s\s+${ADJECTIVES}(?<their>${KIN})\b)?`,
  'giu',
)
const KIN_ANYWHERE = new RegExp(String.raw`\b${KIN}\b`, 'giu')
/** Matches a question about oneself that facts about a partner answer: “Am I single?”. */
const ASKS_PARTNER =
  /\b(?:single|married|divorced|engaged|dating|relationship|seeing)\b|单身|恋爱|[结离订]婚/iu
/** Matches a word for a pet. Too many other words may name one, as in “our lab Biscuit”. */
const PET = /^(?:dog|cat|猫|狗)$/iu
/** Matches words after a name that make it the name of another person's relation: “Ivo | 's flatmate”. */
const RELATION_OF_THEM = new RegExp(
  String.raw`^(?:-in-law|[夫婿媳]|['’]s\s+${ADJECTIVES}(?:${KIN})\b|(?:家|家里)?的?(?:[大小二三老]?${KIN_CHINESE}))`,
  'u',
)
const NAMES_KIN = new RegExp(String.raw`\b${KIN}\b|${KIN_CHINESE}`, 'iu')
