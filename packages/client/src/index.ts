export {
  createKeepsakeClient,
  type ClientOptions,
  type JobFilter,
  type KeepsakeClient,
  type ScopeFilter,
} from './create-client.ts'
export type { FileContent } from './send-file.ts'
export type { Page } from './pages.ts'
export { ScopeClient } from './scope-client.ts'
export { ScopeReading, type KeepsakeApi, type ScopeParams } from './scope-reading.ts'
export { WebhookClient } from './webhook-client.ts'
export { dataOf, KeepsakeRequestError } from './request-error.ts'
export type * from './types.ts'
export type { components, operations, paths } from './schema.ts'
