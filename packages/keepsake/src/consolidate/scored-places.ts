/** Scores of facts by place, as columns: a segment may share a word with thousands. */
export class ScoredPlaces {
  readonly #places: number[] = []
  /** Scores by place; 0 for facts without one. */
  readonly #scores: Float64Array

  constructor(places: number) {
    this.#scores = new Float64Array(places)
  }

  /** Adds a score above 0. */
  add(place: number, score: number): void {
    if (!(score > 0)) return
    this.#places.push(place)
    this.#scores[place] = score
  }

  of(place: number): number {
    return this.#scores[place] ?? 0
  }

  /** Returns the best accepted facts, best first; ties in insertion order. Sorts only these. */
  best(count: number, accepts?: (place: number) => boolean): number[] {
    const best: number[] = []
    for (const place of this.#places) {
      const worst = best[count - 1]
      if (worst !== undefined && !this.#isBefore(place, worst)) continue
      if (accepts !== undefined && !accepts(place)) continue
      best.splice(this.#firstBehind(best, place), 0, place)
      if (best.length > count) best.pop()
    }
    return best
  }

  /** Ranks some facts among all, by counting those before each instead of sorting. */
  ranksOf(asked: readonly number[]): number[] {
    const sorted = asked.filter((place) => this.of(place) > 0)
    sorted.sort((one, other) => (this.#isBefore(one, other) ? -1 : 1))
    const ahead = new Int32Array(sorted.length + 1)
    if (sorted.length > 0)
      for (const place of this.#places) {
        const at = this.#firstBehind(sorted, place)
        ahead[at] = (ahead[at] ?? 0) + 1
      }
    const ranks = new Map<number, number>()
    // Excludes the fact itself from the count.
    let before = -1
    for (const [at, place] of sorted.entries()) {
      before += ahead[at] ?? 0
      ranks.set(place, before)
    }
    return asked.map((place) => ranks.get(place) ?? -1)
  }

  #isBefore(one: number, other: number): boolean {
    const [score, than] = [this.of(one), this.of(other)]
    return score > than || (score === than && one < other)
  }

  /** Finds the insertion index by binary search. */
  #firstBehind(sorted: readonly number[], place: number): number {
    let low = 0
    let high = sorted.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#isBefore(sorted[middle] ?? place, place)) low = middle + 1
      else high = middle
    }
    return low
  }
}
