import type { EngineEvent } from '../workers/messages.ts'

/** So many are remembered: seconds of them, and a second way of hearing of one takes tenths. */
const MOST = 20_000

/** Which changes were told, so that one that is heard of twice is told once. Events of which nothing is kept are heard of once. */
export class ToldOnce {
  /** In order of telling. */
  readonly #ids = new Set<string>()

  /** Whether it was not told before; from now on it was. */
  isNew(event: EngineEvent): boolean {
    const ids = idsOf(event)
    if (ids.length === 0) return true
    const fresh = ids.filter((id) => !this.#ids.has(id))
    for (const id of fresh) this.#ids.add(id)
    for (const oldest of this.#ids) {
      if (this.#ids.size <= MOST) break
      this.#ids.delete(oldest)
    }
    return fresh.length > 0
  }
}

function idsOf(event: EngineEvent): string[] {
  switch (event.event) {
    case 'turns-recorded': {
      const { scope, turns } = event.told
      return turns.map((turn) => JSON.stringify([scope.tenant, scope.user, turn]))
    }
    case 'memory-added':
    case 'memory-modified':
    case 'memory-deleted':
    case 'memory-forgotten':
    case 'memory-restored':
      return [event.told.operation.id]
    case 'scope-erased':
      return [event.told.receipt.id]
    default:
      return []
  }
}
