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
  const drawn = [...new Set(people)].toSorted((one, other) =>
    orderOf(one, seed) < orderOf(other, seed) ? -1 : 1,
  )
  const whole = shares[0] + shares[1] + shares[2]
  const least = drawn.length >= 3 ? 1 : 0
  const count = (share: number): number =>
    share === 0 ? 0 : Math.max(least, Math.floor((drawn.length * share) / whole))
  const test = count(shares[2])
  const validation = count(shares[1])
  return new Map(
    drawn.map((person, place) => [
      person,
      place < test ? 'test' : place < test + validation ? 'validation' : 'train',
    ]),
  )
}

/** A position that depends on the seed alone. */
export function orderOf(name: string, seed: number): string {
  return createHash('sha256').update(`${seed}/${name}`).digest('hex')
}
