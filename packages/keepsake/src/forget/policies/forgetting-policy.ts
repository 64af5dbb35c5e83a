// Defines the interface of forgetting policies: pure functions from memories to strengths.
import type { Memory } from '../../memories/memory.ts'

/** The input of a policy besides the memories. Policies are pure. */
export interface ForgettingMoment {
  /** Number of the ending or current session, from 1. */
  readonly session: number
  /** The current round, counted from 1 within the scope. */
  readonly round: number
  /** Milliseconds since 1970. */
  readonly now: number
  /** `true` during a session. By default the session has ended, and its recalls are one session old (LUFY, section 3.4). */
  readonly underWay?: boolean
}

/** A strength with its named parts, which `explain` shows. */
export interface Strength {
  /** Higher values stay longer. Comparable within one policy and moment only. */
  readonly value: number
  /** Terms and inputs of the formula, by their names in it. */
  readonly parts: Readonly<Record<string, number>>
}

/** Ids of the models that measure a memory's signals. */
export interface SignalModelIds {
  readonly arousal: string
  readonly surprise: string
  /** `RATED_BY_LANGUAGE` where the language model is asked. */
  readonly importance: string
}

/** Stands for any language model that rates importance. */
export const RATED_BY_LANGUAGE = 'language-model'

/** Computes the strengths of memories. By their rank, select-forgotten.ts selects which are forgotten. */
export interface ForgettingPolicy {
  readonly name: string
  /** The formula in one line, for `explain` and the docs. */
  readonly formula: string
  /** With `facts`, the policy judges facts that may be forgotten, even exempt ones. Default: all that is not exempt. */
  readonly judges?: 'facts'
  /** Strengths of the memories, in order. */
  strengths(memories: readonly Memory[], moment: ForgettingMoment): Strength[]
  /** Computes the same strengths in batches, and yields to the event loop in between. */
  strengthsInPieces?(memories: readonly Memory[], moment: ForgettingMoment): Promise<Strength[]>
  /** Adapts the policy to the models that measure the signals (LUFY). */
  forModels?(models: SignalModelIds): ForgettingPolicy
}

/** Counts the sessions since a memory was recalled or made. An ended session counts as one (LUFY, section 3.4). */
export function sessionsSinceTouched(memory: Memory, moment: ForgettingMoment): number {
  const lag = moment.underWay === true ? 0 : 1
  return Math.max(0, moment.session - memory.use.lastSession) + lag
}

/** Defines when memories are forgotten, and how many stay. */
export type Retention =
  | { readonly when: 'never' }
  | {
      readonly when: 'session-end'
      /** Share of all memories ever made that is kept, from 0 to 1; at least one memory. LUFY keeps 0.1. */
      readonly keep: number
    }
  | {
      readonly when: 'capacity'
      readonly memories?: number
      readonly characters?: number
      /** Share of the capacity that is freed in addition. With 0 (default) a full store is judged after every round. */
      readonly slack?: number
      /** Capacity for exempt facts. Default: `memories` and `characters` for presets with `boundsFacts`, else `all`. */
      readonly facts?: number | 'all'
    }

export interface ForgottenMemory {
  readonly memory: string
  readonly strength: Strength
  /** Explanation in words, with the lowest strength that was kept. */
  readonly reason: string
}

/** The result of a run of the policy. */
export interface ForgettingResult {
  readonly policy: string
  /** Number of memories that the policy judged. */
  readonly considered: number
  readonly kept: number
  readonly forgotten: readonly ForgottenMemory[]
  /** One operation for each scope and policy. Undoing them restores all forgotten memories. */
  readonly operations: readonly string[]
  /** `true` when nothing was changed. */
  readonly dryRun: boolean
}
