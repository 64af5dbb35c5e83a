import type { Memory } from '../memories/memory.ts'

/** A fact with its place among those of its scope. */
export interface PlacedFact {
  fact: Memory
  readonly place: number
}

export function byPlace(one: PlacedFact, other: PlacedFact): number {
  return one.place - other.place
}

/** Returns the facts in insertion order. */
export function inOrder(placed: Iterable<PlacedFact>): Memory[] {
  return [...placed].sort(byPlace).map(({ fact }) => fact)
}
