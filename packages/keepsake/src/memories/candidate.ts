import { BLANK, type GroundingLabel, type Memory } from './memory.ts'

/** Fields that a proposed fact and its memory share. */
type Said = Pick<
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
 * What extraction proposes; not a memory until grounded and applied. Its text is one plain sentence, empty for utterances, whose
 * words are their turns'. It holds from the turn's time unless the words say otherwise, and has an end only where the words say
 * that it is over ("I used to live in Paris").
 */
export interface Candidate extends Said {
  /** Whose statement it is, set by grounding. */
  readonly label?: GroundingLabel
}

/** A candidate that says what is given, and nothing else: an event of the user's, under no key and with nothing measured. */
export function candidateOf(given: Partial<Candidate>): Candidate {
  const { form, type, subject, text, key, value, level, evidence, validFrom, validUntil, signals } = BLANK
  const nothing = { form, type, subject, text, key, value, level, evidence, validFrom, validUntil, signals }
  return { ...nothing, ...given }
}
