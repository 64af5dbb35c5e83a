/** What a memory acknowledged, by person: all of it must be there, once. */
export class Promised {
  readonly #kept = new Map<string, Set<string>>()
  readonly #gone = new Map<string, Set<string>>()

  /** A turn of these words was acknowledged. Words are a trial's own: no two turns of a person have the same. */
  keep(user: string, text: string): void {
    of(this.#kept, user).add(text)
  }

  /** Its erasure was begun, so that it may be there or not. */
  release(user: string, text: string): void {
    this.#kept.get(user)?.delete(text)
  }

  /** Its erasure was acknowledged. */
  erase(user: string, text: string): void {
    this.release(user, text)
    of(this.#gone, user).add(text)
  }

  get users(): readonly string[] {
    return [...new Set([...this.#kept.keys(), ...this.#gone.keys()])]
  }

  /** How many turns are promised. */
  get size(): number {
    return [...this.#kept.values()].reduce((sum, texts) => sum + texts.size, 0)
  }

  /** Compares a person's turns, in the words in which they stand there, with what was promised. */
  findBroken(user: string, texts: readonly string[]): string[] {
    const counts = new Map<string, number>()
    for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
    const lost = [...(this.#kept.get(user) ?? [])].filter((text) => !counts.has(text)).length
    const doubled = [...counts.values()].filter((count) => count > 1).length
    const back = [...(this.#gone.get(user) ?? [])].filter((text) => counts.has(text)).length
    return [
      ...tell(lost, `acknowledged turns of ${user} are lost`),
      ...tell(doubled, `turns of ${user} are there more than once`),
      ...tell(back, `erased turns of ${user} are there`),
    ]
  }
}

function of(sets: Map<string, Set<string>>, user: string): Set<string> {
  const set = sets.get(user) ?? new Set()
  sets.set(user, set)
  return set
}

function tell(count: number, what: string): string[] {
  return count === 0 ? [] : [`${count} ${what}`]
}
