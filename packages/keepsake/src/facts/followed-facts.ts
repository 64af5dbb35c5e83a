import type { FactFollower, StandingFacts } from './standing-facts.ts'

/**
 * Something more that is kept of live facts: made when first asked for, then kept up to date with each fact that comes and goes. It goes
 * with the cache that they are read from.
 */
export function followedBy<Kept extends FactFollower>(make: () => Kept): (facts: StandingFacts) => Kept {
  const known = new WeakMap<StandingFacts, Kept>()
  return (facts) => {
    const kept = known.get(facts) ?? make()
    if (!known.has(facts)) facts.follow(kept)
    known.set(facts, kept)
    return kept
  }
}
