// A language model with prepared answers, for tests and examples.
import { ModelError } from '@keepsake/text'
import type { LanguageAnswer, LanguageModel, LanguageRequest, LanguageToolCall } from '../language-model.ts'

export type ScriptedAnswer = string | (Partial<LanguageAnswer> & ToolCalls) | Error

interface ToolCalls {
  readonly calls?: readonly LanguageToolCall[]
}

export type AnswerScript =
  readonly ScriptedAnswer[] | ((request: LanguageRequest) => ScriptedAnswer | Promise<ScriptedAnswer>)

export interface ScriptedModel extends LanguageModel {
  /** Every request so far, in order. */
  readonly requests: readonly LanguageRequest[]
}

/** Matches a chunk of a streamed answer: a word with the space after it, or up to 8 characters of a longer word. */
const CHUNK = /\S{1,8}\s*|\s+/gu

/**
 * Makes a language model with prepared answers. Answers of a list are given in order, and there must be one for each
 * request. A function gets each request.
 *
 * @example
 * const model = scriptedModel(['{"facts":[]}', new ModelError('busy', { isRetryable: true }), { text: '', finish: 'refused' }])
 * // … and after the work: model.requests[0].messages
 */
export function scriptedModel(answers: AnswerScript, id = 'scripted/model'): ScriptedModel {
  const requests: LanguageRequest[] = []

  const answer = async (request: LanguageRequest): Promise<LanguageAnswer & ToolCalls> => {
    request.abortSignal?.throwIfAborted()
    requests.push(request)
    const scripted = typeof answers === 'function' ? await answers(request) : answers[requests.length - 1]
    if (scripted === undefined) {
      throw new ModelError(
        `The script of ${id} has ${answers.length} answers and was asked for one more. Add it.`,
      )
    }
    if (scripted instanceof Error) throw scripted
    const fields = typeof scripted === 'string' ? { text: scripted } : scripted
    return { text: '', finish: 'stop', usage: { input: null, output: null }, ...fields }
  }

  return {
    id,
    takesTools: true,
    takesFiles: true,
    requests,
    generate: answer,
    async *stream(request) {
      const { text, finish, usage, calls } = await answer(request)
      for (const chunk of text.match(CHUNK) ?? []) yield { kind: 'text', text: chunk }
      yield { kind: 'end', finish, usage, ...(calls === undefined ? {} : { calls }) }
    },
  }
}
