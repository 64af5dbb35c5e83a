import { expect, it } from 'vitest'
import { Comers } from './comers.ts'

/** Which of these requests of one person say that they come by another process alone. */
function told(by: readonly (number | null)[]): number[] {
  const comers = new Comers()
  return by.flatMap((one, place) => (comers.count('ana', one) ? [place] : []))
}

it('tells who comes by one other process alone, and again when that goes on', () => {
  expect(told(Array.from({ length: 30 }, () => 1))).toEqual([11, 23])
})

it('tells nothing of who comes by several, or by this process too', () => {
  expect(told(Array.from({ length: 100 }, (_, place) => place % 2))).toEqual([])
  expect(told(Array.from({ length: 100 }, (_, place) => (place % 11 === 10 ? null : 1)))).toEqual([])
})

it('counts everybody for themselves', () => {
  const comers = new Comers()
  for (let time = 0; time < 11; time += 1)
    for (const person of ['ana', 'ben']) expect(comers.count(person, 1)).toBe(false)
  expect(comers.count('ana', null)).toBe(false)
  expect([comers.count('ana', 1), comers.count('ben', 1)]).toEqual([false, true])
})
