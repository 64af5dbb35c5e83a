import { KeepsakeError } from 'keepsake/names'
import { given } from '../given.ts'
import { sentence } from '../output/sentence.ts'
import type { Chat } from './chat.ts'

/**
 * Handles a turn without a model: recalls relevant memories, then remembers the turn and extracts its facts immediately, so that
 * they are shown before the next turn.
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
