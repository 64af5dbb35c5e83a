import type { Memory, Turn } from 'keepsake'
import { portraitReplyPrompt, promptLanguage, promptVersion } from 'keepsake/preset'
import { makeExample, type CheckedExample } from '../examples/example.ts'
import type { EngineQuestion } from '../examples/ask-engine.ts'
import { talkOf, type Life } from './life.ts'

/** An example of a reply, and what a worse reply can be made from. */
export interface Reply {
  readonly example: CheckedExample
  /** The agent's turns in earlier sessions of the same scope. One of them can be the worse reply. */
  readonly saidBefore: readonly Turn[]
  readonly talk: readonly Turn[]
}

/** Examples of COMEDY's task 3: the agent replies, knowing only the portrait of that time and the current session. */
export function replyExamples(life: Life): Reply[] {
  const portraits = [...life.memories.values()].filter(
    ({ form, status, text }) => form === 'portrait' && status === 'live' && text !== '',
  )
  return life.sessions.flatMap((session) => {
    const portrait = latestOf(portraits.filter(({ sessionNumber }) => sessionNumber < session.number))
    if (portrait === undefined) return []
    const talk = talkOf(life, session.id)
    const saidBefore = life.turns.filter(
      ({ role, session: of }) => role === 'assistant' && numberOf(life, of) < session.number,
    )
    return talk.flatMap((turn, at) => {
      const last = talk[at - 1]
      if (turn.role !== 'assistant' || last?.role !== 'user' || turn.text.trim() === '') return []
      return [replyTo(talk.slice(0, at), { reply: turn, portrait, saidBefore })]
    })
  })
}

function replyTo(
  talk: readonly Turn[],
  {
    reply,
    portrait,
    saidBefore,
  }: { readonly reply: Turn; readonly portrait: Memory; readonly saidBefore: readonly Turn[] },
): Reply {
  const last = talk.at(-1)
  const language = promptLanguage([last?.text ?? ''])
  const { at: now = reply.at, timeZone = null } = last ?? {}
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
  return { example, saidBefore, talk }
}

function latestOf(portraits: readonly Memory[]): Memory | undefined {
  return portraits.toSorted((one, other) => one.validFrom - other.validFrom).at(-1)
}

function numberOf({ sessions }: Life, id: string): number {
  return sessions.find((session) => session.id === id)?.number ?? 0
}
