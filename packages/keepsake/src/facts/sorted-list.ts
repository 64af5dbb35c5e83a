/** A sorted list with binary search; appending at the end moves nothing. */
export class SortedList<Item> {
  readonly #compare: (one: Item, other: Item) => number
  readonly #items: Item[] = []

  /** @param compare never 0 for two different items */
  constructor(compare: (one: Item, other: Item) => number) {
    this.#compare = compare
  }

  get items(): readonly Item[] {
    return this.#items
  }

  add(item: Item): void {
    this.#items.splice(
      this.firstFrom((other) => this.#compare(other, item) >= 0),
      0,
      item,
    )
  }

  delete(item: Item): void {
    const at = this.firstFrom((other) => this.#compare(other, item) >= 0)
    if (this.#items[at] === item) this.#items.splice(at, 1)
  }

  /** Finds the first item for which a monotonic condition holds; the length if there is none. */
  firstFrom(holds: (item: Item) => boolean): number {
    let low = 0
    let high = this.#items.length
    while (low < high) {
      const middle = (low + high) >> 1
      const item = this.#items[middle]
      if (item !== undefined && holds(item)) high = middle
      else low = middle + 1
    }
    return low
  }
}
