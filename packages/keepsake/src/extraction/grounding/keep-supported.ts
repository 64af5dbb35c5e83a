import { candidateOf } from '../../memories/candidate.ts'
import { splitSentences } from '@keepsake/text'
import type { Turn } from '../../turns/turn.ts'
import { isInvented } from './check-candidate.ts'
import { LEAST_SAID, isInstruction, shareSaid, shareStated } from './find-doubts.ts'
import { findUnsupported } from './find-unsupported.ts'

/** The turns of a summary, and its context. */
export interface SummarySources {
  readonly turns: readonly Turn[]
  /** Preceding and known texts. */
  readonly around?: readonly string[]
  /** Statements of the same extraction that were quarantined. */
  readonly doubted?: readonly string[]
}

/**
 * Minimum share of known words in a sentence with a new name or number. It removed one sentence of 91 summaries,
 * rightly; without it three.
 */
const LEAST_SAID_OF_NEW = 0.6

/** Minimum share of a quarantined statement's words that makes a sentence repeat it. */
const REPEATS_DOUBTED = 0.75

/**
 * Removes sentences of a summary that the conversation does not support: with unknown names, instructions to a
 * machine, hardly a shared word, or quarantined statements. For texts that quote nothing (story units, portraits).
 *
 * @returns the remaining sentences, line by line
 *
 * @example
 * keepSupported('Ana feeds otters. Bruno owes her money.', { turns: [turn('I feed otters.')] }) // 'Ana feeds
 * otters.'
 */
export function keepSupported(text: string, from: SummarySources): string {
  return text
    .split('\n')
    .map((line) => {
      const sentences = splitSentences(line)
      const kept = sentences.filter((sentence) => isSupported(sentence.text, from))
      if (kept.length === sentences.length) return line
      return kept.map((sentence) => sentence.text).join(/\p{Script=Han}/u.test(line) ? '' : ' ')
    })
    .filter((line) => line.trim() !== '')
    .join('\n')
}

function isSupported(sentence: string, { turns, around = [], doubted = [] }: SummarySources): boolean {
  if (isInstruction(sentence)) return false
  const evidence = turns.map(({ id }) => ({ turn: id, quote: null }))
  const candidate = candidateOf({ text: sentence, subject: '', evidence, validFrom: turns.at(-1)?.at ?? 0 })
  const said = turns.map(({ text }) => text).join('\n')
  const talk = [said, ...around].join('\n')
  if (doubted.some((doubt) => shareStated(doubt, sentence) >= REPEATS_DOUBTED)) return false
  const worded = [...turns, ...around.map((text) => ({ text, speaker: null }))]
  const share = shareSaid(
    candidate,
    worded.map((turn) => ({ turn })),
  )
  const isNew = findUnsupported(candidate, talk, turns).some((part) => isInvented(part, talk, sentence))
  return share >= (isNew ? LEAST_SAID_OF_NEW : LEAST_SAID)
}
