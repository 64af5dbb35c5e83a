import { randomUUID } from 'node:crypto'
import type { Keepsake } from 'keepsake'
import type { LogEntry, ServerDeps } from '../server-context.ts'
import { createMetrics } from '../serving/metrics.ts'
import { RequestStore } from '../serving/request-store.ts'

/** What the doors of a test's server share, what they logged, and how to stop them. */
export interface TestDeps {
  readonly deps: ServerDeps
  readonly logged: readonly LogEntry[]
  readonly stopping: AbortController
  /** Lets go of what is watched and held; the memory stays open. */
  readonly close: () => void
}

/** A server's parts over a memory, as `openServer()` makes them, but for what a test says. */
export function testDeps(keepsake: Keepsake, more: Partial<ServerDeps> = {}): TestDeps {
  const logged: LogEntry[] = []
  const stopping = new AbortController()
  const metrics = createMetrics({ keepsake })
  const idempotency = new RequestStore(keepsake.records)
  const deps: ServerDeps = {
    keepsake,
    model: null,
    upstream: null,
    metrics,
    idempotency,
    log: (entry) => logged.push(entry),
    now: Date.now,
    newId: randomUUID,
    stopping: stopping.signal,
    ...more,
  }
  const close = (): void => {
    stopping.abort()
    metrics.close()
    idempotency.close()
  }
  return { deps, logged, stopping, close }
}
