import type { MemoryType } from '../memories/memory.ts'

/** What a rule reads in one clause: a fact about the speaker, or about someone they named. */
export interface Finding {
  readonly key: string | null
  readonly type: MemoryType
  readonly value: string | null
  /** The statement in the third person. */
  readonly text: string
  /** A named third person it is about; `null` for the speaker. */
  readonly about: string | null
  /** `over`: it was so and no longer is. `ended`: the words say that a known fact ends; states nothing new. */
  readonly state: 'holds' | 'over' | 'ended'
  /** Whether a time in the words tells when it happened. */
  readonly isEvent: boolean
}
