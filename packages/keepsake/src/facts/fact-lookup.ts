import type { Memory } from '../memories/memory.ts'

/** A fact in a merge: a live memory, or one added earlier in the same merge. */
export type KnownFact = Pick<
  Memory,
  'id' | 'subject' | 'key' | 'value' | 'text' | 'evidence' | 'past' | 'validFrom' | 'validUntil' | 'pinned'
>

/** How near a value must be: the same, or also more or less exact. */
export type Nearness = 'same' | 'more-or-less'

/**
 * Finds known facts that a new statement may concern, by index. Results are in insertion order and may contain
 * others; callers compare.
 */
export interface FactLookup<Fact extends KnownFact = KnownFact> {
  get(id: string): Fact | undefined
  /** The place in insertion order. */
  placeOf(id: string): number | undefined
  /** Above every place. */
  readonly end: number
  /** All of a subject. */
  about(subject: string): readonly Fact[]
  /** Those of a subject that may say the same as a text. */
  saying(subject: string, text: string): readonly Fact[]
  /** Those with a value under a key. */
  ofKey(subject: string, key: string): readonly Fact[]
  /** Those whose value may be as near to this one. */
  near(place: KeyPlace, value: string, nearness: Nearness): readonly Fact[]
  /** Those that are active; at least the last `most`. */
  current(place: KeyPlace, most?: number): readonly Fact[]
  /**
   * Those that determine what is valid at a time: active ones, those valid then, the next to begin and the last to
   * begin.
   *
   * @param passesOver facts to ignore
   */
  around(place: KeyPlace, at: number, passesOver?: (id: string) => boolean): readonly Fact[]
}

/** A key of a subject. */
export interface KeyPlace {
  readonly subject: string
  readonly key: string
}
