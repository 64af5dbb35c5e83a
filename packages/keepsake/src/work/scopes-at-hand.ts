import { StandingFacts } from '../facts/standing-facts.ts'
import type { Memory } from '../memories/memory.ts'
import type { OwnerVersion } from '../stores/store.ts'
import { RecentTurns } from './recent-turns.ts'

/** What is at hand of each of a person's scopes, made or read when it is first asked for, since a recall seldom does. */
export class ScopesAtHand {
  readonly #factsOf: (scope: number) => Iterable<Memory>
  readonly #facts = new Map<number, StandingFacts>()
  readonly #sessionNumbers = new Map<number, Map<string, number>>()
  readonly #lastSessions = new Map<number, number>()
  readonly #recent = new Map<number, RecentTurns>()
  readonly #broughtUp = new Map<number, OwnerVersion>()

  /** @param factsOf all facts of a scope, whatever their status */
  constructor(factsOf: (scope: number) => Iterable<Memory>) {
    this.#factsOf = factsOf
  }

  /** Turns that are held with their words. */
  get turns(): number {
    return [...this.#recent.values()].reduce((sum, { size }) => sum + size, 0)
  }

  facts(scope: number): StandingFacts {
    const known = this.#facts.get(scope)
    if (known !== undefined) return known
    const facts = new StandingFacts()
    for (const fact of this.#factsOf(scope)) facts.set(fact)
    this.#facts.set(scope, facts)
    return facts
  }

  /** Takes note of a fact that is new or changed. */
  noteFact(fact: Memory): void {
    this.#facts.get(fact.scope)?.set(fact)
  }

  /** Numbers of a scope's sessions by their ids, as far as they were read; whoever reads more adds them. */
  sessionNumbers(scope: number): Map<string, number> {
    const known = this.#sessionNumbers.get(scope) ?? new Map<string, number>()
    this.#sessionNumbers.set(scope, known)
    return known
  }

  /** The number of the scope's latest session; `undefined` until it is noted, and again once a turn came. */
  lastSession(scope: number): number | undefined {
    return this.#lastSessions.get(scope)
  }

  noteLastSession(scope: number, number: number): void {
    this.#lastSessions.set(scope, number)
  }

  /** A turn may begin a session. */
  noteTurn(scope: number): void {
    this.#lastSessions.delete(scope)
  }

  /** The version of the person as of which everything of a scope was read and judged. */
  broughtUp(scope: number): OwnerVersion | undefined {
    return this.#broughtUp.get(scope)
  }

  noteBroughtUp(scope: number, version: OwnerVersion): void {
    this.#broughtUp.set(scope, version)
  }

  /** The latest turns of a scope that were read or stored lately. */
  recentTurns(scope: number): RecentTurns {
    const known = this.#recent.get(scope) ?? new RecentTurns()
    this.#recent.set(scope, known)
    return known
  }
}
