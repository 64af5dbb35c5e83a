import type { Memory } from '../memories/memory.ts'
import type { FactLookup, KeyPlace, Nearness } from './fact-lookup.ts'
import { FactsOfSubject } from './facts-of-subject.ts'
import { byPlace, inOrder, type PlacedFact } from './placed-fact.ts'

/** A query for the latest facts. */
export interface LatestFacts {
  readonly subjects: ReadonlySet<string>
  readonly most: number
  readonly accepts: (fact: Memory) => boolean
}

/** An additional index of live facts, updated with each change. */
export interface FactFollower {
  readonly take: (placed: PlacedFact) => void
  /** Called with the fact as it was added. */
  readonly drop: (placed: PlacedFact) => void
}

/** Indexes the live facts of one scope for merging. */
export class StandingFacts implements FactLookup<Memory> {
  /** Every fact ever set, in insertion order; a restored fact regains its place. */
  readonly #placed = new Map<string, PlacedFact>()
  readonly #subjects = new Map<string, FactsOfSubject>()
  readonly end = 2 ** 40
  readonly #followers: FactFollower[] = []

  /** Adds or updates a fact. */
  set(fact: Memory): void {
    const known = this.#placed.get(fact.id)
    if (known !== undefined && isLive(known.fact)) {
      if (isLive(fact) && isIndexedAlike(known.fact, fact)) {
        known.fact = fact
        return
      }
      this.#remove(known)
    }
    const placed = { fact, place: known?.place ?? this.#placed.size }
    this.#placed.set(fact.id, placed)
    if (!isLive(fact)) return
    const ofSubject = this.#subjects.get(fact.subject) ?? new FactsOfSubject()
    this.#subjects.set(fact.subject, ofSubject)
    ofSubject.add(placed)
    for (const follower of this.#followers) follower.take(placed)
  }

  /** Fills an index with the live facts and keeps it up to date. */
  follow(follower: FactFollower): void {
    for (const placed of this.#placed.values()) if (isLive(placed.fact)) follower.take(placed)
    this.#followers.push(follower)
  }

  #remove(placed: PlacedFact): void {
    for (const follower of this.#followers) follower.drop(placed)
    const { subject } = placed.fact
    const ofSubject = this.#subjects.get(subject)
    ofSubject?.delete(placed)
    if (ofSubject?.isEmpty === true) this.#subjects.delete(subject)
  }

  get(id: string): Memory | undefined {
    return this.placed(id)?.fact
  }

  /** A live fact with its place. */
  placed(id: string): PlacedFact | undefined {
    const placed = this.#placed.get(id)
    return placed !== undefined && isLive(placed.fact) ? placed : undefined
  }

  placeOf(id: string): number | undefined {
    return this.#placed.get(id)?.place
  }

  *live(): Generator<Memory> {
    for (const { fact } of this.#placed.values()) if (isLive(fact)) yield fact
  }

  about(subject: string): Memory[] {
    return this.#subjects.get(subject)?.all ?? []
  }

  /** Checks whether a subject has a statement without a key. */
  hasKeyless(subject: string): boolean {
    return this.#subjects.get(subject)?.hasKeyless === true
  }

  saying(subject: string, text: string): Memory[] {
    return this.#subjects.get(subject)?.saying(text) ?? []
  }

  ofKey(subject: string, key: string): Memory[] {
    return this.#subjects.get(subject)?.ofKey(key)?.all ?? []
  }

  near({ subject, key }: KeyPlace, value: string, nearness: Nearness): Memory[] {
    return this.#subjects.get(subject)?.ofKey(key)?.near(value, nearness) ?? []
  }

  current({ subject, key }: KeyPlace, most?: number): Memory[] {
    return this.#subjects.get(subject)?.ofKey(key)?.current(most) ?? []
  }

  around({ subject, key }: KeyPlace, at: number, passesOver = (_id: string): boolean => false): Memory[] {
    return this.#subjects.get(subject)?.ofKey(key)?.around(at, passesOver) ?? []
  }

  /** Finds the last learned active facts of each subject, at most `most` accepted ones, in insertion order. */
  latest({ subjects, most, accepts }: LatestFacts): Memory[] {
    const found: PlacedFact[] = []
    for (const subject of subjects) {
      let left = most
      for (const placed of this.#subjects.get(subject)?.latest() ?? []) {
        if (left === 0) break
        if (!accepts(placed.fact)) continue
        found.push(placed)
        left -= 1
      }
    }
    return inOrder(found)
  }
}

/** Compares by time learned, latest first; ties in insertion order. */
export function byLastLearned(one: PlacedFact, other: PlacedFact): number {
  return other.fact.learnedAt - one.fact.learnedAt || byPlace(one, other)
}

function isLive({ status }: Memory): boolean {
  return status === 'live'
}

/** Checks whether both are indexed alike. */
function isIndexedAlike(one: Memory, other: Memory): boolean {
  return (
    one.subject === other.subject &&
    one.key === other.key &&
    one.value === other.value &&
    one.text === other.text &&
    one.validFrom === other.validFrom &&
    one.validUntil === other.validUntil &&
    one.learnedAt === other.learnedAt &&
    one.pinned === other.pinned
  )
}
