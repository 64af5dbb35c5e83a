import { createHash } from 'node:crypto'
import type { PlacedTurn } from './import-source.ts'

/** A longer silence, such as a night, begins a new session. */
const MAX_SILENCE_MS = 6 * 3_600_000

export const hashOf = (...parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)

/** Derives ids from speaker, time, text and repetitions (without a time also earlier texts), so that a grown file imports again. */
export function* withIds(prefix: string, turns: Iterable<PlacedTurn>): Generator<PlacedTurn> {
  const repetitions = new Map<string, number>()
  let lastHash = ''
  for (const placed of turns) {
    const { user, agent, app, session, turn } = placed
    if (turn.id !== undefined) {
      yield placed
      continue
    }
    const hash = hashOf(user, agent, app, session, turn.role, turn.speaker, turn.text, turn.at ?? lastHash)
    if (turn.at === undefined) lastHash = hash
    const count = (repetitions.get(hash) ?? 0) + 1
    if (turn.at !== undefined) repetitions.set(hash, count)
    yield { ...placed, turn: { ...turn, id: `${prefix}-${hash}${count === 1 ? '' : `-${count}`}` } }
  }
}

/** Assigns sessions to turns without one. With times, a new session begins after a long silence; without, there is only one session. */
export function* inSessions(prefix: string, turns: Iterable<PlacedTurn>): Generator<PlacedTurn> {
  const sessions = new SessionNamer()
  for (const placed of turns) {
    yield placed.session === null ? { ...placed, session: sessions.of(prefix, placed) } : placed
  }
}

/** Names sessions by chat, day and first words. */
export class SessionNamer {
  #chat: string | null = null
  #session = ''
  #last: number | undefined

  /** Returns the session of a chat's next turn. */
  of(chat: string, { turn: { at, speaker, text } }: PlacedTurn): string {
    const isAfterSilence = at !== undefined && this.#last !== undefined && at - this.#last > MAX_SILENCE_MS
    if (chat !== this.#chat || isAfterSilence) {
      const day = at === undefined ? [] : [new Date(at).toISOString().slice(0, 10)]
      this.#session = [chat, ...day, hashOf(speaker, at, text).slice(0, 6)].join('-')
    }
    this.#chat = chat
    this.#last = at ?? this.#last
    return this.#session
  }
}
