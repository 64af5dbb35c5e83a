import { expect, it } from 'vitest'
import { answerStems, isCorrectUnit, stemsOf } from './lufy-correctness.ts'

it('looks for the answer’s stems that the question lacks', () => {
  const wanted = answerStems('Which sport does Ana play?', 'Ana plays badminton.')
  expect([...wanted]).toEqual(['badminton'])
  expect(isCorrectUnit(stemsOf('We were playing some badminton'), wanted)).toBe(true)
  expect(isCorrectUnit(stemsOf('We were playing some tennis'), wanted)).toBe(false)
})

it('is content with six tenths of them', () => {
  const wanted = answerStems('Where?', 'red lamp by old river')
  expect(wanted.size).toBe(5)
  expect(isCorrectUnit(stemsOf('an old red lamp'), wanted)).toBe(true)
  expect(isCorrectUnit(stemsOf('an old lamp'), wanted)).toBe(false)
})

it('never accepts a unit when nothing is left to look for', () => {
  expect(isCorrectUnit(stemsOf('anything'), answerStems('Is it blue?', 'It is blue'))).toBe(false)
})
