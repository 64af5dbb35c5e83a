import type { LanguageModel } from 'keepsake'
import { type LanguageAnswer, type LanguageChunk, type LanguageRequest } from 'keepsake/model'

/** Converts an answer to a stream of two pieces: its text, then its end. */
export async function* streamAnswer(answer: Promise<LanguageAnswer>): AsyncGenerator<LanguageChunk> {
  const { text, finish, usage } = await answer
  if (text !== '') yield { kind: 'text', text }
  yield { kind: 'end', finish, usage }
}

/** Wraps a model and reports each complete answer. */
export function observeAnswers(
  model: LanguageModel,
  onAnswer: (request: LanguageRequest, answer: LanguageAnswer) => void,
): LanguageModel {
  return {
    id: model.id,
    windowTokens: model.windowTokens,
    async generate(request) {
      const answer = await model.generate(request)
      onAnswer(request, answer)
      return answer
    },
    async *stream(request) {
      let text = ''
      for await (const piece of model.stream(request)) {
        if (piece.kind === 'text') text += piece.text
        else onAnswer(request, { text, finish: piece.finish, usage: piece.usage })
        yield piece
      }
    },
  }
}
