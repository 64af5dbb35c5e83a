import { ModelError, type TextGate } from '@keepsake/text'
import type { AskModel } from './ask-model.ts'
import { windowOf } from './model-window.ts'

/**
 * Passes a model's answers, and the raw answers in its errors, through the text gate before they are stored. Streamed
 * text passes when it is recorded.
 */
export function admitAnswers(model: AskModel, gate: TextGate): AskModel {
  return {
    model: model.model,
    takesTools: model.takesTools === true,
    ...windowOf(model),
    stream: (prompt, input, options) => model.stream(prompt, input, options),
    async ask(prompt, input, options) {
      try {
        return await gate.admitAll(await model.ask(prompt, input, options))
      } catch (error) {
        if (!(error instanceof ModelError) || error.answer === null) throw error
        const { cause, isRetryable, retryAfterMs, details } = error
        const answer = await gate.admit(error.answer)
        const options = { code: 'model-answer', cause, isRetryable, retryAfterMs, details, answer } as const
        throw new ModelError(await gate.admit(error.message), options)
      }
    },
  }
}
