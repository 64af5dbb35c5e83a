import { maskUnspoken } from '../../text/unspoken/mask-unspoken.ts'
import { splitSentences } from '../../text/split-sentences.ts'
import type { Turn } from '../../turns/turn.ts'
import type { Extractor, ForgetRequest, Segment } from '../extractor.ts'
import { shippedRules, type RuleBook } from './rule-book.ts'

/** A turn's start is read; what is longer is a pasted text, not talk. */
const MOST_CHARACTERS = 20_000

/** What is read of a turn. */
export function readPart({ text }: Pick<Turn, 'text'>): string {
  return text.slice(0, MOST_CHARACTERS)
}

/** Of turns that were looked at, by the rules: a turn never changes, and is asked about by several steps. */
const mayAsk = new WeakMap<RuleBook, WeakMap<object, boolean>>()

/** Whether a user may ask in a turn to have something forgotten. */
export function mayAskIn(turn: Pick<Turn, 'role' | 'text'>, rules: RuleBook): boolean {
  if (turn.role !== 'user') return false
  const known = mayAsk.get(rules) ?? new WeakMap<object, boolean>()
  mayAsk.set(rules, known)
  const found = known.get(turn) ?? rules.mayAsk(readPart(turn))
  known.set(turn, found)
  return found
}

/** The sentences of a turn that are the speaker's own, and how they were written. */
export function sentencesOf(turn: Pick<Turn, 'text'>): { readonly text: string; readonly quote: string }[] {
  const written = readPart(turn)
  return splitSentences(maskUnspoken(written)).map(({ text, start }) => {
    return { text, quote: written.slice(start, start + text.length) }
  })
}

/** What is asked to be forgotten in a segment's own turns, as it was heard when the segment was made, or else now. */
export function askedIn({ asked, turns }: Segment, rules?: RuleBook): readonly ForgetRequest[] {
  const own = new Set(turns.map((turn) => turn.id))
  return asked?.filter(({ evidence }) => own.has(evidence.turn)) ?? hearRequests(turns, rules)
}

/** What users ask to have forgotten, in the order of their words. */
export function hearRequests(turns: readonly Turn[], rules: RuleBook = shippedRules()): ForgetRequest[] {
  const asking = turns.filter((turn) => mayAskIn(turn, rules))
  return asking.flatMap((turn) =>
    sentencesOf(turn).flatMap(({ text, quote }, at, sentences): ForgetRequest[] => {
      const asked = rules.requestIn(text)
      if (asked === null || rules.isWide(text)) return []
      const { lead } = asked
      const around = [sentences[at - 1], sentences[at + 1]].map((one) => rules.matterIn(one?.text ?? ''))
      const about = asked.about ?? around.find((matter) => matter !== null) ?? null
      return [{ kind: 'forget', about, lead, evidence: { turn: turn.id, quote } }]
    }),
  )
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
    if (!mayAskIn(turn, rules)) return []
    const quote = sentencesOf(turn).findLast(({ text }) => rules.isWide(text))?.quote
    return quote === undefined ? [] : [{ turn: turn.id, quote }]
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
