import { composePortrait, countWords, type PortraitAnswer } from '../prompts/portrait-answer.ts'
import type { PromptLanguage } from '../prompts/prompt.ts'
import { splitSentences } from '@keepsake/text'
import { fitWords, type Bound } from './fit-words.ts'

/** A portrait within its bound, and how many of its sentences there was no room for. */
export interface FittedPortrait {
  /** `null` when it says nothing. */
  readonly text: string | null
  readonly sentences: number
  readonly leftOut: number
}

/** An answer as a portrait within a bound: who the user is goes last, old events first. */
export function fittedPortrait(
  answer: PortraitAnswer,
  language: PromptLanguage,
  bound: Omit<Bound, 'sentences'>,
): FittedPortrait {
  const left = (...taken: readonly string[]): Bound => ({
    ...bound,
    words: bound.words - countWords(taken.join(' '), bound.charactersAWord),
  })
  const user = fitWords(answer.user, bound, 'last')
  const relationship = fitWords(answer.relationship, left(user), 'last')
  const events = fitWords(answer.events, left(user, relationship), 'oldest')
  const sentences = countSentences(answer)
  const leftOut = sentences - countSentences({ user, relationship, events })
  return { text: composePortrait({ user, relationship, events }, language), sentences, leftOut }
}

function countSentences({ user, relationship, events }: PortraitAnswer): number {
  return [user, relationship, events].reduce((sum, part) => sum + splitSentences(part).length, 0)
}
