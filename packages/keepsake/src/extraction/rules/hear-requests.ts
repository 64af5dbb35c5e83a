// Finds requests to forget by rules, in the user's own sentences.
import { decodeHTML } from 'entities'
import { LRUCache } from 'lru-cache'
import {
  isHardlyRequest,
  isOfAnother,
  maskUnspoken,
  meansLastWords,
  readCorrection,
  readIntent,
  readPlainRequest,
  shippedRules,
  simplifyChinese,
  splitSentences,
  topicOfRequest,
  type RuleBook,
} from '@keepsake/text'
import { isToAssistant, type Turn } from '../../turns/turn.ts'
import type { Extractor, ForgetRequest, Segment } from '../extractor.ts'
import { type AddressingTurn, findAddressedPerson } from './find-addressee.ts'

/** Maximum characters of a turn that rules read. Longer turns are pasted text. */
const MAX_CHARACTERS = 20_000

/** Returns the part of a turn that rules read. */
export function readPart({ text }: Pick<Turn, 'text'>): string {
  return text.slice(0, MAX_CHARACTERS)
}

/** The requests of a turn, each computed on first use. */
interface TurnRequests {
  requests?: readonly ForgetRequest[]
  /** The words of a request to forget everything; `null` if there is none. */
  wide?: string | null
}

/** The requests of every turn that cannot contain one. */
const NO_REQUESTS: TurnRequests = { requests: [], wide: null }

/** Caches the requests by rules and turn, because several steps ask for them. */
const requestsByRules = new WeakMap<RuleBook, WeakMap<object, TurnRequests>>()

/** Returns the cached requests of a turn. Callers compute what is missing. */
function cacheOf(turn: AddressingTurn, rules: RuleBook): TurnRequests {
  if (!isToAssistant(turn)) return NO_REQUESTS
  const byTurn = requestsByRules.get(rules) ?? new WeakMap<object, TurnRequests>()
  requestsByRules.set(rules, byTurn)
  const cached = byTurn.get(turn)
  if (cached !== undefined) return cached
  const entry = mayHoldRequest(simplifyChinese(readPart(turn)), rules) ? {} : NO_REQUESTS
  byTurn.set(turn, entry)
  return entry
}

/** Checks whether a text may hold a request to forget. Most texts hold none, and need no other test. */
export function mayHoldRequest(text: string, rules: RuleBook): boolean {
  return rules.mayAsk(text) || splitSentences(text).some((sentence) => readIntent(sentence.text) === 'forget')
}

/** A sentence of the speaker. `text` has no marks and quotations. `quote` is the sentence as it was written. */
export interface OwnSentence {
  readonly text: string
  readonly quote: string
}

/** Caches the sentences of recent turns, because several steps read them. */
const recentSentences = new LRUCache<string, readonly OwnSentence[]>({ max: 128 })
/** Maximum characters of a text whose sentences are cached. */
const MAX_CACHED_CHARACTERS = 2_000

/** Matches emphasised words and code of Markdown. */
const EMPHASIS = /(\*{1,3}|__?|`)(?=[^\s*_`])([^\n*`]*?)\1/g
/** Words with which no sentence ends. */
const UNFINISHED_WORDS =
  "an?|the|my|our|to|in|at|on|of|for|with|from|by|am|is|are|was|were|called|named|i['’]?m|we['’]?re|i|we|not|no"
/**
 * Matches the end of a text after which its sentence continues: “I live in”. Words in single marks after it are emphasised.
 * Elsewhere such words describe actions (*waves*), and stay masked.
 */
const UNFINISHED = new RegExp(
  String.raw`(?:^|[\s\p{P}])(?:${UNFINISHED_WORDS})\s+$|[对在是叫有姓住养爱过吃喝和的我]$`,
  'iu',
)

/** Matches the sign of a list entry at the end of a text. */
const LIST_SIGN = /(?<=^|\n)[ \t]*[-+•]\s+$/
/** Matches the ends of paragraphs and lines in HTML. */
const LINE_ENDS = /<\/(?:p|div|li|h[1-6])\s*>|<br\s*\/?>/gi

/** Matches signs and HTML entities that only format words. */
const FORMATTING = /[*_`<~]|\]\(|&#?\w+;/
/** Matches the asterisk of a list entry. */
const LIST_ASTERISK = /^(\s*)\*(?= )/gm

/**
 * Restores emphasised words, which `maskUnspoken` masks like quotations, and removes their marks. Code after masked words
 * stays masked, because it belongs to the quotation.
 */
function restoreEmphasis(written: string, masked: string): string {
  let restored = masked
  for (const { index, 0: marked, 1: mark = '', 2: words = '' } of written.matchAll(EMPHASIS)) {
    const placeBefore = written.slice(0, index).replace(LIST_SIGN, '').trimEnd().length - 1
    const followsOwnWords = placeBefore < 0 || masked.charAt(placeBefore).trim() !== ''
    const isSingle = mark === '*' || mark === '_'
    const isEmphasis = isSingle ? UNFINISHED.test(restored.slice(0, index)) : followsOwnWords
    const isMasked = masked.slice(index, index + marked.length).trim() === ''
    // Underscores that were not masked are part of a word, such as a file name.
    if (isMasked ? !isEmphasis : mark === '_') continue
    const blank = ' '.repeat(mark.length)
    restored = `${restored.slice(0, index)}${blank}${words}${blank}${restored.slice(index + marked.length)}`
  }
  return restored
}

/** Replaces masked HTML tags that end a line or paragraph by line breaks. */
function restoreLineBreaks(written: string, masked: string): string {
  let restored = masked
  for (const { index, 0: tag } of written.matchAll(LINE_ENDS))
    if (masked.slice(index, index + tag.length).trim() === '')
      restored = `${restored.slice(0, index)}\n${restored.slice(index + 1)}`
  return restored
}

/** Decodes HTML entities. `placeOf` maps a place in the result to its place in the written text. */
function decodeEntities(written: string): {
  readonly text: string
  readonly placeOf: (at: number) => number
} {
  if (!written.includes('&')) return { text: written, placeOf: (at) => at }
  const places: number[] = []
  const text = written.replaceAll(
    /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,31});|[^]/gi,
    (piece, place: number) => {
      const decoded = decodeHTML(piece).replaceAll('\u00a0', ' ')
      places.push(...Array.from({ length: decoded.length }, () => place))
      return decoded
    },
  )
  return { text, placeOf: (at) => places[at] ?? written.length }
}

/** Matches the sign of an item within a line: “1) …”, “(b) …”, “3. …”. */
const ITEM_SIGN = /(?<=^|\s)\(?(?:(?<number>\d{1,2})[).]|(?<letter>[a-h])\))(?=\s+\S)/gim

/** Ends the sentence before each item that is counted within a line: “1) I'm a nurse 2) I live in Ely”. */
function separateItems(written: string, masked: string): string {
  let separated = masked
  let count = 0
  for (const { index, 0: sign, groups } of written.matchAll(ITEM_SIGN)) {
    const { number, letter = '' } = groups ?? {}
    // The letter a is item 1.
    const item = number === undefined ? letter.toLowerCase().charCodeAt(0) - 96 : Number(number)
    if (item !== count + 1 && item !== 1) continue
    count = item
    separated = `${separated.slice(0, index)}${'\n'.padEnd(sign.length)}${separated.slice(index + sign.length)}`
  }
  return count < 2 ? masked : separated
}

/** Removes spaces that masked marks left. */
function tidySpaces(text: string): string {
  return text
    .replaceAll(/ {2,}/g, ' ')
    .replaceAll(/(?<=\p{Script=Han}) (?=\p{Script=Han})/gu, '')
    .replaceAll(/ (?=[.,!?;:])/g, '')
    .trim()
}

/** Returns the speaker's own sentences in a turn, without quoted and pasted text. */
export function sentencesOf(turn: Pick<Turn, 'text'>): readonly OwnSentence[] {
  const written = readPart(turn)
  const cached = recentSentences.get(written)
  if (cached !== undefined) return cached
  const { text: decoded, placeOf } = decodeEntities(written)
  const listed = decoded.replaceAll(LIST_ASTERISK, '$1-')
  const emphasised = restoreEmphasis(listed, maskUnspoken(listed))
  const plain = separateItems(listed, restoreLineBreaks(listed, emphasised))
  const sentences = splitSentences(plain).map(({ text, start }) => {
    const quote = written.slice(placeOf(start), placeOf(start + text.length))
    return { text: FORMATTING.test(quote) ? tidySpaces(text) : text, quote }
  })
  if (written.length <= MAX_CACHED_CHARACTERS) recentSentences.set(written, sentences)
  return sentences
}

/** Returns the sure requests to forget in the turns of a segment. `asked` may also have those of the turns before it. */
export function sureRequestsIn({ asked, turns }: Segment, rules?: RuleBook): readonly ForgetRequest[] {
  const ids = new Set(turns.map((turn) => turn.id))
  return asked?.filter(({ evidence }) => ids.has(evidence.turn)) ?? hearRequests(turns, rules)
}

/** Finds the sure requests to forget in turns, in order. */
export function hearRequests(
  turns: readonly Turn[],
  rules?: RuleBook,
  users?: readonly string[],
): ForgetRequest[] {
  return hearAllRequests(turns, rules, users).filter(({ doubt }) => doubt === undefined)
}

/**
 * Finds all requests to forget in turns, in order, also doubtful ones that need the user's yes.
 *
 * @param users names of the users who speak. A sentence that calls one of them is no request to the memory.
 */
export function hearAllRequests(
  turns: readonly Turn[],
  rules: RuleBook = shippedRules(),
  users: readonly string[] = [],
): ForgetRequest[] {
  return turns.flatMap((turn) => {
    const cache = cacheOf(turn, rules)
    cache.requests ??= requestsIn(turn, rules)
    return cache.requests.flatMap((request): ForgetRequest[] => {
      const addressed = findAddressedPerson(turn, request.evidence.quote, users)
      if (addressed === 'in-sentence') return []
      // Returns copies, so that callers cannot change the cache.
      const copy = { ...request, evidence: { ...request.evidence } }
      return [addressed === null ? copy : { ...copy, doubt: 'passage' }]
    })
  })
}

/** Returns the sentences that may be requests: the speaker's own, else all of a document with numbered sections. */
function possibleRequestsIn(turn: Turn): readonly OwnSentence[] {
  const ownSentences = sentencesOf(turn)
  if (ownSentences.some(({ text }) => /\p{L}/u.test(text))) return ownSentences
  const written = splitSentences(readPart(turn)).map(({ text }) => ({ text, quote: text }))
  return written.some(({ text }) => SECTION_NUMBER.test(text)) ? written : []
}

/** Matches a sentence that takes back the request before it: “Actually no, keep it.”, 算了，还是记着吧. */
const TAKES_BACK = [
  /^(?:(?:no|wait|actually|hm+|oh|on second thoughts?|never ?mind|scratch that)\b[\s,.!–—-]*)+(?:please |just )?(?:keep|leave|remember) (?:it|that|this|him|her|them)(?!\s+(?:out|away|off|from|secret|private)\b)/i,
  /^(?:(?:no|wait|actually)\b[\s,]*)+(?:please )?(?:do not|don['’]?t) (?:forget|delete|remove|erase) (?:it|that|this|him|her|them)\b/i,
  /^(?:不|算了|等等|等一下|还是)[，,\s]*(?:还是)?(?:别(?:忘|删)|不用(?:忘|删)|留着|记着)/,
]

function requestsIn(turn: Turn, rules: RuleBook): ForgetRequest[] {
  const sentences = possibleRequestsIn(turn)
  const isTakenBack = (index: number): boolean =>
    TAKES_BACK.some((words) => words.test(sentences[index + 1]?.text ?? ''))
  return sentences.flatMap((_, index) => {
    const request = isTakenBack(index) ? null : readRequest(turn, sentences, index, rules)
    if (request === null) return []
    const isDoubtful =
      request.doubt === undefined && [turn.text, request.evidence.quote ?? ''].every(isHardlyRequest)
    return [isDoubtful ? { ...request, doubt: 'verb' as const } : request]
  })
}

/** Reads one sentence of a turn as a request to forget; `null` if it is none. */
function readRequest(
  turn: Turn,
  sentences: readonly OwnSentence[],
  index: number,
  rules: RuleBook,
): ForgetRequest | null {
  const { text: written = '', quote = '' } = sentences[index] ?? {}
  // The classifier hears requests whose words no rule has. They wait for the user's yes.
  const isByIntent = readIntent(written) === 'forget' && !isOfAnother(written)
  if (!rules.mayAsk(written) && !isByIntent) return null
  // “Scratch that, it's Tuesday” is a correction, of which the new words are read.
  const correction = readCorrection([written])
  const text = correction?.isExplicit === true ? (correction.right ?? written) : written
  if (rules.isWide(text)) return null
  const evidence = { turn: turn.id, quote }
  const passageDoubt = isInPassage(sentences, index) ? ({ doubt: 'passage' } as const) : {}
  const previous = sentences[index - 1]?.text
  const next = sentences[index + 1]?.text ?? ''
  const request = rules.requestIn(text.replace(BARE, (bare) => `${bare.slice(0, -1)}, ${next}`))
  const plain = (request?.about ?? null) === null ? readPlainRequest(text, previous) : null
  if (request === null) {
    const guessed = plain === null && isByIntent ? topicOfRequest(text) : null
    // Short remarks such as “All over it” name no topic.
    if (guessed !== null)
      return { kind: 'forget', about: guessed, evidence, isByVerb: true, doubt: 'topic', ...passageDoubt }
    if (plain === null) return null
    const isAlone = sentences.every((other, place) => place === index || !/\p{L}/u.test(other.text))
    const verb = isAlone && plain.verb !== undefined ? { verb: plain.verb } : {}
    const verbDoubt = plain.isSure ? {} : ({ doubt: 'verb', ...verb } as const)
    return {
      kind: 'forget',
      about: topicOf(plain.about, text),
      evidence,
      isByVerb: true,
      ...verbDoubt,
      ...passageDoubt,
    }
  }
  // A request may name nothing (“That's private, don't store it.”). Then the sentences around it may name the matter.
  const matterAround = rules.matterIn(previous ?? '') ?? rules.matterIn(next)
  const isNamed = plain?.about?.split(' ').some((word) => !request.read.includes(word)) === true
  const about = request.about ?? matterAround ?? (isNamed ? plain.about : null)
  return { kind: 'forget', about: topicOf(about, text), lead: request.lead, evidence, ...passageDoubt }
}

/** Returns the topic of a request; `null` for the preceding statement, also where it is described: “my last message”. */
function topicOf(about: string | null, said: string): string | null {
  return about === null || meansLastWords(about, said) ? null : about
}

/** Matches a request of a few words: “Forget it.” The rules read the next sentence with it. */
const BARE = /^\W*(?:forget|忘)[^,，]{0,12}[.!。！]$/iu
/** Matches words by which users speak about themselves or to the agent. */
const PERSONAL =
  /\b(?:i|me|my|mine|we|our|us|you|your|please|thanks|sorry|yo|mi|tu|ich|mein\w*|du|je|j|moi|mon|ma|eu|meu|minha)\b|[我咱你您请謝谢]|私|僕|俺|저|제|나|내/iu
/** Matches a sentence that only contains the number of a section: “Section 9.”, “Step 2.”. */
const SECTION_NUMBER = /^\W*(?:\p{L}+\s+)?\d+[.):]?\W*$|^第\S{1,4}[章节条步]/u

const VERBS_OF_SAYING = 'said|says|wrote|writes|replied|answered|texted|reads|goes'
const WORDS_AFTER_SAYING = 'me|us|back|this|so|like this|the following|as follows'
/** Matches a sentence that introduces the words of another person: “Is this polite?”, “She wrote back.”, 他这么说的。 */
const INTRODUCES_QUOTE = new RegExp(
  [
    String.raw`^(?!.*\b(?:I|we|you)\b).*(?:\b(?:this|these|the following)\b.*\?|\b(?:${VERBS_OF_SAYING})\b(?:\s+(?:${WORDS_AFTER_SAYING}))*\W*)$`,
    String.raw`^(?!.*[我咱][^的]*(?:说|写|讲|回|答|发|问)).*(?:说|写|讲|回复?|答|发|问)的\W*$`,
  ].join('|'),
  'iu',
)

/** Checks whether a sentence follows an introduction of another's words, or belongs to a pasted page, which has no speaker. */
export function isInPassage(sentences: readonly OwnSentence[], position: number): boolean {
  if (INTRODUCES_QUOTE.test(sentences[position - 1]?.text ?? '')) return true
  const otherSentences = sentences.filter(({ text }, index) => index !== position && /\p{L}/u.test(text))
  if (otherSentences.length === 0) return false
  const isNumbered = otherSentences.some(({ text }) => SECTION_NUMBER.test(text))
  return isNumbered || (otherSentences.length > 1 && otherSentences.every(({ text }) => !PERSONAL.test(text)))
}

/** A request to forget everything. */
export interface WideRequest {
  readonly turn: string
  readonly quote: string
}

/** Finds the requests to forget everything: the last such sentence of each turn. */
export function hearWideRequests(
  turns: readonly (AddressingTurn & Pick<Turn, 'id'>)[],
  rules: RuleBook = shippedRules(),
  users: readonly string[] = [],
): WideRequest[] {
  return turns.flatMap((turn) => {
    const cache = cacheOf(turn, rules)
    if (cache.wide === undefined)
      cache.wide = sentencesOf(turn).findLast(({ text }) => rules.isWide(text))?.quote ?? null
    const isHeard = cache.wide !== null && findAddressedPerson(turn, cache.wide, users) !== 'in-sentence'
    return cache.wide === null || !isHeard ? [] : [{ turn: turn.id, quote: cache.wide }]
  })
}

/** Makes an extractor that only finds requests to forget, for presets without facts. */
export function requestRules(): Extractor {
  return {
    id: 'request-rules/1',
    extract: (segment, options) => ({ candidates: [], requests: sureRequestsIn(segment, options?.rules) }),
  }
}
