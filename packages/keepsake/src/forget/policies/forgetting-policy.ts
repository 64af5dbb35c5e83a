import type { SignalModelIds } from '../../importance/embedded-calibration.ts'
import type { Memory } from '../../memories/memory.ts'

/** What a policy may look at besides the memory itself. All passed in: policies are pure. */
export interface ForgettingMoment {
  /** Ordinal of the session that ends or is under way (1 for the first). */
  readonly session: number
  /** The current round, counted from 1 within the scope. */
  readonly round: number
  /** Milliseconds since 1970. */
  readonly now: number
  /**
   * `true` when strengths are asked for recall while a session goes on. To decide what is forgotten it is left out:
   * then the touch that came last is one step old, as after a conversation (LUFY, 3.4). With no lag, exp(−Δt/S)
   * would be 1 for all that the session touched, and say nothing.
   */
  readonly underWay?: boolean
}

/** Why a memory has the strength it has, in named numbers: what `explain` shows. */
export interface Strength {
  /** The higher, the longer it stays. Comparable within one policy and moment only. */
  readonly value: number
  /** The terms and inputs of the formula, by the names the paper gives them. */
  readonly parts: Readonly<Record<string, number>>
}

/** Decides how strongly each memory holds; what is forgotten follows from the rank (see select-forgotten.ts). */
export interface ForgettingPolicy {
  readonly name: string
  /** The formula in one line, for `explain` and the docs. */
  readonly formula: string
  /** `facts`: only facts, but for those that always stay, whatever the preset exempts. What the preset does not exempt when absent. */
  readonly judges?: 'facts'
  /** Strengths of the memories, in order. */
  strengths(memories: readonly Memory[], moment: ForgettingMoment): Strength[]
  /** The same, giving way to the event loop in between: for a policy that takes long over many. */
  strengthsInPieces?(memories: readonly Memory[], moment: ForgettingMoment): Promise<Strength[]>
  /** The same policy for the models that measure the signals here, where its numbers depend on them (LUFY). */
  forModels?(models: SignalModelIds): ForgettingPolicy
}

/**
 * Sessions since a memory was last recalled or made, from 0. Forgetting comes after the conversation, so what was
 * touched in the session that has just ended is one step old (LUFY, 3.4: annotated at t = 2, last used at t = 1);
 * were it 0, exp(−Δt/S) would be 1 for all of them and say nothing.
 */
export function sessionsSinceTouched(memory: Memory, moment: ForgettingMoment): number {
  const lag = moment.underWay === true ? 0 : 1
  return Math.max(0, moment.session - memory.use.lastSession) + lag
}

/** When and how much is forgotten. */
export type Retention =
  | { readonly when: 'never' }
  | {
      readonly when: 'session-end'
      /** Share of all ever made that is kept, 0 to 1 (LUFY: 0.1). At least one is kept. */
      readonly keep: number
    }
  | {
      readonly when: 'capacity'
      readonly memories?: number
      readonly characters?: number
      /**
       * Once over the capacity, this share of it is forgotten as well, 0 to 1. MOOM forgets just enough, 0, the
       * default; then a large store at its capacity is judged anew after every round.
       */
      readonly slack?: number
      /**
       * Facts that have room beside what the policy judges, where the preset exempts them; those that always stay take none of it
       * (facts/kept-facts.ts). When absent, a preset that bounds its facts (`boundsFacts`) gives them as much room as the
       * rest, `memories` and `characters`, and any other keeps them all. `all` keeps every fact.
       */
      readonly facts?: number | 'all'
    }
