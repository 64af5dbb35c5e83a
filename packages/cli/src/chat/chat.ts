import type { RecalledMemory, ReplyOptions, ScopedMemory } from 'keepsake'
import type { ChatInput } from './chat-input.ts'
import type { ChatView } from './chat-view.ts'
import type { LearnedLog } from './learned.ts'
import { formatCount } from '../output/format-quantity.ts'
import type { Progress } from '../output/progress.ts'
import { countInWords, type CallTally } from '../watch-calls.ts'

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

/** What a person sees while the last of a talk is read. */
export const READING = '   Extracting facts'

/** Ends the session, shows what it left, and says what the talk came to. */
export async function endChat(chat: Chat): Promise<void> {
  const { view, tally } = chat
  if (chat.hasOpenSession) await endSession(chat)
  if (tally.total.calls > 0) view.note(`${formatCount(chat.said, 'turn')}; ${countInWords(tally.total)}.`)
  view.note('Bye.')
}

/**
 * Ends the session and waits until what was said is read. Ctrl-C leaves the reading for the next time; the end itself
 * is durable before anything is waited for.
 */
export async function endSession(chat: Chat): Promise<void> {
  const { scope, settings, view, input, learned, progress } = chat
  await scope.endSession(settings.session)
  chat.hasOpenSession = false
  view.note('Ending the session and extracting the remaining facts. Ctrl-C leaves that for next time.')
  progress.wait(READING)
  const left = new Promise<'left'>((resolve) => {
    input.onInterrupt = () => resolve('left')
  })
  const outcome = await Promise.race([scope.drain(), left]).finally(() => {
    input.onInterrupt = () => undefined
    progress.stop()
  })
  view.learned(learned.take())
  if (outcome === 'left')
    view.note(
      'Left for next time. No message is lost. The current step finishes first; press Ctrl-C again to stop it too.',
    )
  // What failed may have been told of while the talk went on, which is no news here.
  if (outcome !== 'left' && learned.hasFailed && outcome.failed.length > 0)
    view.refused(
      'Some messages could not be processed. No message is lost: the next chat, or "keepsake jobs --retry" with the model, tries again.',
    )
}
