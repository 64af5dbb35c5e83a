import { sessionMemoryPrompt, sessionMemorySections } from '../prompts/session-memory.ts'
import { summariserAsking } from './ask-for-summary.ts'
import type { Summariser } from './summariser.ts'

/**
 * COMEDY's task 1: what a session leaves to remember, its events, the user's portrait and the agent's each on a
 * labelled line. `null` for a session with nothing worth keeping, `unsafe` for one that must not be kept. Needs a
 * language model.
 */
export function sessionMemoryWriter(): Summariser {
  return summariserAsking(sessionMemoryPrompt, (answer, language) => {
    switch (answer.outcome) {
      case 'memory':
        return sessionMemorySections(answer, language)
      case 'nothing':
        return []
      case 'unsafe':
        return 'unsafe'
    }
  })
}
