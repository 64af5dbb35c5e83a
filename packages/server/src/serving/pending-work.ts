import type { ScopeKey } from 'keepsake'

/**
 * What goes on after an answer was sent: exchanges being remembered. A server that shuts down waits for it, after the
 * last answer was sent and before it closes the memory.
 *
 * @example
 * const pending = new PendingWork()
 * app.route('/v1', openaiRoutes(deps, { pending }))
 * // shutting down: connections are closed, then
 * await pending.drain()
 * await keepsake.close()
 */
export class PendingWork {
  readonly #work = new Map<Promise<void>, string>()

  /** How much is under way. */
  get size(): number {
    return this.#work.size
  }

  /**
   * Keeps track of work until it ends, well or not: whoever does it reports its errors.
   *
   * @param whose the person it is done for, see {@link settled}.
   */
  add(whose: ScopeKey, work: Promise<unknown>): void {
    const ended: Promise<void> = work.then(
      () => void this.#work.delete(ended),
      () => void this.#work.delete(ended),
    )
    this.#work.set(ended, personKey(whose))
  }

  /** Resolves when all that is under way for a person now has ended. Never rejects. */
  async settled(person: ScopeKey): Promise<void> {
    const key = personKey(person)
    await Promise.all([...this.#work].flatMap(([work, whose]) => (whose === key ? [work] : [])))
  }

  /** Resolves when nothing is under way any more, what was added meanwhile included. Never rejects. */
  async drain(): Promise<void> {
    while (this.#work.size > 0) await Promise.all(this.#work.keys())
  }
}

function personKey({ tenant = 'default', user }: ScopeKey): string {
  return JSON.stringify([tenant, user])
}
