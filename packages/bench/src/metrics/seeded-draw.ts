import { seededRandom } from './seeded-random.ts'

/** Seeded chance: the same seed draws the same on every machine. */
export interface Draw {
  /** A whole number from `least` to `most`, inclusive. */
  whole(least: number, most: number): number
  /** A number from `least` to `most`, uniformly. */
  real(least: number, most: number): number
  chance(probability: number): boolean
  /** One of the list, uniformly. @throws RangeError when it is empty. */
  pick<Item>(items: readonly Item[]): Item
  /** The list in random order (Fisher and Yates). */
  shuffled<Item>(items: readonly Item[]): Item[]
}

/** The golden ratio's fraction in 32 bits, which separates the streams of neighbouring seeds (Knuth). */
const SPREAD = 0x9e3779b9

/**
 * @param seed any whole number from 0
 * @param streams further whole numbers, such as a theme's index: each selects its own stream, so that earlier results do not depend on how
 * many follow
 */
export function seededDraw(seed: number, ...streams: readonly number[]): Draw {
  const mixed = streams.reduce((state, stream) => Math.imul(state ^ (stream + 1), SPREAD) >>> 0, seed >>> 0)
  const random = seededRandom(mixed)
  const whole = (least: number, most: number): number => least + Math.floor(random() * (most - least + 1))
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[whole(0, items.length - 1)]
    if (item === undefined) throw new RangeError('There is nothing to pick from: the list is empty.')
    return item
  }
  return {
    whole,
    pick,
    real: (least, most) => least + random() * (most - least),
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
