// Finds reasons to doubt that the words of a turn state what a candidate says: instructions, quotations, questions, jokes.
import {
  findTerms,
  isChineseFunctionCharacter,
  isEnglishFunctionWord,
  maskUnspoken,
  normaliseText,
} from '@keepsake/text'
import type { Candidate } from '../../memories/candidate.ts'
import type { Turn } from '../../turns/turn.ts'
import { namesOfSpeakers } from './find-unsupported.ts'

/**
 * Finds how a quote relates to an instruction in its turn.
 *
 * @param quote words of the turn; `null` for the whole turn
 * @returns `is` if the quote is the statement that the instruction wants to store, such as “the user loves X”; `after` if
 *   the quote only follows the instruction; `null` if no instruction comes before it
 */
export function findInstruction(text: string, quote: string | null): 'is' | 'after' | null {
  const places = INSTRUCTIONS.map((pattern) => text.search(pattern)).filter((place) => place >= 0)
  if (places.length === 0) return null
  const end = quote === null ? text.length : text.indexOf(quote) + quote.length
  if (end <= Math.min(...places)) return null
  return THIRD_PERSON.test(quote ?? text) ? 'is' : 'after'
}

/** Checks whether a text contains an instruction to a machine. */
export function isInstruction(text: string): boolean {
  return INSTRUCTIONS.some((pattern) => pattern.test(text))
}

/** A turn of evidence with the quoted words. */
export interface Quoted {
  readonly turn: Turn
  /** `null` for the whole turn. */
  readonly quote: string | null
}

/**
 * Minimum share of a statement's content words that its evidence must contain. With this value, 15 % of 677 facts of the
 * benchmark LoCoMo are doubted with their right turn as evidence, and 97 % with a wrong turn.
 */
export const MIN_SAID_SHARE = 0.34
/**
 * Why evidence may not support a statement. `unspoken`: it is a quotation, a title or an action. `question`: it has only
 * questions. `supposed`: it is a supposition or a joke. `reworded`: it shares hardly a word with the statement. `echoed`:
 * the statement has the words of the agent's turn before.
 */
export type WordingDoubt = 'unspoken' | 'question' | 'supposed' | 'reworded' | 'echoed'

const SENTENCE_END = /(?<=[.!?…。！？])\s*|\n+/u
const QUESTION = /[?？]["'”’)）]*\s*$/
const SUPPOSED =
  /\b(?:if|suppose|supposing|imagine|pretend|wish|kidding|joking|just a joke|hypothetically)\b|如果|假如|要是|假设|假装|开玩笑|逗你|骗你的/i
/** Terms of most statements and of dates, which are not compared. */
const COMMON_TERMS = new Set(
  findTerms(
    [
      'user users agent assistant say said mention mentioned told 用户 助手 角色',
      'january february march april may june july august september october november december',
      'monday tuesday wednesday thursday friday saturday sunday 年 月 日 号',
    ].join(' '),
  ),
)

/**
 * Returns why the evidence may not support the statement; `null` if there is no doubt.
 *
 * @param turns the turns of the segment
 */
export function findDoubt(
  candidate: Candidate,
  quotes: readonly Quoted[],
  turns: readonly Turn[],
): { readonly kind: WordingDoubt; readonly reason: string } | null {
  if (quotes.length === 0) return null
  if (quotes.every(isUnspoken) || isSaidByOthers(candidate, quotes))
    return { kind: 'unspoken', reason: 'its words are a quotation, a title or an action' }
  const sentences = quotes.flatMap(sentencesOf)
  if (sentences.every((sentence) => QUESTION.test(sentence)))
    return { kind: 'question', reason: 'it rests on a question' }
  const isSupposed = sentences.every((sentence) => SUPPOSED.test(sentence))
  if (isSupposed && !SUPPOSED.test(candidate.text))
    return { kind: 'supposed', reason: 'its words may be a supposition or a joke' }
  if (shareSaid(candidate, quotes) >= MIN_SAID_SHARE) return null
  const turnsOfAgentBefore = quotes.flatMap(({ turn }) => {
    const before = turns[turns.indexOf(turn) - 1]
    return turn.role === 'user' && before?.role === 'assistant' ? [{ turn: before }] : []
  })
  const isEchoed = turnsOfAgentBefore.length > 0 && shareSaid(candidate, turnsOfAgentBefore) >= MIN_SAID_SHARE
  return { kind: isEchoed ? 'echoed' : 'reworded', reason: 'hardly any of its words were said' }
}

/** Checks whether the words of a statement occur mostly in text that the user quotes. */
function isSaidByOthers(candidate: Candidate, quotes: readonly Quoted[]): boolean {
  if (quotes.some(({ turn }) => turn.role !== 'user')) return false
  const spoken = quotes.map(({ turn }) => ({ turn: { ...turn, text: maskUnspoken(turn.text) } }))
  const share = shareSaid(candidate, quotes)
  return share >= MIN_SAID_SHARE && shareSaid(candidate, spoken) <= share / 2
}

/** Checks whether most of the words are quoted text, a title or an action. */
function isUnspoken({ turn, quote }: Quoted): boolean {
  const text = quote ?? turn.text
  const start = quote === null ? 0 : turn.text.indexOf(quote)
  if (start === -1) return false
  const spoken = maskUnspoken(turn.text).slice(start, start + text.length)
  return countLetters(spoken) * 2 < countLetters(text)
}

/** Counts the letters and digits of a text. */
export function countLetters(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
}

/** Returns the whole sentences of a quote, which show whether it is part of a question or supposition. */
function sentencesOf({ turn, quote }: Quoted): string[] {
  if (quote === null) return turn.text.split(SENTENCE_END).filter((sentence) => sentence.trim() !== '')
  const index = turn.text.indexOf(quote)
  if (index === -1) return [quote]
  const before = turn.text.slice(0, index).split(SENTENCE_END).at(-1) ?? ''
  const endsSentence = /[.!?…。！？]["'”’)）]*\s*$/u.test(quote)
  if (endsSentence) return [`${before}${quote}`]
  const after = turn.text.slice(index + quote.length)
  const restOfSentence = /^[^.!?…。！？\n]*[.!?…。！？]*/u.exec(after)?.[0] ?? ''
  return [`${before}${quote}${restOfSentence}`]
}

/** Returns the share of the statement's content words that the turns contain, 0 to 1. The share of its value counts if it is higher. */
export function shareSaid(
  candidate: Candidate,
  quotes: readonly { readonly turn: Pick<Turn, 'text' | 'speaker'> }[],
): number {
  const speakers = quotes.map(({ turn }) => turn)
  const names = new Set(contentTerms([candidate.subject, ...namesOfSpeakers(speakers)].join(' ')))
  const saidTerms = new Set(contentTerms(quotes.map((quote) => quote.turn.text).join('\n')))
  const shares = [candidate.text, candidate.value ?? ''].flatMap((stated) => {
    const terms = contentTerms(stated).filter((term) => !names.has(term))
    return terms.length === 0 ? [] : [terms.filter((term) => saidTerms.has(term)).length / terms.length]
  })
  // Names, numbers and dates are checked separately.
  return shares.length === 0 ? 1 : Math.max(...shares)
}

/** Returns the share of a statement's content words in a text. A statement of one word is never found in a longer text. */
export function shareStated(stated: string, text: string): number {
  const terms = contentTerms(stated)
  const textTerms = new Set(contentTerms(text))
  if (terms.length === 0 || (terms.length === 1 && textTerms.size > MAX_TERMS_FOR_ONE)) return 0
  return terms.filter((term) => textTerms.has(term)).length / terms.length
}

/** Maximum number of content words of a text that may repeat a statement of one word. Chosen, not measured. */
const MAX_TERMS_FOR_ONE = 3

/** Checks whether some quotes contain a word or number of the statement that the other quotes do not contain. */
export function saysPart(
  candidate: Candidate,
  quotes: readonly Quoted[],
  otherQuotes: readonly Quoted[],
): boolean {
  const termsOf = (some: readonly Quoted[]): Set<string> =>
    new Set(some.flatMap(({ turn, quote }) => findTerms(normaliseText(quote ?? turn.text))))
  const onlyInQuotes = termsOf(quotes).difference(termsOf(otherQuotes))
  const stated = [...contentTerms(candidate.text), ...(candidate.text.match(/\d+/g) ?? [])]
  return stated.some((term) => onlyInQuotes.has(term))
}

/** Returns the distinct content words of a text. Chinese words are compared by character, because their forms vary. */
function contentTerms(text: string): string[] {
  const terms = findTerms(normaliseText(text)).filter((term) => {
    if (COMMON_TERMS.has(term) || /^\d+$/.test(term)) return false
    if (!/\p{Script=Han}/u.test(term)) return !isEnglishFunctionWord(term)
    return term.length === 1 && !isChineseFunctionCharacter(term)
  })
  return [...new Set(terms)]
}

/** Match instructions to a machine, such as “ignore all previous instructions”. */
const INSTRUCTIONS = [
  /\b(?:ignore|disregard|forget|override|bypass)\b[^.!?\n]{0,40}\b(?:instructions?|prompts?|guidelines?|rules)\b/i,
  /\bsystem\s+(?:prompt|message|override|instruction)\b/i,
  /(?:^|["“‘'「『(])\s*(?:\[|<|#+\s*)?(?:system|assistant|developer)\b\s*[\]>]?\s*:/im,
  /\b(?:delete|erase|wipe|clear|remove)\b[^.!?\n]{0,40}\b(?:memory|memories|everything you know)\b/i,
  /\b(?:add|store|save|write|insert|record|output|append)\b[^.!?\n]{0,40}\b(?:memory|memories|json|database|persona sheet)\b/i,
  /(?:忽略|无视|忘掉|忘记|不要理会)[^。！？\n]{0,15}(?:指令|提示词?|规则|设定)/,
  /系统(?:提示|指令|消息|命令)|^\s*系统\s*[:：]/m,
  /(?:删除|清空|抹掉|清除)[^。！？\n]{0,12}(?:记忆|数据库|资料库)/,
  /(?:写入|存入|存进|加入|添加到|记入)[^。！？\n]{0,12}(?:记忆|数据库|资料库|JSON)/i,
]
/** Matches statements about "the user", which users do not write themselves. */
const THIRD_PERSON =
  /\bthe user(?:'s|’s)?\s+\p{L}|^\W*user\s+(?:is|has|likes|loves|lives|wants)\b|(?<!其他|所有|新|老)用户(?:是|的|叫|喜欢|住|有|已|想)/iu
