import { type LanguageRequest, scriptedModel, type ScriptedAnswer, type ScriptedModel } from 'keepsake/model'

/** What each prompt answers, by the name of its shape (`segment`, `persona_snapshot`, …); `text` for plain text. */
export type Answers = Readonly<
  Record<
    string,
    ScriptedAnswer | object | ((request: LanguageRequest, call: number) => ScriptedAnswer | object)
  >
>

/** A model that answers by prompt. Objects are answered as JSON. A prompt that is not named fails the test loudly. */
export function answering(answers: Answers): ScriptedModel {
  const counts = new Map<string, number>()
  return scriptedModel((request) => {
    const name = request.schema === null ? 'text' : (request.schemaName ?? '')
    const given = answers[name]
    if (given === undefined) throw new Error(`the script has no answer to ${name}`)
    const call = counts.get(name) ?? 0
    counts.set(name, call + 1)
    return asAnswer(typeof given === 'function' ? given(request, call) : given)
  })
}

function asAnswer(answer: ScriptedAnswer | object): ScriptedAnswer {
  if (typeof answer === 'string' || answer instanceof Error || 'text' in answer) return answer
  return JSON.stringify(answer)
}

/** The words a request shows the model. */
export function shown(request: LanguageRequest): string {
  return request.messages.map((message) => message.text).join('\n')
}

/** A memory as the segment prompt answers it: a fact drawn from one turn. */
export function fact(text: string, turn: number, quote: string, rest: object = {}): object {
  const blank = {
    changes: null,
    type: 'persona',
    subject: 'user',
    word: 'user',
    key: null,
    value: null,
    when: null,
    until: null,
    importance: 5,
  }
  return { ...blank, text, evidence: [`${turn}: ${quote}`], ...rest }
}

export function segmentAnswer(memories: readonly object[], rest: object = {}): object {
  return { memories, missed: [], forget: [], summary: '', ...rest }
}

/** A request to forget as the segment prompt answers it, with the numbers of the memories it means. */
export function forgetting(about: string | null, turn: number, quote: string, ...memories: number[]): object {
  return { about, turn, quote, memories }
}
