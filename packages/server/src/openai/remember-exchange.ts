import { setTimeout as wait } from 'node:timers/promises'
import { KeepsakeError, TurnConflictError, type Keepsake, type ScopeKey, type TurnInput } from 'keepsake'
import { chatTurns, type ExchangeTimes } from './chat-turns.ts'
import type { ChatMessage } from './read-chat-request.ts'

/** What was said, and to whom. */
export interface Exchange {
  readonly scope: ScopeKey
  /** `null`: the running one, split by silence. */
  readonly session: string | null
  /** The talk so far, as the client sent it. */
  readonly messages: readonly ChatMessage[]
  /** `null`: none came, or not to its end. */
  readonly answer: string | null
  readonly at: ExchangeTimes
}

/** Waits between tries where the store asks to be tried again, in milliseconds. It has waited for its own lock before. */
const WAITS = [250, 1_000]

/**
 * Remembers what is new in an exchange: what the user said since the agent's last answer, and the answer. What was remembered
 * before, in an earlier request or by the same one sent again, is not stored anew.
 *
 * @throws KeepsakeError when the store cannot take it.
 */
export async function rememberExchange(keepsake: Keepsake, exchange: Exchange): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      return await rememberOnce(keepsake, exchange)
    } catch (error) {
      const pause = WAITS[tries]
      if (!(error instanceof KeepsakeError) || !error.isRetryable || pause === undefined) throw error
      await wait(pause)
    }
  }
}

async function rememberOnce(keepsake: Keepsake, exchange: Exchange): Promise<void> {
  const { scope, session, messages, answer, at } = exchange
  const place = { scope, session: session ?? (await runningSession(keepsake, scope, at.asked)) }
  const remember = async (turns: readonly TurnInput[]): Promise<void> => {
    if (turns.length === 0) return
    await keepsake.scope(scope).remember(turns, session === null ? {} : { session })
  }
  try {
    await remember(chatTurns(place, messages, answer, at))
  } catch (error) {
    if (!(error instanceof TurnConflictError) || answer === null) throw error
    // The same request was answered before, in other words. That answer stays.
    await remember(chatTurns(place, messages, null, at))
  }
}

/**
 * The session that the engine will put a turn into when none is named: the last one while it is open and not silent for
 * longer than the preset's gap, else a new one. Known beforehand, since ids of turns rest on it: the same greeting on another
 * day is another turn.
 */
async function runningSession(keepsake: Keepsake, scope: ScopeKey, at: number): Promise<string> {
  const { tenant = 'default', user, agent = null, app = null } = scope
  const rows = await keepsake.scopes({ tenant, user })
  const own = rows.find((row) => row.agent === agent && row.app === app)
  const sessions = own === undefined ? [] : await keepsake.scope(scope).sessions()
  const last = sessions.findLast((session) => session.scope === own?.scope)
  if (last === undefined) return 'session-1'
  const isOver = last.endedAt !== null || at - last.lastAt > keepsake.preset.sessionGap
  return isOver ? `session-${last.number + 1}` : last.id
}
