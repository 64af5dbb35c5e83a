import { createHash } from 'node:crypto'
import type { ScopeKey, TurnInput } from 'keepsake'
import { newMessages, type ChatMessage } from './chat-message.ts'

/** Where a talk goes on. */
export interface TalkPlace {
  readonly scope: ScopeKey
  readonly session: string
  /** What the upstream keeps of the talk so far, by its id; `null` or absent: all of it stands in the request. */
  readonly continues?: string | null
}

/** Milliseconds since 1970. */
export interface ExchangeTimes {
  readonly asked: number
  readonly answered: number
}

/**
 * An exchange as turns: what the user said since the agent's last answer, and the answer, where there is one.
 *
 * A turn's id is drawn from where and after what it was said: scope, session, and every utterance before it. A request sent
 * again makes the same ids, so it stores nothing anew; the same words later in a talk make others. The answer's id leaves out
 * its words: of two answers to the same request the first stays.
 *
 * @param answer `null`: none came, or not to its end.
 */
export function chatTurns(
  place: TalkPlace,
  messages: readonly ChatMessage[],
  answer: string | null,
  at: ExchangeTimes,
): readonly TurnInput[] {
  const { scope, session, continues = null } = place
  const fresh = new Set(newMessages(messages))
  // Where the upstream keeps the talk, a request may bring nothing but what tools gave: the answer is to what was asked before.
  if (fresh.size === 0 && continues === null) return []
  const where = [scope.tenant ?? 'default', scope.user, scope.agent ?? null, scope.app ?? null, session]
  let talk = digest(continues === null ? where : [...where, continues])
  const turns: TurnInput[] = []
  for (const [index, { by, text, name }] of messages.entries()) {
    if (by === 'other' || text.trim() === '') continue
    talk = digest([talk, by, name, text])
    if (fresh.has(index)) {
      const speaker = name === null ? {} : { speaker: name }
      turns.push({ role: 'user', text, id: turnId(talk), at: at.asked, ...speaker })
    }
  }
  if (answer !== null && answer.trim() !== '')
    turns.push({ role: 'agent', text: answer, id: turnId(digest([talk, 'answer'])), at: at.answered })
  return turns
}

function digest(parts: readonly (string | null)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

/** 128 bits are enough to tell turns of one person apart. */
function turnId(talk: string): string {
  return `chat-${talk.slice(0, 32)}`
}
