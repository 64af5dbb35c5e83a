import type { Memory } from '../memories/memory.ts'
import type { FactLookup, KeyPlace, Nearness } from './fact-lookup.ts'
import { FactsOfSubject } from './facts-of-subject.ts'
import { byPlace, inOrder, type PlacedFact } from './placed-fact.ts'

/** The latest facts to be looked for. */
export interface LatestFacts {
  readonly subjects: ReadonlySet<string>
  readonly most: number
  readonly accepts: (fact: Memory) => boolean
}

/** Whoever keeps more of live facts than is kept here, and is told of each that comes and goes. */
export interface FactFollower {
  readonly take: (placed: PlacedFact) => void
  /** With the fact still in it that was taken. */
  readonly drop: (placed: PlacedFact) => void
}

/** The live facts of one scope, found by what a new statement may meet: what that costs does not grow with their number. */
export class StandingFacts implements FactLookup<Memory> {
  /** Every fact that was ever set, in the order of becoming known; one that is restored has its place again. */
  readonly #placed = new Map<string, PlacedFact>()
  readonly #subjects = new Map<string, FactsOfSubject>()
  readonly end = 2 ** 40
  readonly #followers: FactFollower[] = []

  /** Takes a fact in as it stands now. */
  set(fact: Memory): void {
    const known = this.#placed.get(fact.id)
    if (known !== undefined && isLive(known.fact)) {
      if (isLive(fact) && standsAlike(known.fact, fact)) {
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

  /** Has somebody take all that are live, and told from now on of each that comes, goes or says something else. */
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

  /** All that are live. */
  *live(): Generator<Memory> {
    for (const { fact } of this.#placed.values()) if (isLive(fact)) yield fact
  }

  about(subject: string): Memory[] {
    return this.#subjects.get(subject)?.all ?? []
  }

  /** Whether a statement about somebody fits no key. */
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

  /** Those of some subjects that still hold, the last learned, so many of those accepted; in the order of becoming known. */
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

/** The last learned first, of those learned at once the one that became known first. */
export function byLastLearned(one: PlacedFact, other: PlacedFact): number {
  return other.fact.learnedAt - one.fact.learnedAt || byPlace(one, other)
}

function isLive({ status }: Memory): boolean {
  return status === 'live'
}

/** Whether both are found by the same, and stay for the same. */
function standsAlike(one: Memory, other: Memory): boolean {
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
