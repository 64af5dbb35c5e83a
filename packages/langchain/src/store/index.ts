export { KeepsakeStore, type KeepsakeStoreOptions } from './keepsake-store.ts'
export type { IndexedFields } from './item-text.ts'
export type { Namespace, ScopeOf } from './namespace.ts'
