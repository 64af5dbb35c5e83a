import type { EventMap, EventScope, Keepsake, MemoryForm, ScopeKey } from 'keepsake'

type Changed = EventMap['memory-added'][0]

/** What changed of a person's memory; `null`: it may be anything. */
export type Change = MemoryForm | null

type Listener = (change: Change) => void

const MEMORY_EVENTS = [
  'memory-added',
  'memory-modified',
  'memory-deleted',
  'memory-forgotten',
  'memory-restored',
] as const

/**
 * Tells connections of changes to the memory that they serve. Listens to the engine once, however many connections there
 * are, and not at all while nobody subscribes. Knows of changes that this process made.
 */
export class ChangeFeed {
  readonly #keepsake: Keepsake
  readonly #listeners = new Map<string, Set<Listener>>()

  constructor(keepsake: Keepsake) {
    this.#keepsake = keepsake
  }

  /** @returns what ends the subscription. */
  subscribe(scope: ScopeKey, listener: Listener): () => void {
    if (this.#listeners.size === 0) this.#listen('on')
    const person = keyOf(scope)
    const listeners = this.#listeners.get(person) ?? new Set()
    this.#listeners.set(person, listeners.add(listener))
    return () => {
      if (!listeners.delete(listener) || listeners.size > 0) return
      this.#listeners.delete(person)
      if (this.#listeners.size === 0) this.#listen('off')
    }
  }

  #listen(how: 'on' | 'off'): void {
    for (const event of MEMORY_EVENTS) this.#keepsake[how](event, this.#onChange)
    this.#keepsake[how]('scope-erased', this.#onErased)
  }

  readonly #onChange = ({ scope, memory }: Changed): void => {
    this.#tell(this.#listeners.get(keyOf(scope)), memory.form)
  }

  /** A receipt names nobody: everybody who listens looks again. */
  readonly #onErased = (): void => {
    for (const listeners of this.#listeners.values()) this.#tell(listeners, null)
  }

  #tell(listeners: ReadonlySet<Listener> | undefined, change: Change): void {
    for (const listener of listeners ?? []) listener(change)
  }
}

/** By person: a connection that is narrowed to an agent looks again sometimes for nothing, and misses nothing. */
function keyOf({ tenant, user }: ScopeKey | EventScope): string {
  return JSON.stringify([tenant ?? 'default', user])
}
