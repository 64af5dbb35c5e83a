import type { Evidence } from './evidence.ts'
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

/** Of what nobody measured. */
export const NO_SIGNALS: Signals = { arousal: null, surprise: null, importance: null }

const BLANK = {
  type: 'event',
  subject: 'user',
  text: '',
  key: null,
  value: null,
  level: 0,
  evidence: [],
  validUntil: null,
  signals: NO_SIGNALS,
} as const

/** A candidate that says what is given, and nothing beyond: an event of the user's that was not measured. */
export function candidateOf(given: Pick<Candidate, 'form' | 'validFrom'> & Partial<Candidate>): Candidate {
  return { ...BLANK, ...given }
}
