import { createHash } from 'node:crypto'
import type { PlacedTurn } from './import-source.ts'

/** Messages are answered hours later and belong together still; after a night something new begins. */
const LONGEST_SILENCE = 6 * 3_600_000

export const hashOf = (...parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)

/**
 * Gives turns without an id one that follows from what they say, so that an import which is begun again knows them, even when the
 * file has grown: who said what when, and for the how manieth time; or without a time, what was said up to there.
 */
export function* withIds(prefix: string, turns: Iterable<PlacedTurn>): Generator<PlacedTurn> {
  const seen = new Map<string, number>()
  let before = ''
  for (const placed of turns) {
    const { user, agent, app, session, turn } = placed
    if (turn.id !== undefined) {
      yield placed
      continue
    }
    const said = hashOf(user, agent, app, session, turn.role, turn.speaker, turn.text, turn.at ?? before)
    if (turn.at === undefined) before = said
    const times = (seen.get(said) ?? 0) + 1
    if (turn.at !== undefined) seen.set(said, times)
    yield { ...placed, turn: { ...turn, id: `${prefix}-${said}${times === 1 ? '' : `-${times}`}` } }
  }
}

/** Puts turns that name no session in sessions: one for all, or where times are known, a new one after a long silence. */
export function* inSessions(prefix: string, turns: Iterable<PlacedTurn>): Generator<PlacedTurn> {
  const sessions = new Sessions()
  for (const placed of turns) {
    yield placed.session === null ? { ...placed, session: sessions.of(prefix, placed) } : placed
  }
}

/** Names sessions by the chat, the day and the words that they begin with. */
export class Sessions {
  #chat: string | null = null
  #session = ''
  #last: number | undefined

  /** The session of the turn that comes next in a chat. */
  of(chat: string, { turn: { at, speaker, text } }: PlacedTurn): string {
    const isAfterSilence = at !== undefined && this.#last !== undefined && at - this.#last > LONGEST_SILENCE
    if (chat !== this.#chat || isAfterSilence) {
      const day = at === undefined ? [] : [new Date(at).toISOString().slice(0, 10)]
      this.#session = [chat, ...day, hashOf(speaker, at, text).slice(0, 6)].join('-')
    }
    this.#chat = chat
    this.#last = at ?? this.#last
    return this.#session
  }
}
