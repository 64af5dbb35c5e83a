import {
  EVENT_NAMES,
  type EventMap,
  type EventName,
  type EventScope,
  type Keepsake,
  type ScopeKey,
} from 'keepsake'
import type { EngineEvent } from '../workers/messages.ts'
import { ToldOnce } from './told-once.ts'

type Listener = (event: EngineEvent) => void

/** Listeners told in one go. Between two goes whatever else waits has its turn. */
const AT_ONCE = 8

/** An event, and who has yet to be told of it. */
interface Telling {
  readonly event: EngineEvent
  readonly listeners: readonly Listener[]
  next: number
}

/** What happens to the same memory in other processes. */
export interface Elsewhere {
  /**
   * @param wants whether anybody here listens to what happens to a person; `null`: to somebody who was erased
   * @returns what ends it.
   */
  listen(listener: Listener, wants: (person: Person | null) => boolean): () => void
}

type Person = Pick<EventScope, 'tenant' | 'user'>

/**
 * Hands the engine's events to any number of listeners, those of other processes too where it is told of them, and listens only
 * while there are some.
 */
export class EventFeed {
  readonly #keepsake: Keepsake
  readonly #elsewhere: Elsewhere | null
  #unlisten = (): void => undefined
  /** With whom each is told of; everybody where that is `null`. */
  readonly #listeners = new Map<Listener, ScopeKey | null>()
  readonly #told = new ToldOnce()
  /** Oldest first: each is told in the order in which it happened. */
  readonly #waiting: Telling[] = []
  readonly #taps = EVENT_NAMES.map((event) => ({
    event,
    tap: (told: EventMap[EventName][0]) => this.#tell({ event, told } as EngineEvent),
  }))

  constructor(keepsake: Keepsake, elsewhere: Elsewhere | null = null) {
    this.#keepsake = keepsake
    this.#elsewhere = elsewhere
  }

  /** @param about whom alone it is interested in; it may be told of others too. @returns what ends it. */
  listen(listener: Listener, about: ScopeKey | null = null): () => void {
    if (this.#listeners.size === 0) {
      for (const { event, tap } of this.#taps) this.#keepsake.on(event, tap)
      this.#unlisten = this.#elsewhere?.listen((event) => this.#tell(event), this.#wants) ?? this.#unlisten
    }
    this.#listeners.set(listener, about)
    return () => {
      if (!this.#listeners.delete(listener) || this.#listeners.size > 0) return
      for (const { event, tap } of this.#taps) this.#keepsake.off(event, tap)
      this.#unlisten()
    }
  }

  readonly #wants = (person: Person | null): boolean => {
    for (const about of this.#listeners.values())
      if (about === null || (person !== null && isSame(about, person))) return true
    return false
  }

  #tell(event: EngineEvent): void {
    if (this.#listeners.size === 0) return
    // What happened elsewhere may be heard of in two ways, and what happened here be read again.
    if (this.#elsewhere !== null && !this.#told.isNew(event)) return
    this.#waiting.push({ event, listeners: [...this.#listeners.keys()], next: 0 })
    if (this.#waiting.length === 1) this.#goOn()
  }

  /** One that fails keeps nobody else from being told. */
  #tellOne(listener: Listener, event: EngineEvent): void {
    try {
      listener(event)
    } catch (error) {
      setImmediate(this.#goOn)
      throw error
    }
  }

  readonly #goOn = (): void => {
    let told = 0
    for (let telling = this.#waiting[0]; telling !== undefined; telling = this.#waiting[0]) {
      if (told === AT_ONCE) return void setImmediate(this.#goOn)
      const listener = telling.listeners[telling.next]
      telling.next += 1
      if (listener === undefined) this.#waiting.shift()
      else if (this.#listeners.has(listener)) {
        told += 1
        this.#tellOne(listener, telling.event)
      }
    }
  }
}

/** Whether an event is about what a key sees. Events of no scope are nobody's. */
export function isAbout(event: EngineEvent, key: ScopeKey): boolean {
  return 'scope' in event.told && sees(key, event.told.scope)
}

function isSame(key: ScopeKey, { tenant, user }: Person): boolean {
  return tenant === (key.tenant ?? 'default') && user === key.user
}

function sees(key: ScopeKey, scope: EventScope): boolean {
  if (!isSame(key, scope)) return false
  if (key.agent === undefined && key.app === undefined) return true
  return scope.agent === (key.agent ?? null) && scope.app === (key.app ?? null)
}
