import type { Material } from '../material/read-material.ts'
import type { Split } from '../material/fact-kinds.ts'
import type { HalumemUser } from './published-form.ts'

/** `long` inserts irrelevant talk into sessions and between them. */
export type HalumemVariant = 'medium' | 'long'

export interface UserOptions {
  readonly seed: number
  /** The user's index in the set, from 0. It changes the random numbers, together with the seed. */
  readonly userIndex: number
  /** Number of sessions, without those that the Long variant adds. */
  readonly sessions: number
  /** The group of sentences that the templates use. */
  readonly split: Split
  readonly variant: HalumemVariant
  readonly material: Material
}

/** The distinctive words of a point. Tests search for them in the talk. */
export interface PointValue {
  readonly uuid: string
  readonly session: number
  /** The point's index in its session, from 1. */
  readonly index: number
  readonly value: string
}

export interface GeneratedUser {
  readonly user: HalumemUser
  /** Ids of the templates that were used; empty with a model. */
  readonly templates: readonly string[]
  /** Empty with a model. */
  readonly values: readonly PointValue[]
}
