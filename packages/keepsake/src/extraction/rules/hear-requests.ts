import { maskUnspoken } from '../../text/mask-unspoken.ts'
import { splitSentences } from '../../text/split-sentences.ts'
import type { Turn } from '../../turns/turn.ts'
import type { ForgetRequest, Segment } from '../extractor.ts'
import { SHIPPED_RULES, type RuleBook } from './rule-book.ts'

/** A turn's start is read; what is longer is a pasted text, not talk. */
const MOST_CHARACTERS = 20_000

/** A sentence of a turn that is the speaker's own, and how it was written. */
interface OwnSentence {
  readonly text: string
  readonly quote: string
}

export function sentencesOf(turn: Turn): OwnSentence[] {
  const written = turn.text.slice(0, MOST_CHARACTERS)
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
export function hearRequests(turns: readonly Turn[], rules: RuleBook = SHIPPED_RULES): ForgetRequest[] {
  const asking = turns.filter((turn) => turn.role === 'user' && rules.mayAsk(turn.text))
  return asking.flatMap((turn) =>
    sentencesOf(turn).flatMap(({ text, quote }) => {
      const evidence = { turn: turn.id, quote }
      return rules.requestIn(text).map(({ about }) => ({ kind: 'forget' as const, about, evidence }))
    }),
  )
}
