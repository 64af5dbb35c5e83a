import { splitSentences } from '@keepsake/text'
import { candidateOf } from '../../memories/candidate.ts'
import type { Turn } from '../../turns/turn.ts'
import { isInvented } from './check-candidate.ts'
import { LEAST_SAID, isInstruction, shareSaid, shareStated } from './find-doubts.ts'
import { findUnsupported } from './find-unsupported.ts'

/** What a summary rests on. */
interface SummarySupport {
  readonly turns: readonly Turn[]
  /** Preceding and known texts. */
  readonly context?: readonly string[]
  /** Statements of the same extraction that went to quarantine. */
  readonly doubted?: readonly string[]
}

/**
 * Minimum share of known words in a sentence with a new name or number. Of the sentences of 91 summaries it removed one,
 * rightly; without it three were removed.
 */
const MIN_KNOWN_SHARE = 0.6

/** Share of a quarantined statement's words from which a sentence repeats it. */
const REPEATED_SHARE = 0.75

/**
 * Removes the sentences of a summary that the conversation does not support: those with unknown names, with instructions
 * to a machine, with hardly a word that was said, and those that repeat quarantined statements. For texts without quotes
 * of their sources: story units and portraits.
 *
 * @example
 * keepSupported('Ana feeds otters. Bruno owes her money.', { turns: [turn('I feed otters.')] }) // 'Ana feeds otters.'
 */
export function keepSupported(text: string, support: SummarySupport): string {
  return filterSentences(text, (sentence) => isSupported(sentence, support))
}

/** Keeps the sentences of a text that a test accepts. Lines stay lines; lines without a sentence are removed. */
export function filterSentences(text: string, accepts: (sentence: string) => boolean): string {
  return text
    .split('\n')
    .map((line) => {
      const sentences = splitSentences(line).map((sentence) => sentence.text)
      const kept = sentences.filter(accepts)
      if (kept.length === sentences.length) return line
      return kept.join(/\p{Script=Han}/u.test(line) ? '' : ' ')
    })
    .filter((line) => line.trim() !== '')
    .join('\n')
}

function isSupported(sentence: string, { turns, context = [], doubted = [] }: SummarySupport): boolean {
  if (isInstruction(sentence)) return false
  if (doubted.some((statement) => shareStated(statement, sentence) >= REPEATED_SHARE)) return false
  const evidence = turns.map(({ id }) => ({ turn: id, quote: null }))
  const candidate = candidateOf({ text: sentence, subject: '', evidence, validFrom: turns.at(-1)?.at ?? 0 })
  const talk = [...turns.map(({ text }) => text), ...context].join('\n')
  const sources = [...turns, ...context.map((text) => ({ text, speaker: null }))]
  const isNew = findUnsupported(candidate, talk, turns).some((part) => isInvented(part, talk, sentence))
  const share = shareSaid(
    candidate,
    sources.map((turn) => ({ turn })),
  )
  return share >= (isNew ? MIN_KNOWN_SHARE : LEAST_SAID)
}
