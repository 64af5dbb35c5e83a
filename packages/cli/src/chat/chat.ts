import type { RecalledMemory, ReplyOptions, ScopedMemory } from 'keepsake'
import type { ChatInput } from './chat-input.ts'
import type { ChatView } from './chat-view.ts'
import type { LearnedLog } from './learned.ts'
import { formatCount } from '../output/format-quantity.ts'
import type { Progress } from '../output/progress.ts'
import { describeCalls, type CallTally } from '../watch-calls.ts'

export interface ChatSettings extends Pick<ReplyOptions, 'agent' | 'instructions' | 'session'> {
  /** The model's name; `null`: recalled memories answer the turns. */
  readonly model: string | null
  /** The reason why the model could not be reached at the start. */
  readonly unreachable?: string
}

/** The state of a running chat. */
export interface Chat {
  readonly scope: ScopedMemory
  readonly settings: ChatSettings
  readonly input: ChatInput
  readonly view: ChatView
  readonly learned: LearnedLog
  readonly tally: CallTally
  readonly progress: Progress
  /** Memories behind the latest reply, in the order shown. */
  recalled: readonly RecalledMemory[]
  /** Ids of operations that `/undo` can undo, latest last. */
  readonly undoable: string[]
  /** Whether the next Ctrl-C ends the chat, because the last input was a Ctrl-C too. */
  isLeaving: boolean
  hasOpenSession: boolean
  /** Number of the user's turns. */
  turnCount: number
  /** Number of turns without a reply. */
  unanswered: number
}

export const EXTRACTING_LABEL = '   Extracting facts'

/** Ends the session, shows what was learned, and summarises the chat. */
export async function endChat(chat: Chat): Promise<void> {
  const { view, tally } = chat
  if (chat.hasOpenSession) await endSession(chat)
  if (tally.total.calls > 0)
    view.note(`${formatCount(chat.turnCount, 'turn')}; ${describeCalls(tally.total)}.`)
  view.note('Bye.')
}

/**
 * Ends the session and waits until its turns are read. Ctrl-C postpones the reading to the next start; the end is durable before the wait.
 */
export async function endSession(chat: Chat): Promise<void> {
  const { scope, settings, view, input, learned, progress } = chat
  await scope.endSession(settings.session)
  chat.hasOpenSession = false
  view.note('Ending the session and extracting the remaining facts. Ctrl-C leaves that for next time.')
  progress.wait(EXTRACTING_LABEL)
  const interrupted = new Promise<'interrupted'>((resolve) => {
    input.onInterrupt = () => resolve('interrupted')
  })
  const outcome = await Promise.race([scope.drain(), interrupted]).finally(() => {
    input.onInterrupt = () => undefined
    progress.stop()
  })
  view.learned(learned.take())
  if (outcome === 'interrupted')
    view.note(
      'Left for next time. No message is lost. The current step finishes first; press Ctrl-C again to stop it too.',
    )
  // Failures may have been shown during the chat already.
  if (outcome !== 'interrupted' && learned.hasFailed && outcome.failed.length > 0)
    view.showError(
      'Some messages could not be processed. No message is lost: the next chat, or "keepsake jobs --retry" with the model, tries again.',
    )
}
