/** Objects made lately that are kept at hand, beside those that are held. */
const MOST_LATELY = 1_024
const FEWEST_SWEPT = 4 * MOST_LATELY
/** Bytes of an object on the heap; measured roughly, for the budget. */
const OBJECT_BYTES = 900

/**
 * Objects by row that can be made again: the ones that are held, and the ones made lately. While anybody has one in hand, the same is
 * given to whoever asks for it, so that it can be told by what it is.
 */
export class LivelyObjects<Value extends object> {
  readonly held = new Map<number, Value>()
  readonly #lately = new Map<number, Value>()
  readonly #inHands = new Map<number, WeakRef<Value>>()
  /** So many in hands are looked through for those that nobody holds any more. */
  #sweptAt = FEWEST_SWEPT

  get bytes(): number {
    return (this.held.size + this.#lately.size) * OBJECT_BYTES + this.#inHands.size * 100
  }

  get(row: number): Value | undefined {
    return this.held.get(row) ?? this.#lately.get(row) ?? this.#inHands.get(row)?.deref()
  }

  /** Keeps an object until it is let go. */
  hold(row: number, value: Value): void {
    this.#lately.delete(row)
    this.#inHands.delete(row)
    this.held.set(row, value)
  }

  /** Keeps an object at hand, in the place of one that was so for longer. */
  note(row: number, value: Value): void {
    this.#inHands.delete(row)
    this.#lately.set(row, value)
    if (this.#lately.size <= MOST_LATELY) return
    const [oldest] = this.#lately
    if (oldest === undefined) return
    this.#lately.delete(oldest[0])
    this.#inHands.set(oldest[0], new WeakRef(oldest[1]))
    if (this.#inHands.size > this.#sweptAt) this.#sweep()
  }

  /** Nothing is let go of before memory is collected, which may be long: so the next time is when there are twice as many. */
  #sweep(): void {
    for (const [row, one] of this.#inHands) if (one.deref() === undefined) this.#inHands.delete(row)
    this.#sweptAt = Math.max(FEWEST_SWEPT, 2 * this.#inHands.size)
  }
}
