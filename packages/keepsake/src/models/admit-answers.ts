import { ModelError, type TextGate } from '@keepsake/text'
import type { AskModel } from './ask-model.ts'
import { windowOf } from './model-window.ts'

/**
 * A language model whose answers have passed the gate for text, so that what is made of them may be stored: a model may put
 * together what nobody said in one piece. So have the raw answers in its errors, which are kept with a parked job. What is
 * streamed passes it when it is recorded.
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
        const told = { code: 'model-answer', cause, isRetryable, retryAfterMs, details, answer } as const
        throw new ModelError(await gate.admit(error.message), told)
      }
    },
  }
}
