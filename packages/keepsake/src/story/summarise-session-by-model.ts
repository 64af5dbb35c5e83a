import { dailySections, dailySummaryPrompt } from '../prompts/daily-summary.ts'
import { sessionSummaryPrompt } from '../prompts/session-summary.ts'
import { summariserAsking } from './ask-for-summary.ts'
import type { Summariser } from './summariser.ts'

/** LUFY's summary of a session, with the summary of the past as context. Needs a language model. */
export function sessionSummariser(): Summariser {
  return summariserAsking(sessionSummaryPrompt, ({ sentences }) => [{ label: null, sentences }])
}

/**
 * MemoryBank's summary of a day, events and insight into the user's personality each on a labelled line. Needs a
 * language model.
 */
export function dailySummariser(): Summariser {
  return summariserAsking(dailySummaryPrompt, dailySections)
}
