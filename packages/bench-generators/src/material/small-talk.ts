import type { Draw } from '../draw.ts'
import type { Split } from './fact-kind.ts'
import { joinSentences } from './fill-template.ts'
import type { Material } from './read-material.ts'

/** What is said around the matter itself. Nobody opens twice with the same words in one talk. */
export interface SmallTalk {
  /** A sentence with an opening before it or an aside after it, now and then. */
  wrap(text: string): string
}

const SHARE_OPENED = 0.4
const SHARE_CLOSED = 0.25

export function smallTalk(draw: Draw, { words, language }: Material, split: Split): SmallTalk {
  const openers = draw.shuffled(words.openers[split])
  const closers = draw.shuffled(words.closers[split])
  return {
    wrap: (text) => {
      const opener = draw.chance(SHARE_OPENED) ? (openers.pop() ?? '') : ''
      const closer = draw.chance(SHARE_CLOSED) ? (closers.pop() ?? '') : ''
      return joinSentences([opener, text, closer], language)
    },
  }
}
