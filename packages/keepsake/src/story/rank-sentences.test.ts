import { describe, expect, it } from 'vitest'
import { pickVaried, rankByLikeness } from './summarise-extractively.ts'

describe('rankByLikeness', () => {
  it('ranks what is like all others above what is like few, around a mean of 1', () => {
    const ranks = rankByLikeness([
      [1, 0.8, 0.8, 0],
      [0.8, 1, 0.1, 0],
      [0.8, 0.1, 1, 0],
      [0, 0, 0, 1],
    ])
    const [hub = 0, one = 0, other = 0, alone = 0] = ranks
    expect(hub).toBeGreaterThan(one)
    expect(one).toBeCloseTo(other, 9)
    expect(alone).toBeCloseTo(0.15, 9)
    expect(hub + one + other).toBeCloseTo(3, 6)
  })

  it('ranks equals equally, whatever stands on the diagonal', () => {
    expect(
      rankByLikeness([
        [1, 0.5],
        [0.5, 9],
      ]),
    ).toEqual([1, 1])
    expect(rankByLikeness([])).toEqual([])
  })
})

describe('pickVaried', () => {
  const all = (): boolean => true
  const unlike = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ]

  it('picks by score what is unlike, the first of equals first', () => {
    expect(pickVaried([1, 3, 2], unlike, all)).toEqual([1, 2, 0])
    expect(pickVaried([2, 2, 2], unlike, all)).toEqual([0, 1, 2])
  })

  it('picks what is new before what repeats, by seven tenths of relevance against three of novelty', () => {
    // Against the best, 0.7 × 0.9 − 0.3 × likeness is weighed with 0.7 × 0.5: even at a likeness of 14/15.
    const like = (likeness: number) => [
      [1, likeness, 0],
      [likeness, 1, 0],
      [0, 0, 1],
    ]
    expect(pickVaried([1, 0.9, 0.5], like(0.9), all)).toEqual([0, 1, 2])
    expect(pickVaried([1, 0.9, 0.5], like(0.95), all)).toEqual([0, 2, 1])
  })

  it('passes by what does not fit, and goes on', () => {
    const asked: [readonly number[], number][] = []
    const picked = pickVaried([3, 2, 1], unlike, (soFar, next) => {
      asked.push([[...soFar], next])
      return next !== 1
    })
    expect(picked).toEqual([0, 2])
    expect(asked).toEqual([
      [[], 0],
      [[0], 1],
      [[0], 2],
    ])
  })

  it('picks nothing of nothing', () => {
    expect(pickVaried([], [], all)).toEqual([])
  })
})
