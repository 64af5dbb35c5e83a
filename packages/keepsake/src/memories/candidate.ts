import { BLANK, type GroundingLabel, type Memory } from './memory.ts'

/** Fields that a proposed fact and its memory share. */
type CandidateField = Pick<
  Memory,
  | 'form'
  | 'type'
  | 'subject'
  | 'text'
  | 'key'
  | 'value'
  | 'level'
  | 'evidence'
  | 'validFrom'
  | 'validUntil'
  | 'signals'
>

/**
 * A proposed fact, which becomes a memory once grounded and applied. Its text is one plain sentence, empty for
 * utterances. It has an end only if the words say so ("I used to live in Paris", "until Friday").
 */
export interface Candidate extends CandidateField {
  /** Whose statement it is, set by grounding. */
  readonly label?: GroundingLabel
  /** The application's category, kept as metadata; `null` for none. Absent where there are no categories. */
  readonly category?: string | null
  /** Why a value for its key was not taken, which the memory keeps as its reason. */
  readonly refused?: string | null
}

/** Makes a candidate with default values: an event of the user without a key. */
export function candidateOf(given: Partial<Candidate>): Candidate {
  const { form, type, subject, text, key, value, level, evidence, validFrom, validUntil, signals } = BLANK
  const nothing = { form, type, subject, text, key, value, level, evidence, validFrom, validUntil, signals }
  return { ...nothing, ...given }
}
