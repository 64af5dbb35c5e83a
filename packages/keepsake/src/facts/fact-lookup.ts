import type { Memory } from '../memories/memory.ts'

/** A fact that takes part in a merge: a live memory, or one made a moment before in the same merge. */
export type KnownFact = Pick<
  Memory,
  'id' | 'subject' | 'key' | 'value' | 'text' | 'evidence' | 'past' | 'validFrom' | 'validUntil' | 'pinned'
>

/** What a value is looked up for: others that say the same, or also those that say more or less. */
export type Nearness = 'same' | 'more-or-less'

/**
 * Finds what a new statement may meet among the facts that are known, without looking at the others. Each answer holds at least
 * the facts that matter, in the order in which they became known; whoever asks still compares.
 */
export interface FactLookup<Fact extends KnownFact = KnownFact> {
  get(id: string): Fact | undefined
  /** Rises in the order in which facts became known. */
  placeOf(id: string): number | undefined
  /** Above every place. */
  readonly end: number
  /** All of a subject. */
  about(subject: string): readonly Fact[]
  /** Those of a subject that may say the same as a text. */
  saying(subject: string, text: string): readonly Fact[]
  /** Those with a value under a key. */
  ofKey(subject: string, key: string): readonly Fact[]
  /** Of these, the ones whose value may say the same as this one, or more or less. */
  near(place: KeyPlace, value: string, nearness: Nearness): readonly Fact[]
  /** Of these, the ones that still hold; at least the last so many where a number is given. */
  current(place: KeyPlace, most?: number): readonly Fact[]
  /**
   * Of these, the ones that tell what holds at a time: those that still hold, those that held then, the first that begins
   * later, and the one that began last.
   *
   * @param passesOver facts that count as not there
   */
  around(place: KeyPlace, at: number, passesOver?: (id: string) => boolean): readonly Fact[]
}

/** Under which key of whom values stand. */
export interface KeyPlace {
  readonly subject: string
  readonly key: string
}
