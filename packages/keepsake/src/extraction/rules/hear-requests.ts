import { maskUnspoken } from '../../text/mask-unspoken.ts'
import { splitSentences } from '../../text/split-sentences.ts'
import type { Turn } from '../../turns/turn.ts'
import type { ForgetRequest } from '../extractor.ts'
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

/** What users ask to have forgotten, in the order of their words. Read once, where a segment is made. */
export function hearRequests(turns: readonly Turn[], rules: RuleBook = SHIPPED_RULES): ForgetRequest[] {
  const asking = turns.filter((turn) => turn.role === 'user' && rules.mayAsk(turn.text))
  return asking.flatMap((turn) =>
    sentencesOf(turn).flatMap(({ text, quote }) => {
      const evidence = { turn: turn.id, quote }
      return rules.requestIn(text).map(({ about }) => ({ kind: 'forget' as const, about, evidence }))
    }),
  )
}
