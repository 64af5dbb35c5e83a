import type { Memory, Turn } from 'keepsake'
import { portraitReplyPrompt, promptLanguage, promptVersion } from 'keepsake/preset'
import { makeExample, type CheckedExample } from '../examples/example.ts'
import type { EngineQuestion } from '../examples/ask-engine.ts'
import { talkOf, type Life } from './life.ts'

/** An example of a reply, and the talk before it. */
export interface Reply {
  readonly example: CheckedExample
  readonly talk: readonly Turn[]
}

/** Makes examples of task 3 of the COMEDY paper: the agent replies, and knows only the portrait of that time and the current session. */
export function replyExamples(life: Life): Reply[] {
  const portraits = [...life.memories.values()].filter(
    ({ form, status, text }) => form === 'portrait' && status === 'live' && text !== '',
  )
  return life.sessions.flatMap((session) => {
    const portrait = latestOf(portraits.filter(({ sessionNumber }) => sessionNumber < session.number))
    if (portrait === undefined) return []
    const talk = talkOf(life, session.id)
    return talk.flatMap((turn, index) => {
      const last = talk[index - 1]
      if (turn.role !== 'assistant' || last?.role !== 'user' || turn.text.trim() === '') return []
      return [replyTo(talk.slice(0, index), last, turn, portrait)]
    })
  })
}

function replyTo(talk: readonly Turn[], last: Turn, reply: Turn, portrait: Memory): Reply {
  const language = promptLanguage([last.text])
  const { at: now, timeZone } = last
  const input = { portrait: portrait.text, turns: talk, now, timeZone, instructions: null }
  const question: EngineQuestion = {
    prompt: promptVersion(portraitReplyPrompt),
    language,
    asksOutcome: false,
    ...portraitReplyPrompt.render(input, language),
    problemsOf: (text) => (text.trim() === '' ? ['The reply is empty.'] : []),
  }
  const example = makeExample('reply', question, {
    answer: reply.text,
    worse: null,
    by: 'model',
    isEmpty: false,
    basis: {
      turns: [...talk.map(({ id }) => id), reply.id, ...portrait.evidence.map(({ turn }) => turn)],
      memories: [portrait.id, ...portrait.sources],
    },
  })
  return { example, talk }
}

function latestOf(portraits: readonly Memory[]): Memory | undefined {
  return portraits.toSorted((one, other) => one.validFrom - other.validFrom).at(-1)
}
