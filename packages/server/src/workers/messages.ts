import type { EventMap, EventName } from 'keepsake'
import type { MetricObjectWithValues, MetricValue } from 'prom-client'

/** An event of the engine, by its name. */
export type EngineEvent = {
  readonly [Name in EventName]: { readonly event: Name; readonly told: EventMap[Name][0] }
}[EventName]

/** Where a server listens. */
export interface Serving {
  readonly url: string
  readonly host: string
  readonly port: number
  readonly openKeys: number | null
}

export type WorkerMetrics = readonly MetricObjectWithValues<MetricValue<string>>[]

/** Workers by number: how many there should be, and which of them serve. */
export interface Staff {
  readonly wanted: number
  readonly serving: readonly number[]
}

/** What a worker tells its primary. What is answered carries an id. */
export type ToPrimary =
  | { readonly kind: 'serving'; readonly serving: Serving }
  | { readonly kind: 'home'; readonly id: number; readonly person: string }
  /** Somebody comes by the connections of another worker alone. */
  | { readonly kind: 'move'; readonly person: string; readonly to: number }
  | { readonly kind: 'event'; readonly event: EngineEvent }
  | { readonly kind: 'listening'; readonly isListening: boolean }
  | { readonly kind: 'gather'; readonly id: number }
  | { readonly kind: 'metrics'; readonly id: number; readonly metrics: WorkerMetrics }

/** What a primary tells its workers. */
export type ToWorker =
  | { readonly kind: 'homed'; readonly id: number; readonly worker: number }
  | { readonly kind: 'moved'; readonly person: string; readonly worker: number }
  | { readonly kind: 'event'; readonly event: EngineEvent }
  | { readonly kind: 'wanted'; readonly isWanted: boolean }
  | { readonly kind: 'gather'; readonly id: number }
  | { readonly kind: 'gathered'; readonly id: number; readonly all: readonly WorkerMetrics[] }
  | { readonly kind: 'staff'; readonly staff: Staff }
  | { readonly kind: 'stop' }

/** What the environment tells a process that is a worker: its number, the folder where workers reach each other, and their port. */
export const WORKER_NUMBER = 'KEEPSAKE_WORKER'
export const WORKER_FOLDER = 'KEEPSAKE_WORKER_FOLDER'
export const WORKER_PORT = 'KEEPSAKE_WORKER_PORT'

/** Where a worker is reached by the others. */
export function doorOf(folder: string, worker: number): string {
  return `${folder}/${worker}.sock`
}
