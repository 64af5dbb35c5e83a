import { storySummaryPrompt } from '../prompts/story-summary.ts'
import { summariserAsking } from './ask-for-summary.ts'
import type { Summariser } from './summariser.ts'

/**
 * MOOM's narrative summaries (section 3.1): of turns, and of the summaries of the level below. Needs a language
 * model.
 */
export function storySummariser(): Summariser {
  return summariserAsking(storySummaryPrompt, ({ sentences }) => [{ label: null, sentences }])
}
