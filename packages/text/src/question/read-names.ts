// Replaces names of the user and the agent in a question by pronouns.
import { isEnglishFunctionWord } from '../terms/function-words.ts'
import { simplifyChinese } from '../terms/simplify-chinese.ts'

/** Names of the user and the agent. */
export interface TalkNames {
  /** Names of the only user: the scope's, those of turn labels, and those that the user stated. */
  readonly self: readonly string[]
  readonly agent: readonly string[]
}

export const NO_NAMES: TalkNames = { self: [], agent: [] }

/** Joins two sets of names. */
export function joinNames(first: TalkNames, second: TalkNames): TalkNames {
  return { self: [...first.self, ...second.self], agent: [...first.agent, ...second.agent] }
}

/** Matches words that stand before a name as an object. */
const BEFORE_AN_OBJECT =
  /\b(?:about|of|for|to|with|from|at|on|by|like|than|tell|told|ask|asked|give|gave|know|remember|describe|advise|advised|recommend)\s+$/i
/** Matches words that stand before a common noun. After them, a word in small letters is no name. */
const BEFORE_A_THING = /\b(?:an?|the|my|your|his|her|our|their|this|that|some|any|no|every)\s+$/i

/** Characters read before a name, to bound the cost per name. */
const LOOKED_BACK = 64

/** Pronouns that replace a name. */
interface Pronouns {
  readonly subject: string
  readonly object: string
  readonly possessive: string
  readonly chinese: string
}

const FIRST: Pronouns = { subject: 'I', object: 'me', possessive: 'my', chinese: '我' }
const SECOND: Pronouns = { subject: 'you', object: 'you', possessive: 'your', chinese: '你' }

/** Replaces the user's names by “I” and the agent's by “you”: “Where does Priya work?” becomes “Where do I work?”. */
export function withPronouns(question: string, { self, agent }: TalkNames): string {
  return replaceNames(inFirstPerson(question, self), agent, SECOND)
}

/** Maps a verb that stood before a name to its form before “I”. */
const AGREES: Readonly<Record<string, string>> = { does: 'do', is: 'am', has: 'have' }
const BEFORE_FIRST = /(?<![\p{L}\p{N}])(does|is|has)(?= I(?![\p{L}\p{N}]))/giu

function inFirstPerson(question: string, self: readonly string[]): string {
  const asked = replaceNames(question, self, FIRST)
  return asked === question
    ? question
    : asked.replaceAll(BEFORE_FIRST, (verb) => AGREES[verb.toLowerCase()] ?? verb)
}

/** Reports whether a question uses one of these names. */
export function callsBy(question: string, names: readonly string[]): boolean {
  return replaceNames(question, names, FIRST) !== question
}

function replaceNames(question: string, names: readonly string[], pronouns: Pronouns): string {
  const forms = names.flatMap(formsOf)
  if (forms.length === 0 || namesNone(question, forms)) return question
  const wholes = forms.map(({ text }) => text).sort((a, b) => b.length - a.length)
  // Latin names in Chinese questions have no spaces around them.
  if (isHan(question))
    return question.replaceAll(pattern(wholes, '(?<![a-z])', '(?![a-z])'), pronouns.chinese)
  const spaced = pattern(
    wholes.filter((form) => !isHan(form)),
    String.raw`(?<![\p{L}\p{N}])`,
    String.raw`(['’]s)?(?![\p{L}\p{N}])`,
  )
  return question.replaceAll(spaced, (found: string, possessive: string | undefined, index: number) => {
    const before = question.slice(Math.max(0, index - LOOKED_BACK), index)
    const isSmall = /^\p{Ll}/u.test(found)
    if (isSmall && (isEnglishFunctionWord(found) || BEFORE_A_THING.test(before))) return found
    if (possessive !== undefined) return pronouns.possessive
    return BEFORE_AN_OBJECT.test(before) ? pronouns.object : pronouns.subject
  })
}

/** Reports whether an ASCII question surely has none of the names, ignoring case. This test is fast. */
function namesNone(question: string, forms: readonly NameForm[]): boolean {
  if (!isAscii(question)) return false
  const small = question.toLowerCase()
  return forms.every((form) => form.small !== null && !small.includes(form.small))
}

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0x7f) return false
  return true
}

const isHan = (form: string): boolean => /\p{Script=Han}/u.test(form)
const NOTHING = /(?!)/gu
/** Caches compiled patterns by their source, since compiling one takes longer than applying it to a question. */
const patterns = new Map<string, RegExp>()

function pattern(forms: readonly string[], before: string, after: string): RegExp {
  if (forms.length === 0) return NOTHING
  const source = `${before}(?:${forms.join('|')})${after}`
  const compiled = patterns.get(source) ?? new RegExp(source, 'giu')
  if (patterns.size >= MAX_NAMES) patterns.clear()
  patterns.set(source, compiled)
  return compiled
}

/** One way in which a name is said. */
interface NameForm {
  readonly text: string
  /** The text in small letters, or `null` if it is not ASCII. */
  readonly small: string | null
}

/** Caches the forms of names, since the questions of a user have the same names. */
const formsByName = new Map<string, readonly NameForm[]>()
const MAX_NAMES = 4_096

/** Returns a name's forms: whole, each word, Chinese given names. Names without letters are ids. */
function formsOf(name: string): readonly NameForm[] {
  const known = formsByName.get(name)
  if (known !== undefined) return known
  const words = simplifyChinese(name.normalize('NFKC')).match(/[\p{L}\p{M}]+/gu) ?? []
  const long = words.filter((word) => word.length > 1)
  const given = long.filter((word) => /^\p{Script=Han}{3}$/u.test(word)).map((word) => word.slice(1))
  const texts = [...(long.length > 1 ? [long.join(' ')] : []), ...long, ...given]
  const forms = texts.map((text) => ({ text, small: isAscii(text) ? text.toLowerCase() : null }))
  if (formsByName.size >= MAX_NAMES) formsByName.clear()
  formsByName.set(name, forms)
  return forms
}
