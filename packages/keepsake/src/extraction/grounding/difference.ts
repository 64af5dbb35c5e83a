// Defines how a statement may differ from the talk on which it rests.
import type { Turn } from '../../turns/turn.ts'
import type { Quoted } from './find-doubts.ts'
import { hasHan } from './word-lists.ts'

/** A difference of a statement from the talk: `wrong` if it is certain, `open` if a model or a person must decide. */
export interface Difference {
  readonly outcome: 'wrong' | 'open'
  readonly reason: string
}

/** The talk with which a statement is compared. */
export interface Talk {
  /** The evidence of the statement. */
  readonly quotes: readonly Quoted[]
  readonly turns: readonly Turn[]
  /** The text of preceding turns and known memories. */
  readonly context: string
  /** Whether the statement is in the agent's words, and the user agreed to them. */
  readonly isConfirmed: boolean
}

export const wrong = (reason: string): Difference => ({ outcome: 'wrong', reason })
export const open = (reason: string): Difference => ({ outcome: 'open', reason })

/** Joins the turns and the context to one text. */
export const textOf = ({ turns, context }: Talk): string =>
  [...turns.map(({ text }) => text), context].join('\n')

/** Guesses the language of a text. The comparisons support English and Chinese. */
export function languageOf(text: string): 'en' | 'zh' | 'other' {
  if (hasHan(text)) return /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text) ? 'other' : 'zh'
  return /\b(?:the|is|has|was|an|and|of|to|with|for)\b/i.test(text) ? 'en' : 'other'
}
