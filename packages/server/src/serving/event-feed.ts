import type { EventMap, EventName, EventScope, Keepsake, ScopeKey } from 'keepsake'
import type { EngineEvent } from '../workers/messages.ts'

const NAMED: Readonly<Record<EventName, true>> = {
  'turns-recorded': true,
  'memory-added': true,
  'memory-modified': true,
  'memory-deleted': true,
  'memory-forgotten': true,
  'memory-restored': true,
  'memories-reinforced': true,
  'operation-rejected': true,
  'session-not-summarised': true,
  'portrait-not-made': true,
  'input-left-out': true,
  'session-ended': true,
  'scope-consolidated': true,
  'recall-answered': true,
  'model-called': true,
  'job-failed': true,
  'background-failed': true,
  'scope-erased': true,
  'erasure-proven': true,
}
/** Every event the engine tells. A new one does not compile until it is here. */
export const EVENT_NAMES = Object.keys(NAMED) as readonly EventName[]

type Listener = (event: EngineEvent) => void

/** What happens to the same memory in other processes. */
export interface Elsewhere {
  /** @returns what ends it. */
  listen(listener: Listener): () => void
}

/**
 * Hands the engine's events to any number of listeners, those of other processes too where it is told of them, and listens only
 * while there are some.
 */
export class EventFeed {
  readonly #keepsake: Keepsake
  readonly #elsewhere: Elsewhere | null
  #unlisten = (): void => undefined
  readonly #listeners = new Set<Listener>()
  readonly #taps = EVENT_NAMES.map((event) => ({
    event,
    tap: (told: EventMap[EventName][0]) => this.#tell({ event, told } as EngineEvent),
  }))

  constructor(keepsake: Keepsake, elsewhere: Elsewhere | null = null) {
    this.#keepsake = keepsake
    this.#elsewhere = elsewhere
  }

  /** @returns what ends it. */
  listen(listener: Listener): () => void {
    if (this.#listeners.size === 0) {
      for (const { event, tap } of this.#taps) this.#keepsake.on(event, tap)
      this.#unlisten = this.#elsewhere?.listen((event) => this.#tell(event)) ?? this.#unlisten
    }
    this.#listeners.add(listener)
    return () => {
      if (!this.#listeners.delete(listener) || this.#listeners.size > 0) return
      for (const { event, tap } of this.#taps) this.#keepsake.off(event, tap)
      this.#unlisten()
    }
  }

  #tell(event: EngineEvent): void {
    for (const listener of this.#listeners) listener(event)
  }
}

/** Whether an event is about what a key sees. Events of no scope are nobody's. */
export function isAbout(event: EngineEvent, key: ScopeKey): boolean {
  return 'scope' in event.told && sees(key, event.told.scope)
}

function sees(key: ScopeKey, scope: EventScope): boolean {
  if (scope.tenant !== (key.tenant ?? 'default') || scope.user !== key.user) return false
  if (key.agent === undefined && key.app === undefined) return true
  return scope.agent === (key.agent ?? null) && scope.app === (key.app ?? null)
}
