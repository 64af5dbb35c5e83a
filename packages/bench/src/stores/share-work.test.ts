import { expect, it } from 'vitest'
import { countOverlaps } from './share-work.ts'

it('counts when two had one person’s work at a time, and not when one took it up from another', () => {
  const held = [
    { owner: 1, from: 0, to: 10 },
    { owner: 1, from: 10, to: 20 },
    { owner: 2, from: 5, to: 15 },
  ]
  expect(countOverlaps(held)).toBe(0)
  expect(countOverlaps([...held, { owner: 1, from: 15, to: 30 }])).toBe(1)
})
