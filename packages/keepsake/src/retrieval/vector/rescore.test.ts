import { expect, test } from 'vitest'
import { rescore } from './rescore.ts'

test('gives the cosine whatever the lengths of the vectors', () => {
  const cosines = rescore(Float32Array.of(3, 4), [
    Float32Array.of(30, 40),
    Float32Array.of(-4, 3),
    Float32Array.of(0, -2),
  ])
  expect(cosines[0]).toBeCloseTo(1, 12)
  expect(cosines[1]).toBe(0)
  expect(cosines[2]).toBeCloseTo(-0.8, 12)
})

test('zeros have a cosine of 0 with anything', () => {
  expect([...rescore(Float32Array.of(0, 0), [Float32Array.of(1, 0)])]).toEqual([0])
  expect([...rescore(Float32Array.of(1, 0), [Float32Array.of(0, 0)])]).toEqual([0])
})
