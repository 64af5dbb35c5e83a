import type { Turn } from '../../turns/turn.ts'
import type { Quoted } from './find-doubts.ts'
import { hasHan } from './find-unsupported.ts'

/** How a statement differs from what was said: `wrong` where that is certain, `open` where a reader must decide. */
export interface Difference {
  readonly outcome: 'wrong' | 'open'
  readonly reason: string
}

export interface Talk {
  readonly quotes: readonly Quoted[]
  readonly turns: readonly Turn[]
  readonly around: string
  /** Whether the user agreed to the agent's words. */
  readonly isConfirmed: boolean
}

export const wrong = (reason: string): Difference => ({ outcome: 'wrong', reason })
export const open = (reason: string): Difference => ({ outcome: 'open', reason })

export const textOf = ({ turns, around }: Talk): string =>
  [...turns.map(({ text }) => text), around].join('\n')

export function languageOf(text: string): 'en' | 'zh' | 'other' {
  if (hasHan(text)) return /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text) ? 'other' : 'zh'
  return /\b(?:the|is|has|was|an|and|of|to|with|for)\b/i.test(text) ? 'en' : 'other'
}
