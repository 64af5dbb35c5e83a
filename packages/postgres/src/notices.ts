// Announces changes to other processes by NOTIFY.
import { setTimeout as sleep } from 'node:timers/promises'
import { joinNotes, type ChangeNote, type Tables } from 'keepsake/store'
import { sql, type Kysely } from 'kysely'
import type { Connections } from './connections.ts'

/** Interval in which notes are collected and sent together. */
const SEND_EVERY_MS = 50
/** Postgres limits a notification to 8,000 bytes. A note has about 60. */
const NOTES_PER_NOTIFICATION = 80

/** Announces changes to other processes by NOTIFY, and reports theirs to listeners. */
export class ChangeNotifier {
  readonly #connections: Connections
  readonly #db: Kysely<Tables>
  readonly #channel: string
  /** Identifies notifications of this process, which it ignores. */
  readonly #sender: string
  readonly #listeners = new Set<(note: ChangeNote | null) => void>()
  readonly #pending = new Map<number, ChangeNote>()
  #listening: Promise<() => Promise<void>> | null = null
  #sending: Promise<void> | null = null
  #isClosed = false

  constructor(connections: Connections, db: Kysely<Tables>, options: { schema: string; sender: string }) {
    this.#connections = connections
    this.#db = db
    this.#channel = `${options.schema}_changes`
    this.#sender = options.sender
  }

  /** Queues a note. It is sent outside the transaction, because NOTIFY in a transaction blocks all others. Polling finds lost notes. */
  announce(note: ChangeNote): void {
    const earlier = this.#pending.get(note.userId)
    this.#pending.set(note.userId, earlier === undefined ? note : joinNotes(earlier, note))
    this.#sending ??= this.#send()
  }

  async #send(): Promise<void> {
    while (this.#pending.size > 0) {
      if (!this.#isClosed) await sleep(SEND_EVERY_MS)
      const notes = [...this.#pending.values()]
      this.#pending.clear()
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
    this.#listening ??= this.#connections.listen(this.#channel, (payload) => this.#receive(payload))
    this.#listening.catch(() => undefined)
    return () => void this.#listeners.delete(listener)
  }

  #receive(payload: string): void {
    const [sender, ...notes] = payload.split(' ')
    if (sender === this.#sender) return
    const received = payload === '' ? [null] : notes.flatMap((note) => decodeNote(note) ?? [])
    for (const listener of this.#listeners) for (const note of received) listener(note)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#listeners.clear()
    await this.#sending
    const stop = await this.#listening?.catch(() => undefined)
    await stop?.()
  }
}

/** Replaces `Infinity`, which a note has as the sequence if the log did not change. */
const UNCHANGED = -1

function encodeNote({ userId, sequence, turns, erasures, hasJobs }: ChangeNote): string {
  const positions = turns.flatMap(({ scope, position }) => [scope, position])
  const last = Number.isFinite(sequence) ? sequence : UNCHANGED
  return [userId, last, erasures, Number(hasJobs), ...positions].join(':')
}

/** Decodes a note, or returns `null` for invalid text. */
function decodeNote(text: string): ChangeNote | null {
  const numbers = text.split(':').map(Number)
  const [userId, sequence, erasures, hasJobs, ...positions] = numbers
  if (userId === undefined || sequence === undefined || erasures === undefined) return null
  if (!numbers.every((number) => Number.isSafeInteger(number))) return null
  const turns: { scope: number; position: number }[] = []
  for (let index = 0; index + 1 < positions.length; index += 2)
    turns.push({ scope: positions[index] ?? 0, position: positions[index + 1] ?? 0 })
  const last = sequence === UNCHANGED ? Infinity : sequence
  return { userId, sequence: last, turns, erasures, hasJobs: hasJobs === 1 }
}
