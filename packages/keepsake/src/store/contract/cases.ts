import type { ScopeRow } from '../../scopes/scope.ts'
import type { Store } from '../store.ts'

/** The stores that a test case uses. */
export interface CaseSetup {
  /** A store that contains only the general scope of one user, Ada. */
  readonly store: Store
  readonly ada: ScopeRow
  /** Opens another, empty store. */
  readonly open: () => Promise<Store>
  /** Opens the rows of `store` a second time, as another process would. */
  readonly openAgain: () => Promise<Store>
}

/** Test cases about one part of the port. */
export interface StoreCases {
  readonly part: string
  /** Whether the cases call `openAgain`, which some stores cannot offer. */
  readonly needsOpenAgain?: boolean
  /** Test functions by the title of the case. */
  readonly cases: Readonly<Record<string, (setup: CaseSetup) => Promise<void>>>
}
