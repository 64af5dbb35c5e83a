import { expect, it } from 'vitest'
import { splitPeople } from './split-people.ts'

const people = Array.from({ length: 50 }, (_, at) => `p${at}`)
const countOf = (parts: ReadonlyMap<string, string>) =>
  ['train', 'validation', 'test'].map((part) => [...parts.values()].filter((one) => one === part).length)

it('has each person in one part, by the shares', () => {
  const parts = splitPeople([...people, ...people], [80, 10, 10], 1)
  expect(parts.size).toBe(50)
  expect(countOf(parts)).toEqual([40, 5, 5])
})

it('leaves no part empty that has a share, from three people on', () => {
  expect(countOf(splitPeople(['a', 'b', 'c'], [80, 10, 10], 1))).toEqual([1, 1, 1])
  expect(countOf(splitPeople(['a', 'b'], [80, 10, 10], 1))).toEqual([2, 0, 0])
  expect(countOf(splitPeople(['a', 'b', 'c'], [1, 0, 0], 1))).toEqual([3, 0, 0])
})

it('is the same for the same seed, and another for another', () => {
  const drawn = (seed: number) => {
    const parts = splitPeople(people, [80, 10, 10], seed)
    return people.map((person) => parts.get(person)).join()
  }
  expect(drawn(1)).toBe(drawn(1))
  expect(drawn(1)).not.toBe(drawn(2))
})
