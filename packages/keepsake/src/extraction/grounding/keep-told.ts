import { candidateOf } from '../../memories/candidate.ts'
import { splitSentences } from '@keepsake/text'
import type { Turn } from '../../turns/turn.ts'
import { isInvented } from './check-candidate.ts'
import { LEAST_SAID, isInstruction, shareSaid, shareStated } from './find-doubts.ts'
import { findUnsupported } from './find-unsupported.ts'

/** What was told, and what tells whom and what is meant. */
export interface ToldFrom {
  readonly turns: readonly Turn[]
  /** Texts of what was said before and is known. */
  readonly around?: readonly string[]
  /** Statements that the same reading put forward and that were not believed: what tells them is not kept by another door. */
  readonly doubted?: readonly string[]
}

/**
 * A sentence with a name or number that is nowhere in the talk must hold so much of it otherwise. Who tells of a talk says
 * "University" where somebody named it in short: of 91 summaries and parts of portraits that a reader wrote, the rule that lets no
 * such name pass took a sentence from three, this one from one, rightly.
 */
const LEAST_SAID_OF_NEW = 0.6

/** Of the words of a statement that was not believed, so many make a sentence tell it. */
const TELLS_DOUBTED = 0.75

/**
 * What a model told of a talk in words of its own, without the sentences that the talk does not bear out: those that name somebody
 * or something that is nowhere in it, turn to the machine that reads them, have hardly a word in common with it, or tell what was
 * found not to be believed. For what rests on a talk as a whole (a unit of the story, a portrait), which quotes no words.
 *
 * @returns the sentences that stay, each line by itself; empty when none does
 *
 * @example
 * keepTold('Ana feeds otters. Bruno owes her money.', { turns: [turn('I feed otters.')] }) // 'Ana feeds otters.'
 */
export function keepTold(text: string, from: ToldFrom): string {
  return text
    .split('\n')
    .map((line) => {
      const sentences = splitSentences(line)
      const kept = sentences.filter((sentence) => isTold(sentence.text, from))
      if (kept.length === sentences.length) return line
      return kept.map((one) => one.text).join(/\p{Script=Han}/u.test(line) ? '' : ' ')
    })
    .filter((line) => line.trim() !== '')
    .join('\n')
}

function isTold(sentence: string, { turns, around = [], doubted = [] }: ToldFrom): boolean {
  if (isInstruction(sentence)) return false
  const evidence = turns.map(({ id }) => ({ turn: id, quote: null }))
  const candidate = candidateOf({ text: sentence, subject: '', evidence, validFrom: turns.at(-1)?.at ?? 0 })
  const said = turns.map(({ text }) => text).join('\n')
  const talk = [said, ...around].join('\n')
  if (doubted.some((one) => shareStated(one, sentence) >= TELLS_DOUBTED)) return false
  const worded = [...turns, ...around.map((text) => ({ text, speaker: null }))]
  const share = shareSaid(
    candidate,
    worded.map((turn) => ({ turn })),
  )
  const isNew = findUnsupported(candidate, talk, turns).some((part) => isInvented(part, talk, sentence))
  return share >= (isNew ? LEAST_SAID_OF_NEW : LEAST_SAID)
}
