import type { EngineEvent } from './messages.ts'
import type { Staff, WorkerMetrics } from './messages.ts'

/** The processes that serve the same memory beside this one, as it knows them. */
export interface Siblings {
  /** Where the others send what is this one's to serve. */
  readonly door: string
  /** This one among them. */
  readonly number: number
  /** Takes note that a person was served here; `by` the process whose connection they came by, `null`: this one's own. */
  served(person: string, by: number | null): void
  /** The door of whoever serves a person; `null`: this process does. */
  homeOf(person: string): string | null | Promise<string | null>
  readonly events: SiblingEvents
  /** Says how this process's own metrics are read. */
  countBy(read: () => Promise<WorkerMetrics>): void
  /** The metrics of every process, this one's first. */
  gather(): Promise<readonly WorkerMetrics[]>
  staff(): Staff
  /** Resolves when this process is to stop. */
  readonly stopped: Promise<void>
}

/** What happens in one process, told in the others. */
export interface SiblingEvents {
  /** Tells the others, where any of them listens. */
  publish(event: EngineEvent): void
  /** @returns what ends it. */
  listen(listener: (event: EngineEvent) => void): () => void
  /** Whether another process listens now; told whenever that changes. @returns what ends it. */
  watchWanted(told: (isWanted: boolean) => void): () => void
}
