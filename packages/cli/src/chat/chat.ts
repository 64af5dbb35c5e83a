import type { RecalledMemory, ReplyOptions, ScopedMemory } from 'keepsake'
import type { Progress } from '../output/progress.ts'
import type { CallTally } from '../watch-calls.ts'
import type { ChatInput } from './chat-input.ts'
import type { ChatView } from './chat-view.ts'
import type { LearnedLog } from './learned.ts'

/** What a talk is held with. */
export interface ChatSettings extends Pick<ReplyOptions, 'agent' | 'instructions' | 'session'> {
  /** The model as it was named; `null`: nobody replies, and what is said is answered with what was said before. */
  readonly model: string | null
}

/** A talk in progress: what its steps share. */
export interface Chat {
  readonly scope: ScopedMemory
  readonly settings: ChatSettings
  readonly input: ChatInput
  readonly view: ChatView
  readonly learned: LearnedLog
  readonly tally: CallTally
  /** Shows what is waited for between the turns. */
  readonly progress: Progress
  /** What the latest reply rested on, in the order shown. */
  recalled: readonly RecalledMemory[]
  /** Operations that commands of this talk did, latest last. */
  readonly done: string[]
  /** Whether the next Ctrl-C leaves: the one before, or a reply it stopped, was the last thing that happened. */
  isLeaving: boolean
  /** Whether something was said since a session was ended. */
  hasOpenSession: boolean
  /** Turns said, and those of them that got no reply. */
  said: number
  unanswered: number
}
