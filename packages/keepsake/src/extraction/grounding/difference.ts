import type { Turn } from '../../turns/turn.ts'
import type { Quoted } from './find-doubts.ts'
import { hasHan } from './find-unsupported.ts'

/** How a statement differs from what was said: `wrong` where that is certain, `open` where a reader must decide. */
export interface Difference {
  readonly outcome: 'wrong' | 'open'
  readonly reason: string
}

/** What was said about a statement. */
export interface Talk {
  readonly quotes: readonly Quoted[]
  readonly turns: readonly Turn[]
  /** Preceding turns and known memories, as text. */
  readonly around: string
  /** Whether the user agreed to the agent's words. */
  readonly isConfirmed: boolean
}

export const wrong = (reason: string): Difference => ({ outcome: 'wrong', reason })
export const open = (reason: string): Difference => ({ outcome: 'open', reason })

/** Returns all that was said as one text. */
export const textOf = ({ turns, around }: Talk): string =>
  [...turns.map(({ text }) => text), around].join('\n')

/** Guesses the language of a text, as far as the comparisons support it. */
export function languageOf(text: string): 'en' | 'zh' | 'other' {
  if (hasHan(text)) return /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text) ? 'other' : 'zh'
  return /\b(?:the|is|has|was|an|and|of|to|with|for)\b/i.test(text) ? 'en' : 'other'
}
