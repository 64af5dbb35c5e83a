// Indexes the live facts of a scope by subject and key.
import type { Memory } from '../memories/memory.ts'
import type { FactLookup } from './fact-lookup.ts'

/** A fact with its place in insertion order. */
interface PlacedFact {
  fact: Memory
  readonly place: number
}

/** The live facts of one scope, by subject and by key. */
export class StandingFacts implements FactLookup<Memory> {
  /** All facts, also deleted ones, so that a restored fact has its former place. */
  readonly #placed = new Map<string, PlacedFact>()
  readonly #groups = new Map<string, Set<PlacedFact>>()
  /** More than any number of facts, so that uncommitted facts follow. */
  readonly end = 2 ** 40

  /** Adds a fact, or replaces it by its new state. */
  set(fact: Memory): void {
    const known = this.#placed.get(fact.id)
    const before = known === undefined ? [] : groupsOf(known.fact)
    const after = groupsOf(fact)
    const placed = known ?? { fact, place: this.#placed.size }
    placed.fact = fact
    if (known === undefined) this.#placed.set(fact.id, placed)
    for (const name of before) if (!after.includes(name)) this.#leave(name, placed)
    for (const name of after) if (!before.includes(name)) this.#join(name, placed)
  }

  #leave(name: string, placed: PlacedFact): void {
    const group = this.#groups.get(name)
    group?.delete(placed)
    if (group?.size === 0) this.#groups.delete(name)
  }

  #join(name: string, placed: PlacedFact): void {
    const group = this.#groups.get(name)
    if (group === undefined) this.#groups.set(name, new Set([placed]))
    else group.add(placed)
  }

  get(id: string): Memory | undefined {
    const fact = this.#placed.get(id)?.fact
    return fact?.status === 'live' ? fact : undefined
  }

  placeOf(id: string): number | undefined {
    return this.#placed.get(id)?.place
  }

  *live(): Generator<Memory> {
    for (const { fact } of this.#placed.values()) if (fact.status === 'live') yield fact
  }

  about(subject: string): Memory[] {
    return this.#inOrder(groupName(subject))
  }

  ofKey(subject: string, key: string): Memory[] {
    return this.#inOrder(groupName(subject, key))
  }

  find(ids: Iterable<string>): Memory[] {
    const placed = Array.from(new Set(ids)).flatMap((id) => this.#placed.get(id) ?? [])
    return inOrder(placed).filter(({ status }) => status === 'live')
  }

  #inOrder(name: string): Memory[] {
    return inOrder([...(this.#groups.get(name) ?? [])])
  }
}

function inOrder(placed: PlacedFact[]): Memory[] {
  return placed.sort((a, b) => a.place - b.place).map(({ fact }) => fact)
}

function groupName(subject: string, key = ''): string {
  return `${key}\n${subject}`
}

/** Names the groups of a live fact: that of its subject, and with a value that of its subject and key. */
function groupsOf({ status, subject, key, value }: Memory): string[] {
  if (status !== 'live') return []
  return key === null || value === null ? [groupName(subject)] : [groupName(subject), groupName(subject, key)]
}
