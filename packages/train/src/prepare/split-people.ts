import { createHash } from 'node:crypto'

export type Split = (typeof SPLITS)[number]
export const SPLITS = ['train', 'validation', 'test'] as const

/** Shares of users, in the order of `SPLITS`. */
export type Shares = readonly [train: number, validation: number, test: number]

/** Splits users into training, validation and test; each is in one part. With three or more users, no part with a share is empty. */
export function splitPeople(
  people: readonly string[],
  shares: Shares,
  seed: number,
): ReadonlyMap<string, Split> {
  const shuffled = [...new Set(people)].toSorted((one, other) =>
    orderOf(one, seed) < orderOf(other, seed) ? -1 : 1,
  )
  const total = shares[0] + shares[1] + shares[2]
  const minimum = shuffled.length >= 3 ? 1 : 0
  const count = (share: number): number =>
    share === 0 ? 0 : Math.max(minimum, Math.floor((shuffled.length * share) / total))
  const test = count(shares[2])
  const validation = count(shares[1])
  const splitAt = (place: number): Split => {
    if (place < test) return 'test'
    return place < test + validation ? 'validation' : 'train'
  }
  return new Map(shuffled.map((person, place) => [person, splitAt(place)]))
}

/** A sort key that looks random, but is always the same for a name and a seed. */
export function orderOf(name: string, seed: number): string {
  return createHash('sha256').update(`${seed}/${name}`).digest('hex')
}
