// Completes English answers without a subject by their questions: “Where do you live?” – “Passau”.
import { either, pattern } from '../../pattern.ts'
import { WORD_KINDS } from './word-kinds.ts'

/**
 * Matches a question about the user. In the statement, `{}` is the answer and `$1` a group of the question. `value` must match the answer.
 */
type QuestionPattern = readonly [question: RegExp, statement: string, value?: RegExp]

/**
 * Completes an answer without a subject by its question: “What is your name?” – “Wendelin”.
 * The rules then read it as a statement, so that only a value of the right kind counts.
 *
 * @example
 * answerWithSubject('Where do you live?', 'Passau, and you?') // 'I live in Passau.'
 */
export function answerWithSubject(question: string, answer: string): string | null {
  if (!/\?\s*$/.test(question) || IMAGINED.test(question)) return null
  const patterns = NO.test(answer) ? CORRECTED : QUESTIONS
  const value = answer.trim().replace(NO, '').replace(TRAILS, '').replace(TRAILS, '').replace(LEADS, '')
  if (value === '' || EVADES.test(value) || value.split(/\s+/).length > MAX_WORDS) return null
  const match = patterns.find(([asks, , form]) => asks.test(question) && form?.test(value) !== false)
  if (match === undefined) return null
  const [asks, statement] = match
  const [, ...groups] = asks.exec(question) ?? []
  const isNearPlace = /^(?:near|outside|close to|not far from) /i.test(value)
  const fitting = isNearPlace ? statement.replace('live in {}', 'live {}') : statement
  const full = fitting.replace('$1', groups.find((group) => group !== undefined) ?? '')
  if (/\b(?:name|called) /.test(full))
    return isName(value) ? full.replace('{}', () => capitalise(value)) : null
  // After these words no name is expected, so the capital only begins the answer.
  const isCommonNoun = / am a | allergic | have | take /.test(full)
  const written = isCommonNoun ? value.replace(/^\p{Lu}(?=\p{Ll})/u, (first) => first.toLowerCase()) : value
  if (full !== 'I am a {}.') return full.replace('{}', () => written)
  const noun = written.replace(/^an? /, '')
  return `I am ${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}.`
}

function isName(value: string): boolean {
  if (/^\p{Lu}[\p{L}\p{M}'’.-]*(?: \p{Lu}[\p{L}\p{M}'’.-]*){0,3}$/u.test(value)) return true
  const word = { text: value, lower: value, lemma: value, pos: '', before: '' }
  return /^\p{L}{2,}$/u.test(value) && WORD_KINDS['CALLED']?.(word) === true
}

function capitalise(name: string): string {
  return name.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
}

const IS = String.raw`(?:['’]?s| is| are)`
const WORK = new RegExp(
  String.raw`\bwhat do you do(?: for (?:a living|work)| these days)?\s*\?|\bwhat do you work as\b|\bwhat kind of work do you do\b|\bwhat${IS} your (?:job|occupation|profession|line of work)\b`,
  'i',
)
const QUESTIONS: readonly QuestionPattern[] = [
  [new RegExp(String.raw`\bwhat${IS} your (?:first |full |real )?name\b`, 'i'), 'My name is {}.'],
  [
    /\b(?:what|how) (?:should|can|may|do|shall) i (?:call|address) you\b|\bwho am i (?:talking|speaking) (?:to|with)\b|^your name\b/i,
    'My name is {}.',
  ],
  [/\bhow old are you\b|\byour age\b/i, 'I am {}.'],
  [
    /\bwhere (?:do|are) you (?:\p{L}+ )?(?:live|living|based|staying)\b|\bwhat (?:city|town|country) (?:do|are) you (?:live |living )?in\b/iu,
    'I live in {}.',
  ],
  [/\bwhere (?:are|do) you (?:\p{L}+ )?(?:from|come from)\b/iu, 'I am from {}.'],
  [WORK, 'I am {}.', /^(?:(?:currently|newly) )?(?:unemployed|retired|jobless)\b/i],
  [WORK, 'I am a {}.'],
  [/\bwhere did you grow up\b/i, 'I grew up in {}.'],
  [/\bwhere were you born\b/i, 'I was born in {}.'],
  [
    /\bhow old(?: is|['’]?s) your ([\p{L}-]+)(?: now| these days)?\s*\?/iu,
    'My $1 is {}.',
    /^\d{1,2}(?: (?:years?|months?|weeks?)(?: old)?)?$/i,
  ],
  [/\b(?:where|who) do you work\b/i, 'I work at {}.'],
  [
    /\b(?:any|your|have) (?:food |drug |known )?allerg(?:y|ies)\b|\ballergic to (?:any|some)|\bwhat are you allergic to\b/i,
    'I am allergic to {}.',
  ],
  [/\bwhat (?:are|do) you study(?:ing)?\b|\bwhat(?:['’]?s| is) your major\b/i, 'I study {}.'],
  [/\bwhen(?:['’]?s| is) your birthday\b|\bwhen were you born\b/i, 'My birthday is on {}.'],
  [/\b(?:what|which) languages (?:do|can) you speak\b/i, 'I speak {}.'],
  [/\bare you (?:still )?married\b/i, 'I am married {}.', /^to \p{Lu}/u],
  [
    /\bdiet(?:ary)?\b/i,
    'I am {}.',
    /^(?:an? )?(?:strict )?(?:vegan|vegetarian|pescatarian|coeliac|celiac|(?:lactose|gluten) intolerant)$/i,
  ],
  [/\bwhat (?:medication|medicine|meds)s? (?:do|are) you (?:take|taking|on)\b/i, 'I take {}.'],
  [
    /\b(?:do you have|have you got|got)(?: any)? (kids|children|siblings|brothers|sisters|dogs|cats)\b/i,
    'I have {} $1.',
    /^(?:two|three|four|five|six|[2-9])$/i,
  ],
  [
    /\b(?:do you have|have you got|got)(?: any)? (?:kids|children|siblings|brothers|sisters|pets|animals)\b|^any (?:kids|children|siblings|pets)\b/i,
    'I have {}.',
  ],
  [
    /\bwhat(?:['’]?s| is) your ([\p{L}-]+(?: [\p{L}-]+)?)(?:['’]s name| called)|\bwhat do you call your ([\p{L}-]+)/iu,
    'My $1 is called {}.',
  ],
  [/\bwhat(?:['’]?s| is) your (favou?rite [\p{L}-]+(?: [\p{L}-]+)?)\s*\?/iu, 'My $1 is {}.'],
]

/** Matches the “no” before a value: “No, Bath”. */
const NO = /^\s*(?:no|nope|nah)\b[\s,.!;:–—-]+(?=\S)/i
const PROPER = /^\p{Lu}[\p{L}\p{M}'’.-]*(?:[ ,]+\p{Lu}[\p{L}\p{M}'’.-]*){0,3}$/u
/** Questions whose value an answer corrects: “Do you live in Bristol?” – “No, Bath.” */
const CORRECTED: readonly QuestionPattern[] = [
  [/\b[Dd]o you (?:still )?live in \p{Lu}/u, 'I live in {}.', PROPER],
  [/\b[Aa]re you from \p{Lu}/u, 'I am from {}.', PROPER],
  [/\b[Dd]o you (?:still )?work (?:at|for) \p{Lu}/u, 'I work at {}.', PROPER],
  [/\b[Ii]s your name \p{Lu}|\bare you called \p{Lu}/u, 'My name is {}.', PROPER],
  [/\bare you an? [\p{L}-]+\s*\?/iu, 'I am {}.', /^an? [\p{L}-]+$/iu],
]

/** Matches a question about an imagined world. */
const IMAGINED = /\b(?:if|would|dream|story|game|role|character|imagine|pretend)\b/i
/** Matches words before the value: “I'm”, “it's”, “just”, “in”. */
const LEADS =
  /^(?:(?:oh|ah|uh|um|hmm|well|so|ok|okay|just|only|currently|still|actually|sure|yes|yeah|yep|it['’]?s|i['’]?m|i am|that['’]?s|mostly|in|at|for|as|on|from)\b[\s,.!]*)+/i
/** Matches a question back and other words after the value: “…, and you?”, “… lol”. */
const TRAILS =
  /(?:[\s,.!]+(?:(?:and |how about |what about )?(?:you|u|yourself|yours)\s*\?*|lol|haha+|though|btw|sorry|please|:\))|[\s,]*[\p{Extended_Pictographic}\uFE0F]+|[.!…]+)$/iu
/** First words of an answer without a value: “nothing”, “dunno”, “same”. */
const EVASIVE_WORDS = either(
  /no|not|none|nope|nothing|nah|never|why|what|who|where|guess|secret|dunno|idk|depends|somewhere|nowhere|anywhere|here|there|home|same|both/,
  /pass|n\/a|maybe|old|too|very|don['’]?t|can['’]?t|won['’]?t|any|all|every|good|great|fine|thanks|later|ask|call|see|tell/,
)
/** Matches evasive answers, and whole sentences, which need no completion. */
const EVADES = pattern(
  'i',
  String.raw`^(?:${EVASIVE_WORDS})\b`,
  /\?|\b(?:i|my|you|your|he|she|they|we|it|that|this|is|are|was|were|do|does|did)\b/,
)
/** Maximum words of a value. Longer answers are sentences. */
const MAX_WORDS = 8
