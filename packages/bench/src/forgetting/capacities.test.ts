import { describe, expect, it } from 'vitest'
import { meanUnits, parseCapacity, resolveCapacities } from './capacities.ts'
import { talkOf, unitOf } from './testing/sample-talk.ts'

const talkOfUnits = (count: number) =>
  talkOf(
    'one',
    Array.from({ length: count }, () => unitOf('u', 1)),
  )

describe('parseCapacity', () => {
  it.each([
    ['16', 16],
    ['10%', '10%'],
    [' 2.5% ', '2.5%'],
  ])('reads “%s”', (text, capacity) => {
    expect(parseCapacity(text)).toBe(capacity)
  })

  it.each(['', '0', '-3', '1.5', '0%', '%', 'ten', '10 %%', 'Infinity'])('refuses “%s”', (text) => {
    expect(parseCapacity(text)).toBeNull()
  })
})

describe('resolveCapacities', () => {
  const talks = [talkOfUnits(100), talkOfUnits(140)]

  it('takes shares of the mean talk, rising and each once, at least a unit', () => {
    // the mean talk has 120 units: 10 % are 12, 0.1 % would be 0.12
    expect(meanUnits(talks)).toBe(120)
    expect(resolveCapacities(['10%', 30, 5, 12, '0.1%'], talks)).toEqual([1, 5, 12, 30])
  })
})
