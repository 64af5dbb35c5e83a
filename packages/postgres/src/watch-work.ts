import { setTimeout as sleep } from 'node:timers/promises'
import { joinNotes, type ChangeNote } from 'keepsake/store-kit'
import { notesOf, tellingsOf } from './change-notes.ts'
import type { Sessions } from './connection/session.ts'
import { part } from './connection/sql-part.ts'

/** So often others are told at most: whoever talks with hundreds of people at once says it together. */
const TELL_EVERY_MS = 100
/** Of more than these in one telling, everybody is told as if it were theirs: a notification holds 8,000 bytes. */
const MOST_HOMES = 40
const EVERYBODY = '*'
/** Stands before notes of changes, where the names of homes stand otherwise. */
const CHANGES = '!'

/** Is told of work that another process queued, and whether it is of people whom this one has at hand. */
export type WorkListener = (isAtHand: boolean) => void

type ChangeListener = (note: ChangeNote | null) => void

/** Tells other processes of queued work and of what was changed, and hears of theirs, by NOTIFY on a channel of the schema. */
export class WorkWatch {
  readonly #sessions: Sessions
  readonly #channel: string
  /** Which notifications are our own: of these this process knows by itself. */
  readonly #name: string
  readonly #listeners = new Set<WorkListener>()
  #listening: Promise<() => Promise<void>> | null = null
  #telling: Promise<void> | null = null
  #homes = new Set<string>()
  readonly #changeListeners = new Set<ChangeListener>()
  #changed = new Map<number, ChangeNote>()
  #isClosed = false

  /** @param name under which this process holds claims */
  constructor(sessions: Sessions, schema: string, name: string) {
    this.#sessions = sessions
    this.#channel = `${schema}_work`
    this.#name = name
  }

  /**
   * After the commit and not in it: a transaction that notifies commits while no other may. What comes while a telling is
   * under way is told together, after it. Whoever is not reached looks for work every second anyway.
   */
  readonly tell = (homes: Iterable<string>): void => {
    for (const home of homes) this.#homes.add(home)
    if (this.#homes.size > 0) this.#telling ??= this.#tell()
  }

  /** The same of changes. They are told whether or not anybody listens, with whatever else there is to tell. */
  readonly tellChanges = (notes: readonly ChangeNote[]): void => {
    for (const note of notes)
      this.#changed.set(note.owner, joinNotes(this.#changed.get(note.owner) ?? null, note))
    if (this.#changed.size > 0) this.#telling ??= this.#tell()
  }

  async #tell(): Promise<void> {
    do {
      const homes = this.#homes.size > MOST_HOMES ? [EVERYBODY] : [...this.#homes]
      const work = homes.length === 0 ? [] : [[this.#name, ...homes].join(' ')]
      const changes = tellingsOf([...this.#changed.values()]).map(
        (notes) => `${this.#name} ${CHANGES} ${notes}`,
      )
      this.#homes = new Set()
      this.#changed = new Map()
      const said = [...work, ...changes]
      await this.#sessions
        .use((session) =>
          session.ask(part`SELECT pg_notify(${this.#channel}, one) FROM unnest(${said}::text[]) AS one`),
        )
        .catch(() => {})
      if (!this.#isClosed) await sleep(TELL_EVERY_MS)
    } while (this.#homes.size + this.#changed.size > 0)
    this.#telling = null
  }

  watch(listener: WorkListener): () => void {
    this.#listeners.add(listener)
    this.#listen()
    return () => void this.#listeners.delete(listener)
  }

  watchChanges(listener: ChangeListener): () => void {
    this.#changeListeners.add(listener)
    this.#listen()
    return () => void this.#changeListeners.delete(listener)
  }

  #listen(): void {
    this.#listening ??= this.#sessions.listen(this.#channel, (said) => this.#hear(said))
    this.#listening.catch(() => {})
  }

  /** Nothing is said when the listening begins: what was told before was not heard. */
  #hear(said: string): void {
    const [teller, ...homes] = said.split(' ')
    if (teller === this.#name) return
    if (said === '') for (const each of this.#changeListeners) each(null)
    if (homes[0] === CHANGES) {
      const notes = notesOf(homes.slice(1))
      for (const each of this.#changeListeners) for (const note of notes) each(note)
      return
    }
    const isAtHand = said === '' || homes.includes(this.#name) || homes.includes(EVERYBODY)
    for (const each of this.#listeners) each(isAtHand)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#listeners.clear()
    this.#changeListeners.clear()
    await this.#telling
    const stop = await this.#listening?.catch(() => undefined)
    await stop?.()
  }
}
