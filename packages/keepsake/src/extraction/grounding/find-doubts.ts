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

/** Match instructions to a machine. */
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

/**
 * Relates words to an instruction in their turn.
 *
 *
 * @param quote words of the turn; `null` for all of it
 * @returns `is` if they are the statement that is to be stored, `after` if they follow the instruction, `null` if there is none
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
 * Minimum share of a statement's content words that its evidence must contain. Of 677 LoCoMo facts, 15 % are doubted with
 * the right turn and 97 % with a wrong one.
 */
export const LEAST_SAID = 0.34
/**
 * Why words may not support a statement. `unspoken`: they are a quotation, a title or an action. `question`: they ask.
 * `supposed`: they suppose or joke. `reworded`: hardly a word is shared. `echoed`: the shared words are the agent's.
 */
export type WordingDoubt = 'unspoken' | 'question' | 'supposed' | 'reworded' | 'echoed'

const SENTENCE_END = /(?<=[.!?…。！？])\s*|\n+/u
const QUESTION = /[?？]["'”’)）]*\s*$/
const SUPPOSED =
  /\b(?:if|suppose|supposing|imagine|pretend|wish|kidding|joking|just a joke|hypothetically)\b|如果|假如|要是|假设|假装|开玩笑|逗你|骗你的/i
/** Terms that most statements have, and names of dates. */
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
 * Returns why the words of the evidence may not support the statement; `null` if there is no doubt.
 *
 * @param turns the turns of the segment
 */
export function findDoubt(
  candidate: Candidate,
  quotes: readonly Quoted[],
  turns: readonly Turn[],
): { readonly kind: WordingDoubt; readonly reason: string } | null {
  if (quotes.length === 0) return null
  if (quotes.every(isUnspoken) || saidByOthers(candidate, quotes))
    return { kind: 'unspoken', reason: 'its words are a quotation, a title or an action' }
  const sentences = quotes.flatMap(sentencesOf)
  if (sentences.every((sentence) => QUESTION.test(sentence)))
    return { kind: 'question', reason: 'it rests on a question' }
  const isSupposed = sentences.every((sentence) => SUPPOSED.test(sentence))
  if (isSupposed && !SUPPOSED.test(candidate.text))
    return { kind: 'supposed', reason: 'its words may be a supposition or a joke' }
  if (shareSaid(candidate, quotes) >= LEAST_SAID) return null
  const answered = quotes.flatMap(({ turn }) => {
    const before = turns[turns.indexOf(turn) - 1]
    return turn.role === 'user' && before?.role === 'assistant' ? [{ turn: before, quote: null }] : []
  })
  const isEchoed = answered.length > 0 && shareSaid(candidate, answered) >= LEAST_SAID
  return { kind: isEchoed ? 'echoed' : 'reworded', reason: 'hardly any of its words were said' }
}

/** Checks whether the words of a statement occur only in what the user quotes. */
function saidByOthers(candidate: Candidate, quotes: readonly Quoted[]): boolean {
  if (quotes.some(({ turn }) => turn.role !== 'user')) return false
  const spoken = quotes.map(({ turn }) => ({ turn: { ...turn, text: maskUnspoken(turn.text) } }))
  const share = shareSaid(candidate, quotes)
  return share >= LEAST_SAID && shareSaid(candidate, spoken) <= share / 2
}

/** Checks whether most of the words are quoted, or a title or action. */
function isUnspoken({ turn, quote }: Quoted): boolean {
  const text = quote ?? turn.text
  const start = quote === null ? 0 : turn.text.indexOf(quote)
  if (start === -1) return false
  const spoken = maskUnspoken(turn.text).slice(start, start + text.length)
  return countLetters(spoken) * 2 < countLetters(text)
}

function countLetters(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
}

/** Returns the sentences that contain a quote. They show whether it asks or supposes. */
function sentencesOf({ turn, quote }: Quoted): string[] {
  if (quote === null) return turn.text.split(SENTENCE_END).filter((sentence) => sentence.trim() !== '')
  const index = turn.text.indexOf(quote)
  if (index === -1) return [quote]
  const before = turn.text.slice(0, index).split(SENTENCE_END).at(-1) ?? ''
  const after = turn.text.slice(index + quote.length)
  const isWhole = /[.!?…。！？]["'”’)）]*\s*$/u.test(quote)
  return [`${before}${quote}${isWhole ? '' : (/^[^.!?…。！？\n]*[.!?…。！？]*/u.exec(after)?.[0] ?? '')}`]
}

/** Returns the share of a statement's content words that its turns contain, 0 to 1; or that of its value if that is higher. */
export function shareSaid(
  candidate: Candidate,
  quotes: readonly { readonly turn: Pick<Turn, 'text' | 'speaker'> }[],
): number {
  const speakers = quotes.map(({ turn }) => turn)
  const names = new Set(contentTerms([candidate.subject, ...namesOfSpeakers(speakers)].join(' ')))
  const said = new Set(contentTerms(quotes.map((quote) => quote.turn.text).join('\n')))
  const shares = [candidate.text, candidate.value ?? ''].flatMap((stated) => {
    const terms = contentTerms(stated).filter((term) => !names.has(term))
    return terms.length === 0 ? [] : [terms.filter((term) => said.has(term)).length / terms.length]
  })
  // Names, numbers and dates are checked separately.
  return shares.length === 0 ? 1 : Math.max(...shares)
}

/** Returns the share of a statement's content words that a text contains; 0 for a statement of one word in a longer text. */
export function shareStated(stated: string, text: string): number {
  const terms = contentTerms(stated)
  const textTerms = new Set(contentTerms(text))
  if (terms.length === 0 || (terms.length === 1 && textTerms.size > MAX_TERMS_FOR_ONE)) return 0
  return terms.filter((term) => textTerms.has(term)).length / terms.length
}

/** Maximum number of content words of a text that can repeat a statement of one word. */
const MAX_TERMS_FOR_ONE = 3

/** Checks whether some quotes contain words of the statement that the other quotes lack. */
export function saysPart(candidate: Candidate, own: readonly Quoted[], rest: readonly Quoted[]): boolean {
  const termsOf = (quotes: readonly Quoted[]): Set<string> =>
    new Set(quotes.flatMap(({ turn, quote }) => findTerms(normaliseText(quote ?? turn.text))))
  const theirs = termsOf(rest)
  const said = termsOf(own)
  const stated = [...contentTerms(candidate.text), ...(candidate.text.match(/\d+/g) ?? [])]
  return stated.some((term) => said.has(term) && !theirs.has(term))
}

/** Returns the distinct content words of a text; of Chinese, the single characters, which are the same in other wordings. */
function contentTerms(text: string): string[] {
  const terms = findTerms(normaliseText(text)).filter((term) => {
    if (COMMON_TERMS.has(term) || /^\d+$/.test(term)) return false
    if (!/\p{Script=Han}/u.test(term)) return !isEnglishFunctionWord(term)
    return term.length === 1 && !isChineseFunctionCharacter(term)
  })
  return [...new Set(terms)]
}
