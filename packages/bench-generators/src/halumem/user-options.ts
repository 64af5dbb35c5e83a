import type { Material } from '../material/read-material.ts'
import type { Split } from '../material/fact-kinds.ts'
import type { HalumemUser } from './published-form.ts'

/** `long` puts irrelevant talk into sessions and between them. */
export type HalumemVariant = 'medium' | 'long'

export interface UserOptions {
  readonly seed: number
  /** Its place among the users, from 0. */
  readonly place: number
  /** How many sessions the life has. */
  readonly sessions: number
  readonly split: Split
  readonly variant: HalumemVariant
  readonly material: Material
}

/** The value of a point, so that a set can be checked without knowing how it was made. */
export interface SaidValue {
  readonly uuid: string
  readonly session: number
  /** The point's index in its session, from 1. */
  readonly index: number
  readonly value: string
}

export interface MadeUser {
  readonly user: HalumemUser
  /** Ids of the templates that were used; empty with a model. */
  readonly templates: readonly string[]
  /** Empty with a model. */
  readonly values: readonly SaidValue[]
}
