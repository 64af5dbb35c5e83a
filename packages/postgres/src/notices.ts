import { setTimeout as sleep } from 'node:timers/promises'
import type { ChangeNote, Tables } from 'keepsake/store'
import { sql, type Kysely } from 'kysely'
import type { Connections } from './connections.ts'

/** Notes wait this long for others, and are sent together. */
const SEND_EVERY_MS = 50
/** A notification holds 8,000 bytes, and a note some 60 of them. */
const NOTES_PER_NOTIFICATION = 80

/** Announces changes to other processes by NOTIFY, and hears theirs. */
export class Notices {
  readonly #connections: Connections
  readonly #db: Kysely<Tables>
  readonly #channel: string
  /** Marks notifications of this process: it knows its own changes. */
  readonly #sender: string
  readonly #listeners = new Set<(note: ChangeNote | null) => void>()
  readonly #waiting = new Map<number, ChangeNote>()
  #listening: Promise<() => Promise<void>> | null = null
  #sending: Promise<void> | null = null
  #isClosed = false

  constructor(connections: Connections, db: Kysely<Tables>, options: { schema: string; sender: string }) {
    this.#connections = connections
    this.#db = db
    this.#channel = `${options.schema}_changes`
    this.#sender = options.sender
  }

  /** Sent after the commit: a transaction that notifies would hold up all others. What gets lost is found by polling. */
  announce(note: ChangeNote): void {
    const known = this.#waiting.get(note.userId)
    this.#waiting.set(note.userId, known === undefined ? note : joinNotes(known, note))
    this.#sending ??= this.#send()
  }

  async #send(): Promise<void> {
    while (this.#waiting.size > 0) {
      if (!this.#isClosed) await sleep(SEND_EVERY_MS)
      const notes = [...this.#waiting.values()]
      this.#waiting.clear()
      for (let from = 0; from < notes.length; from += NOTES_PER_NOTIFICATION) {
        const text = notes
          .slice(from, from + NOTES_PER_NOTIFICATION)
          .map(encodeNote)
          .join(' ')
        const notify = sql`SELECT pg_notify(${this.#channel}, ${`${this.#sender} ${text}`})`
        await notify.execute(this.#db).catch(() => undefined)
      }
    }
    this.#sending = null
  }

  watch(listener: (note: ChangeNote | null) => void): () => void {
    this.#listeners.add(listener)
    this.#listening ??= this.#connections.listen(this.#channel, (payload) => this.#hear(payload))
    this.#listening.catch(() => undefined)
    return () => void this.#listeners.delete(listener)
  }

  #hear(payload: string): void {
    const [sender, ...notes] = payload.split(' ')
    if (sender === this.#sender) return
    const heard = payload === '' ? [null] : notes.flatMap((note) => decodeNote(note) ?? [])
    for (const listener of this.#listeners) for (const note of heard) listener(note)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#listeners.clear()
    await this.#sending
    const stop = await this.#listening?.catch(() => undefined)
    await stop?.()
  }
}

/** Two notes of one user as one: where the user stood before both. */
export function joinNotes(one: ChangeNote, other: ChangeNote): ChangeNote {
  const positions = new Map(other.turns.map(({ scope, position }) => [scope, position]))
  for (const { scope, position } of one.turns)
    positions.set(scope, Math.min(position, positions.get(scope) ?? position))
  return {
    userId: one.userId,
    sequence: Math.min(one.sequence, other.sequence),
    turns: [...positions].map(([scope, position]) => ({ scope, position })),
    erasures: one.erasures + other.erasures,
    hasJobs: one.hasJobs || other.hasJobs,
  }
}

/** Stands for a sequence that did not change. */
const UNCHANGED = -1

function encodeNote({ userId, sequence, turns, erasures, hasJobs }: ChangeNote): string {
  const places = turns.flatMap(({ scope, position }) => [scope, position])
  const last = Number.isFinite(sequence) ? sequence : UNCHANGED
  return [userId, last, erasures, Number(hasJobs), ...places].join(':')
}

/** `null` for what is no note. */
function decodeNote(text: string): ChangeNote | null {
  const numbers = text.split(':').map(Number)
  const [userId, sequence, erasures, hasJobs, ...places] = numbers
  if (userId === undefined || sequence === undefined || erasures === undefined) return null
  if (!numbers.every((number) => Number.isSafeInteger(number))) return null
  const turns: { scope: number; position: number }[] = []
  for (let at = 0; at + 1 < places.length; at += 2)
    turns.push({ scope: places[at] ?? 0, position: places[at + 1] ?? 0 })
  const last = sequence === UNCHANGED ? Infinity : sequence
  return { userId, sequence: last, turns, erasures, hasJobs: hasJobs === 1 }
}
