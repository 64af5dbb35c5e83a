import type { ScopeRow } from '../../scopes/scope.ts'
import type { Store } from '../store.ts'

/** What a case works with. */
export interface Given {
  /** A store with nothing in it but the general scope of one person. */
  readonly store: Store
  readonly ada: ScopeRow
  /** Another empty store. */
  readonly open: () => Promise<Store>
  /** The same rows once more. */
  readonly openAgain: () => Promise<Store>
}

/** Cases about one part of the port, by what they say. */
export interface StoreCases {
  readonly part: string
  /** Whether they open the same rows twice. */
  readonly needsTwo?: boolean
  readonly cases: Readonly<Record<string, (given: Given) => Promise<void>>>
}
