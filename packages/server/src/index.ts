export { createApp, type AppOptions } from './app.ts'
export { openServer, type OpenServer, type ServerOptions } from './open-server.ts'
export { startServer, type RunningServer, type StartOptions } from './serving/start-server.ts'

export { ACTIONS, allows, UNLOCKED, type Action, type Grant } from './access/grant.ts'
export {
  KeyStore,
  makePassingKey,
  openKeys,
  type KeyEntry,
  type KeyStoreOptions,
  type NewKey,
  type OpenKeys,
  type PassingKey,
} from './access/key-store.ts'
export { readAudit, type AuditEntry } from './access/audit-log.ts'
export { requireLoopback } from './access/guard-loopback.ts'

export { createMetrics, type MetricsOptions, type ServerMetrics } from './serving/metrics.ts'
export { RequestStore, type Idempotency, type StoredAnswer } from './serving/request-store.ts'
export { parseJson, type BodyLimits } from './serving/request-body.ts'
export { writeLog, type LogOutput } from './serving/write-log.ts'

export { WebhookStore, type MadeWebhook, type NewWebhook, type Webhook } from './webhooks/webhook-store.ts'
export { MOVE_WEBHOOKS } from './webhooks/move-webhooks.ts'
export { Webhooks, type WebhookSettings } from './webhooks/webhooks.ts'

export { Problem, type FieldProblem, type ProblemBody } from './problem.ts'
export type { LogEntry, ServerDeps, ServerEnv, ServerRequest, Upstream } from './server-context.ts'

export type { ProtocolAdapter } from './protocols.ts'
export { requireAccess } from './access/access.ts'
export { decodeName } from './chats/read-memory-headers.ts'
export { ownerOf, requestIdFor, runOnce } from './serving/idempotency-key.ts'
export type { ChatOptions } from './chats/chat-options.ts'
export { serveMcpOverStdio, type StdioOptions } from './mcp/serve-stdio.ts'

export { joinPrimary, type Serving, type WorkerLink } from './workers/worker-link.ts'
export { startWorkers, type StartWorkersOptions, type Workers } from './workers/start-workers.ts'
