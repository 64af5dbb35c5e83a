import { KeepsakeError, ModelError } from 'keepsake/names'
import { sentence } from '../output/sentence.ts'
import type { Chat } from './chat.ts'

const WAITING = '   Waiting for the reply'

/** Says a turn and shows the reply as it comes. What was said is kept whatever becomes of the reply. */
export async function answerTurn(chat: Chat, said: string): Promise<void> {
  const { scope, input, view, progress } = chat
  const { model: _model, ...who } = chat.settings
  const controller = new AbortController()
  input.onInterrupt = () => controller.abort()
  chat.said += 1
  chat.hasOpenSession = true
  progress.wait(WAITING)
  try {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
    const reply = await scope.reply(
      { role: 'user', text: said, timeZone },
      { timeZone, abortSignal: controller.signal, ...who },
    )
    for await (const piece of reply.textStream) {
      progress.stop()
      view.piece(piece)
    }
    await reply.remembered
    chat.recalled = reply.recall.memories
    view.replied(said, await reply.text, reply.recall)
  } catch (error) {
    progress.stop()
    chat.unanswered += 1
    chat.isLeaving = controller.signal.aborted
    view.brokenOff(said, explain(error, controller.signal.aborted))
  } finally {
    input.onInterrupt = () => undefined
  }
}

/** What went wrong, when the talk can go on; anything else is thrown on. */
function explain(error: unknown, isStopped: boolean): string {
  if (isStopped) return 'Stopped. Your message is kept; this reply is not. Press Ctrl-C again to leave.'
  if (error instanceof ModelError)
    return `There is no reply: ${sentence(error.message)} Your message is kept; write another to continue.`
  if (error instanceof KeepsakeError && error.isRetryable)
    return `That did not work: ${sentence(error.message)} Please try again.`
  throw error
}
