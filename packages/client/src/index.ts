export { createKeepsakeClient, type ClientOptions, type KeepsakeClient } from './create-client.ts'
export { ScopeClient, type KeepsakeApi, type ScopeParams } from './scope-client.ts'
export { dataOf, KeepsakeRequestError } from './request-error.ts'
export type {
  CallOptions,
  EraseReceipt,
  Explanation,
  KeepsakeEvent,
  Memory,
  MemoryFilter,
  Operation,
  PersonaSheet,
  Problem,
  Recall,
  Profile,
  RecalledMemory,
  RecallOptions,
  HeldRequest,
  Remembered,
  ReplyEvent,
  ReplyOptions,
  Scope,
  ScopeKey,
  Session,
  TurnInput,
  WriteOptions,
} from './types.ts'
export type { components, operations, paths } from './schema.ts'
