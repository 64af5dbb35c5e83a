import { expect, test } from 'vitest'
import { questionGenerator, seededVectors, turnGenerator, zipfWords } from './generate.ts'

test('the same seed gives the same turns and questions, another gives others', () => {
  const turns = (seed: number) => Array.from({ length: 20 }, turnGenerator(seed))
  expect(turns(1)).toEqual(turns(1))
  expect(turns(1)).not.toEqual(turns(2))
  expect(questionGenerator(3)()).toBe(questionGenerator(3)())
})

test('turns are the user’s, later and later', () => {
  const [first, second] = Array.from({ length: 2 }, turnGenerator(1, 0))
  expect([first?.role, second?.role]).toEqual(['user', 'user'])
  expect([first?.at, second?.at]).toEqual([0, 60_000])
})

test('words follow the law of Zipf: the second comes half as often as the first, the tenth a tenth', () => {
  const nextWord = zipfWords(5, 1000)
  const counts = new Map<string, number>()
  for (let i = 0; i < 200_000; i += 1) {
    const word = nextWord()
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  const ranked = [...counts.values()].toSorted((a, b) => b - a)
  expect(ranked).toHaveLength(1000)
  expect((ranked[1] ?? 0) / (ranked[0] ?? 0)).toBeCloseTo(0.5, 1)
  expect((ranked[9] ?? 0) / (ranked[0] ?? 0)).toBeCloseTo(0.1, 1)
})

test('a text has one unit vector, unlike that of any other', async () => {
  const model = seededVectors(384)
  const [one, same, other] = await model.embed(['a walk', 'a walk', 'a swim'])
  const dot = (a?: Float32Array, b?: Float32Array) => a?.reduce((sum, x, i) => sum + x * (b?.[i] ?? 0), 0)
  expect(one).toEqual(same)
  expect(model.embedNow?.('a walk')).toEqual(one)
  expect(dot(one, one)).toBeCloseTo(1, 5)
  expect(Math.abs(dot(one, other) ?? 1)).toBeLessThan(0.3)
})
