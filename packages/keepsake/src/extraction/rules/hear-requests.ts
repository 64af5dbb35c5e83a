import { decodeHTML } from 'entities'
import { LRUCache } from 'lru-cache'
import {
  maskUnspoken,
  readCorrection,
  readPlainRequest,
  shippedRules,
  simplifyChinese,
  splitSentences,
  type RuleBook,
} from '@keepsake/text'
import type { Turn } from '../../turns/turn.ts'
import type { Extractor, ForgetRequest, Segment } from '../extractor.ts'

/** Maximum characters of a turn that are read; longer turns are pasted text. */
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

function cacheOf(turn: Pick<Turn, 'role' | 'text'>, rules: RuleBook): TurnRequests {
  if (turn.role !== 'user') return NO_REQUESTS
  const byTurn = requestsByRules.get(rules) ?? new WeakMap<object, TurnRequests>()
  requestsByRules.set(rules, byTurn)
  const known = byTurn.get(turn) ?? (rules.mayAsk(simplifyChinese(readPart(turn))) ? {} : NO_REQUESTS)
  byTurn.set(turn, known)
  return known
}

/** A sentence of the speaker: `text` as rules read it, without marks and quotations, and `quote` as it was written. */
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
/** Matches words after which a sentence goes on. Words in single marks elsewhere are actions of a role and stay masked. */
const GOES_ON =
  /(?:^|[\s\p{P}])(?:an?|the|my|our|to|in|at|on|of|for|with|from|by|am|is|are|was|were|called|named|i['’]?m|we['’]?re|i|we|not|no)\s+$|[对在是叫有姓住养爱过吃喝和的我]$/iu

/** Matches the sign of a list's entry at the end of a text. */
const ITEM = /(?<=^|\n)[ \t]*[-+•]\s+$/
/** Matches the ends of paragraphs and lines in HTML. */
const LINE_ENDS = /<\/(?:p|div|li)\s*>|<br\s*\/?>/gi

/** Matches signs and entities that only format words. */
const FORMATTING = /[*_`<]|&#?\w+;/
/** Matches the asterisk of a list entry. */
const STAR_OF_A_LIST = /^(\s*)\*(?= )/gm

/** Restores emphasised words, which were masked as quotations, without their marks. Code after masked words stays masked. */
function withoutMarks(written: string, own: string): string {
  let plain = own
  for (const { index, 0: marked, 1: mark = '', 2: words = '' } of written.matchAll(EMPHASIS)) {
    const before = written.slice(0, index).replace(ITEM, '').trimEnd().length - 1
    const follows =
      mark === '*' || mark === '_'
        ? GOES_ON.test(plain.slice(0, index))
        : before < 0 || own.charAt(before).trim() !== ''
    const isMasked = own.slice(index, index + marked.length).trim() === ''
    if (isMasked ? !follows : mark === '_') continue
    const blank = ' '.repeat(mark.length)
    plain = `${plain.slice(0, index)}${blank}${words}${blank}${plain.slice(index + marked.length)}`
  }
  return plain
}

/** Ends lines where HTML does. */
function withLineEnds(written: string, own: string): string {
  let plain = own
  for (const { index, 0: tag } of written.matchAll(LINE_ENDS))
    if (own.slice(index, index + tag.length).trim() === '')
      plain = `${plain.slice(0, index)}\n${plain.slice(index + 1)}`
  return plain
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
  const known = recentSentences.get(written)
  if (known !== undefined) return known
  const { text: decoded, placeOf } = decodeEntities(written)
  const listed = decoded.replaceAll(STAR_OF_A_LIST, '$1-')
  const plain = withLineEnds(listed, withoutMarks(listed, maskUnspoken(listed)))
  const sentences = splitSentences(plain).map(({ text, start }) => {
    const quote = written.slice(placeOf(start), placeOf(start + text.length))
    return { text: FORMATTING.test(quote) ? tidySpaces(text) : text, quote }
  })
  if (written.length <= MAX_CACHED_CHARACTERS) recentSentences.set(written, sentences)
  return sentences
}

/** Returns the sure requests to forget in the turns of a segment. */
export function askedIn({ asked, turns }: Segment, rules?: RuleBook): readonly ForgetRequest[] {
  const own = new Set(turns.map((turn) => turn.id))
  return asked?.filter(({ evidence }) => own.has(evidence.turn)) ?? hearRequests(turns, rules)
}

/** Finds the sure requests to forget in turns, in order. */
export function hearRequests(turns: readonly Turn[], rules?: RuleBook): ForgetRequest[] {
  return hearAllRequests(turns, rules).filter(({ doubt }) => doubt === undefined)
}

/** Finds all requests to forget in turns, in order, also those that wait for the user's yes. */
export function hearAllRequests(turns: readonly Turn[], rules: RuleBook = shippedRules()): ForgetRequest[] {
  return turns.flatMap((turn) => {
    const cache = cacheOf(turn, rules)
    cache.requests ??= requestsIn(turn, rules)
    // Copies protect the cache.
    return cache.requests.map((request) => ({ ...request, evidence: { ...request.evidence } }))
  })
}

/** Returns the sentences that may be requests: the speaker's own, or, if there are none, those of a numbered document. */
function possibleRequestsIn(turn: Turn): readonly OwnSentence[] {
  const own = sentencesOf(turn)
  if (own.some(({ text }) => /\p{L}/u.test(text))) return own
  const written = splitSentences(readPart(turn)).map(({ text }) => ({ text, quote: text }))
  return written.some(({ text }) => NUMBERS.test(text)) ? written : []
}

function requestsIn(turn: Turn, rules: RuleBook): ForgetRequest[] {
  return possibleRequestsIn(turn).flatMap(({ text: said, quote }, at, sentences): ForgetRequest[] => {
    if (!rules.mayAsk(said)) return []
    // “Scratch that, it's Tuesday” is a correction, of which the new words are read.
    const correction = readCorrection([said])
    const text = correction?.isExplicit === true ? (correction.right ?? said) : said
    if (rules.isWide(text)) return []
    const evidence = { turn: turn.id, quote }
    const inPassage = isInPassage(sentences, at) ? ({ doubt: 'passage' } as const) : {}
    const next = sentences[at + 1]?.text ?? ''
    const request = rules.requestIn(text.replace(BARE, (said) => `${said.slice(0, -1)}, ${next}`))
    const plain = (request?.about ?? null) === null ? readPlainRequest(text, sentences[at - 1]?.text) : null
    if (request === null) {
      if (plain === null) return []
      const isAlone = sentences.every(({ text }, place) => place === at || !/\p{L}/u.test(text))
      const verb = isAlone && plain.verb !== undefined ? { verb: plain.verb } : {}
      const doubt = plain.isSure ? {} : ({ doubt: 'verb', ...verb } as const)
      return [{ kind: 'forget', about: plain.about, evidence, isByVerb: true, ...doubt, ...inPassage }]
    }
    const around = [sentences[at - 1], sentences[at + 1]].map((one) => rules.matterIn(one?.text ?? ''))
    // A request may name nothing (“That's private, don't store it.”). Then the sentences around it may name the matter.
    const isNamed = plain?.about?.split(' ').some((word) => !request.read.includes(word)) === true
    const named = isNamed ? plain.about : null
    const about = request.about ?? around.find((matter) => matter !== null) ?? named
    return [{ kind: 'forget', about, lead: request.lead, evidence, ...inPassage }]
  })
}

/** Matches a request of a few words that is a sentence by itself. The next sentence is read with it. */
const BARE = /^\W*(?:forget|忘)[^,，]{0,12}[.!。！]$/iu
/** Matches words by which users speak about themselves or to the agent. */
const PERSONAL =
  /\b(?:i|me|my|mine|we|our|us|you|your|please|thanks|sorry|yo|mi|tu|ich|mein\w*|du|je|j|moi|mon|ma|eu|meu|minha)\b|[我咱你您请謝谢]|私|僕|俺|저|제|나|내/iu
/** Matches a sentence that only contains the number of a section: “Section 9.”, “Step 2.”. */
const NUMBERS = /^\W*(?:\p{L}+\s+)?\d+[.):]?\W*$|^第\S{1,4}[章节条步]/u

/** Matches a sentence that introduces the words of another: “Is this polite?”, “She wrote back.”, 他这么说的。 */
const INTRODUCES_QUOTE =
  /^(?!.*\b(?:I|we|you)\b).*(?:\b(?:this|these|the following)\b.*\?|\b(?:said|says|wrote|writes|replied|answered|texted|reads|goes)\b(?:\s+(?:me|us|back|this|so|like this|the following|as follows))*\W*)$|^(?!.*[我咱][^的]*(?:说|写|讲|回|答|发|问)).*(?:说|写|讲|回复?|答|发|问)的\W*$/iu

/** Checks whether a sentence follows an introduction of another's words, or is among sentences without a speaker, as in a pasted page. */
export function isInPassage(sentences: readonly OwnSentence[], position: number): boolean {
  if (INTRODUCES_QUOTE.test(sentences[position - 1]?.text ?? '')) return true
  const otherSentences = sentences.filter(({ text }, index) => index !== position && /\p{L}/u.test(text))
  if (otherSentences.length === 0) return false
  const isNumbered = otherSentences.some(({ text }) => NUMBERS.test(text))
  return isNumbered || (otherSentences.length > 1 && otherSentences.every(({ text }) => !PERSONAL.test(text)))
}

/** A request to forget everything. */
export interface WideRequest {
  readonly turn: string
  readonly quote: string
}

/** Finds the requests to forget everything: the last such sentence of each turn. */
export function hearWideRequests(
  turns: readonly Pick<Turn, 'id' | 'role' | 'text'>[],
  rules: RuleBook = shippedRules(),
): WideRequest[] {
  return turns.flatMap((turn) => {
    const cache = cacheOf(turn, rules)
    if (cache.wide === undefined)
      cache.wide = sentencesOf(turn).findLast(({ text }) => rules.isWide(text))?.quote ?? null
    return cache.wide === null ? [] : [{ turn: turn.id, quote: cache.wide }]
  })
}

/** Makes an extractor that only finds requests to forget, for presets without facts. */
export function requestRules(): Extractor {
  return {
    id: 'request-rules/1',
    extract: (segment, options) => ({ candidates: [], requests: askedIn(segment, options?.rules) }),
  }
}
