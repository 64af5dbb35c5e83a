import type { Recall } from 'keepsake'
import type { Learned } from './learned.ts'

/** What a slash command shows: in words, and as data for `--json`. */
export interface Shown {
  readonly words: string
  readonly data: unknown
}

/** How a reply ended. */
export interface Replied {
  readonly said: string
  readonly reply: string
  readonly recall: Recall
}

/** Where a talk is shown. One for people, one for programs. */
export interface ChatView {
  /** Whether what was recalled and learned is left out. */
  isQuiet: boolean
  /** Something about the talk itself. */
  note(text: string): void
  piece(text: string): void
  replied(replied: Replied): void
  /** The reply was called off, or broke off. */
  brokenOff(said: string, why: string): void
  learned(news: readonly Learned[]): void
  shown(shown: Shown): void
  /** Something that was asked for cannot be done. */
  refused(message: string): void
}
