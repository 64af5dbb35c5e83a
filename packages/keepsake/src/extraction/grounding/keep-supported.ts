// Removes the sentences of a summary that the conversation does not support.
import { splitSentences } from '@keepsake/text'
import { candidateOf } from '../../memories/candidate.ts'
import type { Turn } from '../../turns/turn.ts'
import { isInvented } from './check-candidate.ts'
import { MIN_SAID_SHARE, isInstruction, shareSaid, shareStated } from './find-doubts.ts'
import { findUnsupported } from './find-unsupported.ts'

/** The texts that may support a summary. */
interface SummarySupport {
  readonly turns: readonly Turn[]
  /** Preceding and known texts. */
  readonly context?: readonly string[]
  /** Quarantined statements of the same extraction. */
  readonly doubted?: readonly string[]
}

/**
 * Minimum share of known words in a sentence with a new name or number. In 91 summaries this minimum removed one sentence,
 * rightly. Without it, three sentences were removed.
 */
const MIN_KNOWN_SHARE = 0.6

/** A sentence with this share of a quarantined statement's words repeats it. Chosen, not measured. */
const REPEATED_SHARE = 0.75

/**
 * Removes the sentences of a summary that the conversation does not support. Such a sentence has an unknown name, is an
 * instruction to a machine, shares hardly a word with the talk, or repeats a quarantined statement. Story units and
 * portraits are checked so, because they have no quotes as evidence.
 *
 * @example
 * keepSupported('Ana feeds otters. Bruno owes her money.', { turns: [turn('I feed otters.')] }) // 'Ana feeds otters.'
 */
export function keepSupported(text: string, support: SummarySupport): string {
  return filterSentences(text, (sentence) => isSupported(sentence, support))
}

/** Keeps the sentences of a text that a test accepts. Keeps line breaks, and removes lines without a sentence. */
export function filterSentences(text: string, accepts: (sentence: string) => boolean): string {
  return text
    .split('\n')
    .map((line) => {
      const sentences = splitSentences(line).map((sentence) => sentence.text)
      const accepted = sentences.filter(accepts)
      if (accepted.length === sentences.length) return line
      return accepted.join(/\p{Script=Han}/u.test(line) ? '' : ' ')
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
  const quotes = sources.map((turn) => ({ turn }))
  return shareSaid(candidate, quotes) >= (isNew ? MIN_KNOWN_SHARE : MIN_SAID_SHARE)
}
