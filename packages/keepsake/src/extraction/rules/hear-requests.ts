import { LRUCache } from 'lru-cache'
import { maskUnspoken, shippedRules, splitSentences, type RuleBook } from '@keepsake/text'
import type { Turn } from '../../turns/turn.ts'
import type { Extractor, ForgetRequest, Segment } from '../extractor.ts'

/** A turn's start is read; what is longer is a pasted text, not talk. */
const MOST_CHARACTERS = 20_000

/** What is read of a turn. */
export function readPart({ text }: Pick<Turn, 'text'>): string {
  return text.slice(0, MOST_CHARACTERS)
}

/** What rules hear in a turn that may hold a request: each part once, when it is first asked for. */
interface Heard {
  readonly mayAsk: boolean
  requests?: readonly ForgetRequest[]
  /** The words of a request that everything be forgotten; `null` where there is none. */
  wide?: string | null
}

/** Most turns ask nothing: what is heard in them is the same. */
const SILENT: Heard = { mayAsk: false, requests: [], wide: null }

/** Of turns that were looked at, by the rules: a turn never changes, and is asked about by several steps. */
const heardBy = new WeakMap<RuleBook, WeakMap<object, Heard>>()

function heardIn(turn: Pick<Turn, 'role' | 'text'>, rules: RuleBook): Heard {
  if (turn.role !== 'user') return SILENT
  const known = heardBy.get(rules) ?? new WeakMap<object, Heard>()
  heardBy.set(rules, known)
  const heard = known.get(turn) ?? (rules.mayAsk(readPart(turn)) ? { mayAsk: true } : SILENT)
  known.set(turn, heard)
  return heard
}

/** A sentence that is the speaker's own, and how it was written. */
export interface OwnSentence {
  readonly text: string
  readonly quote: string
}

/** The sentences of the turns read last, by their texts: facts, requests and changes are read in the same ones. */
const latest = new LRUCache<string, readonly OwnSentence[]>({ max: 128 })
/** Longer ones are no talk of many turns, and would fill the memory. */
const LONGEST_KEPT = 2_000

/** The sentences of a turn that are the speaker's own, and how they were written. */
export function sentencesOf(turn: Pick<Turn, 'text'>): readonly OwnSentence[] {
  const written = readPart(turn)
  const known = latest.get(written)
  if (known !== undefined) return known
  const sentences = splitSentences(maskUnspoken(written)).map(({ text, start }) => {
    return { text, quote: written.slice(start, start + text.length) }
  })
  if (written.length <= LONGEST_KEPT) latest.set(written, sentences)
  return sentences
}

/** What is asked to be forgotten in a segment's own turns, as it was heard when the segment was made, or else now. */
export function askedIn({ asked, turns }: Segment, rules?: RuleBook): readonly ForgetRequest[] {
  const own = new Set(turns.map((turn) => turn.id))
  return asked?.filter(({ evidence }) => own.has(evidence.turn)) ?? hearRequests(turns, rules)
}

/** What users ask to have forgotten, in the order of their words. */
export function hearRequests(turns: readonly Turn[], rules: RuleBook = shippedRules()): ForgetRequest[] {
  return turns.flatMap((turn) => {
    const heard = heardIn(turn, rules)
    heard.requests ??= requestsIn(turn, rules)
    // Each who asks gets their own.
    return heard.requests.map((one) => ({ ...one, evidence: { ...one.evidence } }))
  })
}

function requestsIn(turn: Turn, rules: RuleBook): ForgetRequest[] {
  return sentencesOf(turn).flatMap(({ text, quote }, at, sentences): ForgetRequest[] => {
    const asked = rules.requestIn(text)
    if (asked === null || rules.isWide(text)) return []
    const { lead } = asked
    const around = [sentences[at - 1], sentences[at + 1]].map((one) => rules.matterIn(one?.text ?? ''))
    const about = asked.about ?? around.find((matter) => matter !== null) ?? null
    return [{ kind: 'forget', about, lead, evidence: { turn: turn.id, quote } }]
  })
}

/** A request that all that is known be forgotten: nothing of it is carried out before it is confirmed. */
export interface WideRequest {
  readonly turn: string
  /** Its words. */
  readonly quote: string
}

/** Where users ask, in words of their own, that all that is known of them be forgotten: the last such sentence of each turn. */
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

/**
 * Hears requests to forget, by rules, and draws nothing else: for presets that keep no facts but must not keep what
 * somebody asked to have dropped.
 */
export function requestRules(): Extractor {
  return {
    id: 'request-rules/1',
    extract: (segment, options) => ({ candidates: [], requests: askedIn(segment, options?.rules) }),
  }
}
