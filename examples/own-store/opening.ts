import { ClosedError, makeHolder } from 'keepsake/store-kit'
import { EMPTY, type State } from './state.ts'

/** What openings of one store share. */
export interface Shared {
  state: State
  readonly watchers: Set<() => void>
}

export function newRows(): Shared {
  return { state: EMPTY, watchers: new Set() }
}

/** One opening of the rows, as a process opens a database. */
export class Opening {
  readonly holder = makeHolder()
  readonly #shared: Shared
  #isOpen = true

  constructor(shared: Shared) {
    this.#shared = shared
  }

  /** What is kept, to be read. */
  get state(): State {
    if (!this.#isOpen) throw new ClosedError()
    return this.#shared.state
  }

  get watchers(): Set<() => void> {
    return this.#shared.watchers
  }

  /** All or nothing: the change is made on a copy, which takes the place of what was there. */
  change<Result>(work: (state: State) => Result): Result {
    const state = structuredClone(this.state)
    const result = work(state)
    this.#shared.state = state
    return result
  }

  close(): void {
    this.#isOpen = false
    this.holder.release()
  }
}
