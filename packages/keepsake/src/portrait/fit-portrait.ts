import { composePortrait, countWords, type PortraitAnswer } from '../prompts/portrait-answer.ts'
import type { PromptLanguage } from '../prompts/prompt.ts'
import { fitWords, type Bound } from './fit-words.ts'

/** An answer as a portrait within a bound: who the user is goes last, old events first. `null` when it says nothing. */
export function fittedPortrait(
  answer: PortraitAnswer,
  language: PromptLanguage,
  bound: Omit<Bound, 'sentences'>,
): string | null {
  const left = (...taken: readonly string[]): Bound => ({
    ...bound,
    words: bound.words - countWords(taken.join(' '), bound.charactersAWord),
  })
  const user = fitWords(answer.user, bound, 'last')
  const relationship = fitWords(answer.relationship, left(user), 'last')
  const events = fitWords(answer.events, left(user, relationship), 'oldest')
  return composePortrait({ user, relationship, events }, language)
}
