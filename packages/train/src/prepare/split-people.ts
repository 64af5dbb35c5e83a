import { createHash } from 'node:crypto'

export type Split = (typeof SPLITS)[number]
export const SPLITS = ['train', 'validation', 'test'] as const

/** Shares of users, in the order of `SPLITS`. */
export type Shares = readonly [train: number, validation: number, test: number]

/** Puts each user into one part: training, validation or test. With three or more users, no part with a share is empty. */
export function splitPeople(
  people: readonly string[],
  shares: Shares,
  seed: number,
): ReadonlyMap<string, Split> {
  const shuffled = shuffleBySeed([...new Set(people)], (person) => person, seed)
  const total = shares[0] + shares[1] + shares[2]
  const minCount = shuffled.length >= 3 ? 1 : 0
  const countOf = (share: number): number =>
    share === 0 ? 0 : Math.max(minCount, Math.floor((shuffled.length * share) / total))
  const testCount = countOf(shares[2])
  const validationCount = countOf(shares[1])
  const splitAt = (index: number): Split => {
    if (index < testCount) return 'test'
    return index < testCount + validationCount ? 'validation' : 'train'
  }
  return new Map(shuffled.map((person, index) => [person, splitAt(index)]))
}

/** Shuffles by a hash of each item's name. The order looks random, but is always the same for a seed. */
export function shuffleBySeed<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  seed: number,
): Item[] {
  return items
    .map((item) => ({
      item,
      order: createHash('sha256')
        .update(`${seed}/${nameOf(item)}`)
        .digest('hex'),
    }))
    .toSorted((one, other) => (one.order < other.order ? -1 : 1))
    .map(({ item }) => item)
}
