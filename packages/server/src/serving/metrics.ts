// Defines the metrics that `/metrics` reports.
import type { Keepsake } from 'keepsake'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { WorkerLink } from '../workers/worker-link.ts'
import { EventFeed } from './event-feed.ts'

/** Bucket limits in seconds, from a tenth of a recall's time to the timeout of a model. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** Options of the metrics of a server. */
export interface MetricsOptions {
  readonly keepsake: Keepsake
  readonly worker?: WorkerLink | null
}

interface RequestLabels {
  readonly door: string
  readonly route: string
  readonly method: string
  readonly status: number
}

/** Metrics for `/metrics`, which watch a memory until they are closed. Labels never hold a user, a tenant or a text. */
export type ServerMetrics = ReturnType<typeof createMetrics>

/** Creates the metrics of a server, in a registry of its own so that several servers in a process do not mix. */
export function createMetrics({ keepsake, worker = null }: MetricsOptions) {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'keepsake_request_seconds',
    help: 'Seconds from a request to the head of its answer.',
    labelNames: ['door', 'route', 'method', 'status'],
    buckets: DURATION_BUCKETS,
    registers,
  })
  const unwatch = watchMemory(keepsake, registry)
  watchStore(keepsake, registry)
  worker?.shareMetrics(registry)
  return {
    /** Counts an answered request and how long it took, in seconds. */
    requestEnded: (labels: RequestLabels, seconds: number): void =>
      requests.observe({ ...labels, status: String(labels.status) }, seconds),
    /** Renders all metrics, of all workers, in Prometheus' text format. */
    render: async (): Promise<{ readonly contentType: string; readonly text: string }> => ({
      contentType: registry.contentType,
      text: (await worker?.gatherMetrics()) ?? (await registry.metrics()),
    }),
    /** Stops watching the memory. */
    close: unwatch,
  }
}

/** Counts the memory's events. @returns a function that stops that */
function watchMemory(keepsake: Keepsake, registry: Registry): () => void {
  const registers = [registry]
  const counter = (name: string, help: string, labelNames: string[] = []): Counter =>
    new Counter({ name, help, labelNames, registers })
  const turns = counter('keepsake_turns_recorded_total', 'Turns remembered.')
  const recalls = new Histogram({
    name: 'keepsake_recall_seconds',
    help: 'Seconds of a recall inside the engine.',
    buckets: DURATION_BUCKETS,
    registers,
  })
  const changes = counter('keepsake_memory_changes_total', 'Changes of memories.', ['kind'])
  const calls = counter('keepsake_model_calls_total', 'Calls of the language model.', ['outcome', 'task'])
  const tokens = counter('keepsake_model_tokens_total', 'Tokens of these calls, as providers counted them.', [
    'task',
    'kind',
  ])
  return new EventFeed(keepsake).listen(({ event, payload }) => {
    switch (event) {
      case 'turns-recorded':
        turns.inc(payload.turns.length)
        break
      case 'recall-answered':
        recalls.observe(payload.milliseconds / 1_000)
        break
      case 'memory-added':
      case 'memory-modified':
      case 'memory-deleted':
      case 'memory-forgotten':
      case 'memory-restored':
        changes.inc({ kind: payload.operation.kind })
        break
      case 'model-called':
        calls.inc({ outcome: payload.outcome, task: payload.task ?? 'other' })
        tokens.inc({ task: payload.task ?? 'other', kind: 'input' }, payload.inputTokens ?? 0)
        tokens.inc({ task: payload.task ?? 'other', kind: 'output' }, payload.outputTokens ?? 0)
        break
      default:
    }
  })
}

/** Adds gauges of the store's contents. One read of the store serves all gauges. */
function watchStore(keepsake: Keepsake, registry: Registry): void {
  const gauge = (name: string, help: string, labelNames: string[] = []): Gauge =>
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      aggregator: 'first',
      collect: () => refresh(),
    })
  const memories = gauge('keepsake_memories', 'Memories, by status.', ['status'])
  const people = gauge('keepsake_people', 'Number of users that have a memory.')
  const bytes = gauge('keepsake_store_bytes', 'Bytes of the store.')
  const jobs = gauge('keepsake_jobs', 'Background jobs that wait, and those parked after a failure.', [
    'state',
  ])
  const updateGauges = async (): Promise<void> => {
    const [stats, { length: parked }] = await Promise.all([
      keepsake.stats(),
      keepsake.jobs({ state: 'parked' }),
    ])
    jobs.set({ state: 'parked' }, parked)
    jobs.set({ state: 'waiting' }, Math.max(0, stats.jobs - parked))
    for (const [status, count] of Object.entries(stats.memories)) memories.set({ status }, count)
    people.set(stats.users)
    bytes.set(stats.bytes)
  }
  let update: Promise<void> | null = null
  const refresh = (): Promise<void> => (update ??= updateGauges().finally(() => (update = null)))
}
