import { tellsOfRequest } from '../memories/kept-request.ts'
import type { Memory } from '../memories/memory.ts'
import type { SearchOptions } from '@keepsake/search'
import { BM25_ONLY, type RetrievalRecipe } from '@keepsake/search'
import type { Engine } from '../work/engine.ts'
import type { UserState } from '../user-state/user-state.ts'

/** A user's state with the engine that searches it. */
export interface UserKnowledge {
  readonly engine: Engine
  readonly state: UserState
}

/** Finds facts that a statement or turn may change by words and meaning alone; conversation signals do not apply to facts. */
export const BY_WORDS_AND_MEANING: RetrievalRecipe = {
  ...BM25_ONLY,
  name: 'words-and-meaning',
  weights: { ...BM25_ONLY.weights, semantic: 0.7 },
}

/** Checks whether a memory is a live fact, except for notes of requests. */
export function isShown(memory: Memory): boolean {
  return memory.form === 'fact' && memory.status === 'live' && !tellsOfRequest(memory)
}

/** Lists the live facts of a scope, in insertion order. */
export function factsOf(state: UserState, scope: number): readonly Memory[] {
  return [...state.facts(scope).live()].filter(isShown)
}

/** Narrows a search to the live facts of a scope. */
export function accepting(
  state: UserState,
  scope: number,
): Pick<SearchOptions, 'kind' | 'scopes' | 'accepts'> {
  const standing = state.facts(scope)
  return {
    kind: 'memory',
    scopes: new Set([scope]),
    accepts: (id) => {
      const memory = standing.get(id)
      return memory !== undefined && isShown(memory)
    },
  }
}
