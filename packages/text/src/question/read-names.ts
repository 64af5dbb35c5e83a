import { isEnglishFunctionWord } from '../terms/function-words.ts'

/** What the two who talk are called: one of them asks about themself by it, and about the other. */
export interface TalkNames {
  /** Names of the only person remembered: the scope's user, the label of their turns, what they said they are called. */
  readonly self: readonly string[]
  /** Names of the agent. */
  readonly agent: readonly string[]
}

export const NO_NAMES: TalkNames = { self: [], agent: [] }

/** All of both. */
export function joinNames(one: TalkNames, other: TalkNames): TalkNames {
  return { self: [...one.self, ...other.self], agent: [...one.agent, ...other.agent] }
}

/** After these a name is what is spoken of, or to. */
const BEFORE_AN_OBJECT =
  /\b(?:about|of|for|to|with|from|at|on|by|like|than|tell|told|ask|asked|give|gave|know|remember|describe|advise|advised|recommend)\s+$/i
/** After these a word in small letters is a thing, whoever may be called so. */
const BEFORE_A_THING = /\b(?:an?|the|my|your|his|her|our|their|this|that|some|any|no|every)\s+$/i

/** Characters before a name in which such a word ends. All that stands before it would be read again for each name. */
const LOOKED_BACK = 64

/** Pronouns that stand for a name. */
interface Pronouns {
  readonly subject: string
  readonly object: string
  readonly possessive: string
  readonly chinese: string
}

const FIRST: Pronouns = { subject: 'I', object: 'me', possessive: 'my', chinese: '我' }
const SECOND: Pronouns = { subject: 'you', object: 'you', possessive: 'your', chinese: '你' }

/**
 * The question as somebody asks it who is called none of these: names of the person become “I” and “my”, names of the agent
 * “you” and “your”. So that “Where does Priya work?” is looked for as “Where do I work?” is.
 *
 * @example
 * withPronouns("What is Priya's cat called?", { self: ['priya'], agent: [] }) // 'What is my cat called?'
 */
export function withPronouns(question: string, { self, agent }: TalkNames): string {
  return replaceNames(inFirstPerson(question, self), agent, SECOND)
}

/** A verb before “I” as it goes with it. */
const AGREES: Readonly<Record<string, string>> = { does: 'do', is: 'am', has: 'have' }
const BEFORE_FIRST = /(?<![\p{L}\p{N}])(does|is|has)(?= I(?![\p{L}\p{N}]))/giu

function inFirstPerson(question: string, self: readonly string[]): string {
  const asked = replaceNames(question, self, FIRST)
  return asked === question
    ? question
    : asked.replaceAll(BEFORE_FIRST, (verb) => AGREES[verb.toLowerCase()] ?? verb)
}

/** Whether a question calls somebody by one of these names. */
export function callsBy(question: string, names: readonly string[]): boolean {
  return replaceNames(question, names, FIRST) !== question
}

function replaceNames(question: string, names: readonly string[], pronouns: Pronouns): string {
  const forms = names.flatMap(formsOf)
  if (forms.length === 0 || namesNone(question, forms)) return question
  const wholes = forms.map(({ text }) => text).sort((one, other) => other.length - one.length)
  // Around a name in letters stand characters in a Chinese question, and no spaces.
  if (isHan(question))
    return question.replaceAll(pattern(wholes, '(?<![a-z])', '(?![a-z])'), pronouns.chinese)
  const spaced = pattern(
    wholes.filter((form) => !isHan(form)),
    String.raw`(?<![\p{L}\p{N}])`,
    String.raw`(['’]s)?(?![\p{L}\p{N}])`,
  )
  return question.replaceAll(spaced, (found: string, possessive: string | undefined, at: number) => {
    const before = question.slice(Math.max(0, at - LOOKED_BACK), at)
    const isSmall = /^\p{Ll}/u.test(found)
    if (isSmall && (isEnglishFunctionWord(found) || BEFORE_A_THING.test(before))) return found
    if (possessive !== undefined) return pronouns.possessive
    return BEFORE_AN_OBJECT.test(before) ? pronouns.object : pronouns.subject
  })
}

/**
 * Whether a question surely holds none of these, whatever the case of its letters: seen at a glance where all of it is ASCII, of which letters have
 * one other case. A form that is not stands in no such question, but for two letters that fold into it.
 */
function namesNone(question: string, forms: readonly NameForm[]): boolean {
  if (!isAscii(question)) return false
  const small = question.toLowerCase()
  return forms.every((form) => form.small !== null && !small.includes(form.small))
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false
  return true
}

const isHan = (form: string): boolean => /\p{Script=Han}/u.test(form)
const NOTHING = /(?!)/gu

function pattern(forms: readonly string[], before: string, after: string): RegExp {
  if (forms.length === 0) return NOTHING
  return new RegExp(`${before}(?:${forms.join('|')})${after}`, 'giu')
}

/** One way in which a name is said. */
interface NameForm {
  readonly text: string
  /** In small letters; `null` where it is not ASCII. */
  readonly small: string | null
}

/** Forms of names that were read before: a user is called the same in every question. */
const formsByName = new Map<string, readonly NameForm[]>()
const MAX_NAMES = 4_096

/**
 * How a name is said: whole, each of its words alone, and without the family name where it is three Chinese characters. What holds no
 * letters is an id.
 */
function formsOf(name: string): readonly NameForm[] {
  const known = formsByName.get(name)
  if (known !== undefined) return known
  const words = name.normalize('NFKC').match(/[\p{L}\p{M}]+/gu) ?? []
  const long = words.filter((word) => word.length > 1)
  const given = long.filter((word) => /^\p{Script=Han}{3}$/u.test(word)).map((word) => word.slice(1))
  const texts = [...(long.length > 1 ? [long.join(' ')] : []), ...long, ...given]
  const forms = texts.map((text) => ({ text, small: isAscii(text) ? text.toLowerCase() : null }))
  if (formsByName.size >= MAX_NAMES) formsByName.clear()
  formsByName.set(name, forms)
  return forms
}
