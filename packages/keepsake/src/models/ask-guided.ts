import type { Guidelines } from '../guidelines/guidelines.ts'
import { withGuidelines } from '../prompts/guided-prompt.ts'
import type { AskModel } from './ask-model.ts'

/**
 * Adds guidelines to every prompt that a model is asked: what it writes is kept.
 *
 * @example
 * const guided = askGuided(ask, { keep: [], never: ['health'] })
 * await guided.ask(segmentPrompt, input, { language }) // is asked as segment/6+guidelines/1
 */
export function askGuided(ask: AskModel, guidelines: Guidelines): AskModel {
  if (guidelines.keep.length + guidelines.never.length === 0) return ask
  return {
    ...ask,
    ask: (prompt, input, options) => ask.ask(withGuidelines(prompt, guidelines), input, options),
  }
}
