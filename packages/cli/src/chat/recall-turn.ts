import { KeepsakeError } from 'keepsake/names'
import { given } from '../given.ts'
import { sentence } from '../output/sentence.ts'
import type { Chat } from './chat.ts'

/**
 * A turn where no model replies: what bears on it is recalled, then the turn is remembered and read at once, so that what was
 * learned of it is seen before the next.
 */
export async function recallTurn(chat: Chat, said: string): Promise<void> {
  const { scope, view, settings } = chat
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  try {
    const recall = await scope.recall(said, { timeZone })
    await scope.remember({ role: 'user', text: said, timeZone }, given({ session: settings.session }))
    chat.said += 1
    chat.hasOpenSession = true
    await scope.drain()
    chat.recalled = recall.memories
    view.recalled(said, recall)
  } catch (error) {
    if (!(error instanceof KeepsakeError) || !error.isRetryable) throw error
    view.refused(`That did not work: ${sentence(error.message)} Please try again.`)
  }
}
