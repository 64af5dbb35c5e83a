import { describe, expect, it } from 'vitest'
import { Homes } from './homes.ts'

function homesOf(workers: number, most?: number): Homes {
  const homes = new Homes(most)
  for (let worker = 0; worker < workers; worker += 1) homes.open(worker)
  return homes
}

describe('the homes of people', () => {
  it('are with who was first asked for them, and stay there', () => {
    const homes = homesOf(2)
    for (let person = 0; person < 100; person += 1)
      expect(homes.find(`person ${person}`, person % 2)).toBe(person % 2)
    for (let person = 0; person < 100; person += 1)
      expect(homes.find(`person ${person}`, (person + 1) % 2)).toBe(person % 2)
  })

  it('spread evenly where one worker is asked for everybody', () => {
    const homes = homesOf(4)
    const found = Array.from({ length: 1_000 }, (_, person) => homes.find(`person ${person}`, 2))
    for (let worker = 0; worker < 4; worker += 1)
      expect(found.filter((home) => home === worker).length).toBeGreaterThan(200)
  })

  it('of a worker that is gone are found anew, and others stay', () => {
    const homes = homesOf(2)
    homes.find('ana', 0)
    homes.find('ben', 1)
    homes.close(0)
    expect([homes.find('ana', 1), homes.find('ben', 1)]).toEqual([1, 1])
  })

  it('move to a worker that has room, and to no other', () => {
    const homes = homesOf(2)
    for (let person = 0; person < 100; person += 1) homes.find(`person ${person}`, person % 2)
    expect(homes.move('nobody', 1)).toBeUndefined()
    expect(homes.move('person 1', 1)).toBe(1)
    for (let person = 0; person < 100; person += 2) homes.move(`person ${person}`, 1)
    const found = Array.from({ length: 100 }, (_, person) => homes.find(`person ${person}`, 0))
    // A fifth above its share, and whoever tips it over.
    expect(found.filter((home) => home === 1).length).toBe(61)
    homes.close(1)
    expect(homes.move('person 98', 1)).toBe(0)
  })

  it('of those longest unasked are forgotten when there are too many', () => {
    const homes = homesOf(2, 2)
    homes.find('ana', 0)
    homes.find('ben', 0)
    homes.find('ana', 0)
    homes.find('cleo', 0)
    expect([homes.find('ana', 1), homes.find('ben', 1)]).toEqual([0, 1])
  })
})
