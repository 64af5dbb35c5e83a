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

/** Characters read of a turn; longer turns are pasted text. */
const MOST_CHARACTERS = 20_000

export function readPart({ text }: Pick<Turn, 'text'>): string {
  return text.slice(0, MOST_CHARACTERS)
}

/** Cached findings of a turn, computed on first use. */
interface RequestFindings {
  requests?: readonly ForgetRequest[]
  /** The words of a request to forget everything; `null` if there is none. */
  wide?: string | null
}

/** Shared by turns without requests. */
const SILENT: RequestFindings = { requests: [], wide: null }

/** Findings by rules and turn; several steps ask about each turn. */
const heardBy = new WeakMap<RuleBook, WeakMap<object, RequestFindings>>()

function heardIn(turn: Pick<Turn, 'role' | 'text'>, rules: RuleBook): RequestFindings {
  if (turn.role !== 'user') return SILENT
  const known = heardBy.get(rules) ?? new WeakMap<object, RequestFindings>()
  heardBy.set(rules, known)
  const heard = known.get(turn) ?? (rules.mayAsk(simplifyChinese(readPart(turn))) ? {} : SILENT)
  known.set(turn, heard)
  return heard
}

/** A sentence of the speaker as it is read, in simplified characters, and as it was written. */
export interface OwnSentence {
  readonly text: string
  readonly quote: string
}

/** Caches the sentences of recent turns, which several steps read. */
const latest = new LRUCache<string, readonly OwnSentence[]>({ max: 128 })
/** Maximum length of a cached text. */
const LONGEST_KEPT = 2_000

/** Matches words that Markdown prints bold or as code. Single asterisks mark what a role does. */
const EMPHASIS = /(\*{2,3}|__|`)(?=[^\s*_`])([^\n*`]*?)\1/g

/** Matches what formats words and is no part of them. */
const FORMATTING = /\*\*|__|`|<|&#?\w+;/
const STAR_OF_A_LIST = /^(\s*)\*(?= )/gm

/** Puts emphasised words, without their marks, back among own words. Code counts as pasted where it does not follow own words. */
function withoutMarks(written: string, own: string): string {
  let plain = own
  for (const { index, 0: marked, 1: mark = '', 2: words = '' } of written.matchAll(EMPHASIS)) {
    const before = written.slice(0, index).trimEnd().length - 1
    const follows = before < 0 || own.charAt(before).trim() !== ''
    if (!follows && own.slice(index, index + marked.length).trim() === '') continue
    const blank = ' '.repeat(mark.length)
    plain = `${plain.slice(0, index)}${blank}${words}${blank}${plain.slice(index + marked.length)}`
  }
  return plain
}

/** Decodes entities of HTML, and returns where each character and the end stood. */
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

export function sentencesOf(turn: Pick<Turn, 'text'>): readonly OwnSentence[] {
  const written = readPart(turn)
  const known = latest.get(written)
  if (known !== undefined) return known
  const { text: decoded, placeOf } = decodeEntities(written)
  const listed = decoded.replaceAll(STAR_OF_A_LIST, '$1-')
  const plain = withoutMarks(listed, maskUnspoken(listed))
  const sentences = splitSentences(plain).map(({ text, start }) => {
    const quote = written.slice(placeOf(start), placeOf(start + text.length))
    return { text: FORMATTING.test(quote) ? tidySpaces(text) : text, quote }
  })
  if (written.length <= LONGEST_KEPT) latest.set(written, sentences)
  return sentences
}

export function askedIn({ asked, turns }: Segment, rules?: RuleBook): readonly ForgetRequest[] {
  const own = new Set(turns.map((turn) => turn.id))
  return asked?.filter(({ evidence }) => own.has(evidence.turn)) ?? hearRequests(turns, rules)
}

/** Finds forget requests that are sure, in order. */
export function hearRequests(turns: readonly Turn[], rules?: RuleBook): ForgetRequest[] {
  return hearAllRequests(turns, rules).filter(({ doubt }) => doubt === undefined)
}

/** Finds forget requests in order, those that wait for a yes included. */
export function hearAllRequests(turns: readonly Turn[], rules: RuleBook = shippedRules()): ForgetRequest[] {
  return turns.flatMap((turn) => {
    const heard = heardIn(turn, rules)
    heard.requests ??= requestsIn(turn, rules)
    // Copies protect the cache.
    return heard.requests.map((request) => ({ ...request, evidence: { ...request.evidence } }))
  })
}

/** Returns the speaker's own sentences; without any, those of a numbered document, a request in which waits for a yes. */
function requestableIn(turn: Turn): readonly OwnSentence[] {
  const own = sentencesOf(turn)
  if (own.some(({ text }) => /\p{L}/u.test(text))) return own
  const written = splitSentences(readPart(turn)).map(({ text }) => ({ text, quote: text }))
  return written.some(({ text }) => NUMBERS.test(text)) ? written : []
}

function requestsIn(turn: Turn, rules: RuleBook): ForgetRequest[] {
  return requestableIn(turn).flatMap(({ text: said, quote }, at, sentences): ForgetRequest[] => {
    if (!rules.mayAsk(said)) return []
    // “Scratch that, it's Tuesday” corrects: what it puts right is read.
    const correction = readCorrection([said])
    const text = correction?.isExplicit === true ? (correction.right ?? said) : said
    if (rules.isWide(text)) return []
    const evidence = { turn: turn.id, quote }
    const inPassage = isInPassage(sentences, at) ? ({ doubt: 'passage' } as const) : {}
    const next = sentences[at + 1]?.text ?? ''
    const request = rules.requestIn(text.replace(BARE, (said) => `${said.slice(0, -1)}, ${next}`))
    const plain = (request?.about ?? null) === null ? readPlainRequest(text, sentences[at - 1]?.text) : null
    if (request === null) {
      const doubt = plain?.isSure === false ? ({ doubt: 'verb' } as const) : {}
      if (plain === null) return []
      return [{ kind: 'forget', about: plain.about, evidence, isByVerb: true, ...doubt, ...inPassage }]
    }
    const around = [sentences[at - 1], sentences[at + 1]].map((one) => rules.matterIn(one?.text ?? ''))
    // Words of a request that only says “that” name nothing: “That's private, don't store it.”
    const isNamed = plain?.about?.split(' ').some((word) => !request.read.includes(word)) === true
    const named = isNamed ? plain.about : null
    const about = request.about ?? around.find((matter) => matter !== null) ?? named
    return [{ kind: 'forget', about, lead: request.lead, evidence, ...inPassage }]
  })
}

/** Matches a dismissal, or a request whose reason follows. */
const BARE = /^\W*(?:forget|忘)[^,，]{0,12}[.!。！]$/iu
/** Matches words by which a user speaks of themself or to the agent. */
const PERSONAL =
  /\b(?:i|me|my|mine|we|our|us|you|your|please|thanks|sorry|yo|mi|tu|ich|mein\w*|du|je|j|moi|mon|ma|eu|meu|minha)\b|[我咱你您请謝谢]|私|僕|俺|저|제|나|내/iu
/** Matches a sentence that only numbers a part: “Section 9.”, “Step 2.”. */
const NUMBERS = /^\W*(?:\p{L}+\s+)?\d+[.):]?\W*$|^第\S{1,4}[章节条步]/u

/** Matches a sentence that gives another's words next: “Is this polite?”, “She wrote back.”, 他这么说的。 */
const HANDS_OVER =
  /^(?!.*\b(?:I|we|you)\b).*(?:\b(?:this|these|the following)\b.*\?|\b(?:said|says|wrote|writes|replied|answered|texted|reads|goes)\b(?:\s+(?:me|us|back|this|so|like this|the following|as follows))*\W*)$|^(?!.*[我咱][^的]*(?:说|写|讲|回|答|发|问)).*(?:说|写|讲|回复?|答|发|问)的\W*$/iu

/** Whether a sentence follows one that hands it over, or stands among sentences that address no one, as in a pasted page. */
export function isInPassage(sentences: readonly OwnSentence[], position: number): boolean {
  if (HANDS_OVER.test(sentences[position - 1]?.text ?? '')) return true
  const otherSentences = sentences.filter(({ text }, index) => index !== position && /\p{L}/u.test(text))
  if (otherSentences.length === 0) return false
  const isNumbered = otherSentences.some(({ text }) => NUMBERS.test(text))
  return isNumbered || (otherSentences.length > 1 && otherSentences.every(({ text }) => !PERSONAL.test(text)))
}

export interface WideRequest {
  readonly turn: string
  readonly quote: string
}

/** Finds requests to forget everything: the last such sentence of each turn. */
export function hearWideRequests(
  turns: readonly Pick<Turn, 'id' | 'role' | 'text'>[],
  rules: RuleBook = shippedRules(),
): WideRequest[] {
  return turns.flatMap((turn) => {
    const heard = heardIn(turn, rules)
    if (heard.wide === undefined)
      heard.wide = sentencesOf(turn).findLast(({ text }) => rules.isWide(text))?.quote ?? null
    return heard.wide === null ? [] : [{ turn: turn.id, quote: heard.wide }]
  })
}

/** Extracts only forget requests, for presets without facts. */
export function requestRules(): Extractor {
  return {
    id: 'request-rules/1',
    extract: (segment, options) => ({ candidates: [], requests: askedIn(segment, options?.rules) }),
  }
}
