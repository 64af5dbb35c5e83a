import { createHash } from 'node:crypto'
import type { PlacedTurn } from './import-source.ts'

/** A longer silence, such as a night, begins a new session. */
const MAX_SILENCE_MS = 6 * 3_600_000

/** Returns a short hash of values, which is the same in each import. */
export const hashOf = (...parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)

/**
 * Gives turns without an id one that is the same in each import of a file that grows. It is a hash of speaker, time and text. A turn
 * without a time also depends on the texts before it. Turns with equal hashes are numbered.
 */
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

/** Assigns sessions to turns without one. A new session begins after a long silence. Turns without times form one session. */
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
