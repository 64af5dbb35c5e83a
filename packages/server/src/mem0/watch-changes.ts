import type { EventMap, EventScope, Keepsake, Memory, Operation } from 'keepsake'

/** A change to a memory while somebody watched. */
export interface WatchedChange {
  readonly kind: 'added' | 'modified' | 'deleted'
  readonly memory: Memory
  readonly operation: Operation
}

export interface Watching {
  /** What changed so far, in order. */
  readonly changes: readonly WatchedChange[]
  stop(): void
}

type Listener = (scope: EventScope, change: WatchedChange) => void

/** Tells requests what changed in their scope while they waited. One listener on the engine for all of them. */
export class ChangeWatch {
  readonly #listeners = new Set<Listener>()

  /** Lets go of the engine. */
  readonly stop: () => void

  constructor(keepsake: Keepsake) {
    const tell =
      (kind: WatchedChange['kind']) =>
      ({ scope, memory, operation }: EventMap['memory-added'][0]): void => {
        for (const listener of this.#listeners) listener(scope, { kind, memory, operation })
      }
    const added = tell('added')
    const modified = tell('modified')
    const deleted = tell('deleted')
    keepsake.on('memory-added', added).on('memory-modified', modified).on('memory-deleted', deleted)
    this.stop = () =>
      void keepsake.off('memory-added', added).off('memory-modified', modified).off('memory-deleted', deleted)
  }

  /** Watches one scope until told to stop. */
  watch(scope: EventScope): Watching {
    const changes: WatchedChange[] = []
    const listener: Listener = (of, change) => {
      if (isSame(scope, of)) changes.push(change)
    }
    this.#listeners.add(listener)
    return { changes, stop: () => void this.#listeners.delete(listener) }
  }
}

const isSame = (one: EventScope, other: EventScope): boolean =>
  one.tenant === other.tenant && one.user === other.user && one.agent === other.agent && one.app === other.app
