import { seededRandom } from './seeded-random.ts'

/** Draws at random. The same seed gives the same results on every machine. */
export interface Draw {
  /** Draws a whole number from minimum to maximum, uniformly. */
  whole(minimum: number, maximum: number): number
  /** Draws a number from minimum to maximum, uniformly. */
  real(minimum: number, maximum: number): number
  /** Returns true with this probability. */
  chance(probability: number): boolean
  /** Draws an item of the list, uniformly. @throws RangeError if the list is empty */
  pick<Item>(items: readonly Item[]): Item
  /** Returns the list in random order (Fisher and Yates). */
  shuffled<Item>(items: readonly Item[]): Item[]
}

/** The golden ratio's fraction in 32 bits, which separates the streams of neighbouring seeds (Knuth). */
const SPREAD = 0x9e3779b9

/** Makes a source of draws. Each combination of seed and `streams` has its own numbers, so that one theme does not depend on others. */
export function seededDraw(seed: number, ...streams: readonly number[]): Draw {
  const mixed = streams.reduce((state, stream) => Math.imul(state ^ (stream + 1), SPREAD) >>> 0, seed >>> 0)
  const random = seededRandom(mixed)
  const whole = (minimum: number, maximum: number): number =>
    minimum + Math.floor(random() * (maximum - minimum + 1))
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[whole(0, items.length - 1)]
    if (item === undefined) throw new RangeError('The list to pick from is empty.')
    return item
  }
  return {
    whole,
    pick,
    real: (minimum, maximum) => minimum + random() * (maximum - minimum),
    chance: (probability) => random() < probability,
    shuffled: (items) => {
      const shuffled = [...items]
      for (let last = shuffled.length - 1; last > 0; last -= 1) {
        const other = whole(0, last)
        const [a, b] = [shuffled[last], shuffled[other]]
        if (a !== undefined && b !== undefined) [shuffled[last], shuffled[other]] = [b, a]
      }
      return shuffled
    },
  }
}
