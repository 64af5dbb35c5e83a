import { ModelError } from '@keepsake/text'
import type { LanguageAnswer, LanguageModel, LanguageRequest, LanguageToolCall } from '../language-model.ts'

export type ScriptedAnswer = string | (Partial<LanguageAnswer> & Called) | Error

interface Called {
  readonly calls?: readonly LanguageToolCall[]
}

export type AnswerScript =
  readonly ScriptedAnswer[] | ((request: LanguageRequest) => ScriptedAnswer | Promise<ScriptedAnswer>)

export interface ScriptedModel extends LanguageModel {
  /** Every request so far, in order. */
  readonly requests: readonly LanguageRequest[]
}

/** Pieces of a streamed answer: a word with the space after it, or a few characters where there are no spaces. */
const PIECE = /\S{1,8}\s*|\s+/gu

/**
 * A scripted language model for tests and examples. A list is answered in order and must
 * not run out; a function sees each request.
 *
 * @example
 * const model = scriptedModel(['{"facts":[]}', new ModelError('busy', { isRetryable: true }), { text: '', finish: 'refused' }])
 * // … and after the work: model.requests[0].messages
 */
export function scriptedModel(answers: AnswerScript, id = 'scripted/model'): ScriptedModel {
  const requests: LanguageRequest[] = []

  const answer = async (request: LanguageRequest): Promise<LanguageAnswer & Called> => {
    request.abortSignal?.throwIfAborted()
    requests.push(request)
    const scripted = typeof answers === 'function' ? await answers(request) : answers[requests.length - 1]
    if (scripted === undefined) {
      throw new ModelError(
        `The script of ${id} has ${answers.length} answers and was asked for one more. Add it.`,
      )
    }
    if (scripted instanceof Error) throw scripted
    const given = typeof scripted === 'string' ? { text: scripted } : scripted
    return { text: '', finish: 'stop', usage: { input: null, output: null }, ...given }
  }

  return {
    id,
    takesTools: true,
    takesFiles: true,
    requests,
    generate: answer,
    async *stream(request) {
      const { text, finish, usage, calls } = await answer(request)
      for (const piece of text.match(PIECE) ?? []) yield { kind: 'text', text: piece }
      yield { kind: 'end', finish, usage, ...(calls === undefined ? {} : { calls }) }
    },
  }
}
