import type { Evidence } from './evidence.ts'
import { BLANK } from './memory.ts'
import type { GroundingLabel, MemoryForm, MemoryType, Signals } from './memory.ts'

/** What extraction proposes; not a memory until grounded and applied. */
export interface Candidate {
  readonly form: MemoryForm
  readonly type: MemoryType
  /** `user`, `agent`, or the name of the speaker or third person it is about. */
  readonly subject: string
  /** One plain sentence. Empty for utterances, whose words are their turns'. */
  readonly text: string
  readonly key: string | null
  readonly value: string | null
  /** Story level; 0 otherwise. */
  readonly level: number
  readonly evidence: readonly Evidence[]
  /** When it became so, milliseconds since 1970: the turn's time unless the words say otherwise. */
  readonly validFrom: number
  /** Set for what the words say is over ("I used to live in Paris"). */
  readonly validUntil: number | null
  readonly signals: Signals
  /** Whose word it is. Given by grounding, whatever proposed it. */
  readonly label?: GroundingLabel
}

/** A candidate that says what is given, and nothing else: an event of the user's, under no key and with nothing measured. */
export function candidateOf(given: Partial<Candidate>): Candidate {
  const { form, type, subject, text, key, value, level, evidence, validFrom, validUntil, signals } = BLANK
  const nothing = { form, type, subject, text, key, value, level, evidence, validFrom, validUntil, signals }
  return { ...nothing, ...given }
}
