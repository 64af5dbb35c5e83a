import type { FactFollower, StandingFacts } from './standing-facts.ts'

/** Makes an index of live facts on first use and keeps it up to date; it is released with the state. */
export function followedBy<Kept extends FactFollower>(make: () => Kept): (facts: StandingFacts) => Kept {
  const known = new WeakMap<StandingFacts, Kept>()
  return (facts) => {
    const kept = known.get(facts) ?? make()
    if (!known.has(facts)) facts.follow(kept)
    known.set(facts, kept)
    return kept
  }
}
