import { describe, expect, it } from 'vitest'
import type { Memory } from '../../memories/memory.ts'
import { keepsakeForgetting } from './keepsake.ts'
import { makeMemory } from '../../memories/memory-fixture.ts'

const MOMENT = { session: 1, round: 10, now: 0 }

const strengthsOf = (memories: readonly Memory[], moment = MOMENT): number[] =>
  keepsakeForgetting()
    .strengths(memories, moment)
    .map((strength) => strength.value)

describe('keepsakeForgetting', () => {
  it('adds uses to importance and takes off for sessions untouched', () => {
    const used = makeMemory({ signals: { importance: 6 }, use: { first: 3, lastSession: 1 } })
    // session 4 has ended: 4 − 1 + 1 = 4 sessions. 6 + 0.3·log2(1 + 3) − 0.1·log2(4) = 6 + 0.6 − 0.2 = 6.4
    const [strength] = keepsakeForgetting().strengths([used], { ...MOMENT, session: 4 })
    expect(strength?.value).toBeCloseTo(6.4, 12)
    expect(strength?.parts).toEqual({ L: 6, uses: 3, sessions: 4, redundancy: 0 })
  })

  it('halves what a stronger memory says word for word', () => {
    const strong = makeMemory({ id: 'a', text: 'Our puppy is called Milo', signals: { importance: 7 } })
    const copy = makeMemory({ id: 'b', text: 'The puppy is called Milo', signals: { importance: 6 } })
    // both read as the terms puppy, call, milo: redundancy 3/3 = 1; 6 · (1 − 0.5) = 3
    expect(strengthsOf([copy, strong])).toEqual([3, 7])
  })

  it('takes off in proportion to what is shared', () => {
    const strong = makeMemory({ id: 'a', text: 'puppy Milo', signals: { importance: 7 } })
    const partly = makeMemory({ id: 'b', text: 'puppy Milo swims in Porto', signals: { importance: 6 } })
    // terms puppy, milo, swim, porto: 2 of 4 shared; 6 · (1 − 0.5·0.5) = 4.5
    expect(strengthsOf([strong, partly])).toEqual([7, 4.5])
  })

  it('keeps the newer of two equals whole', () => {
    const older = makeMemory({ id: 'a', round: 2, signals: { importance: 5 } })
    const newer = makeMemory({ id: 'b', round: 3, signals: { importance: 5 } })
    expect(strengthsOf([older, newer])).toEqual([2.5, 5])
    expect(strengthsOf([newer, older])).toEqual([5, 2.5])
    expect(strengthsOf([older, { ...older, id: 'c' }])).toEqual([2.5, 5])
  })

  it('does not depend on the order in which memories are given', () => {
    const memories = ['puppy Milo', 'puppy Milo vet', 'Porto', 'Milo'].map((text, i) =>
      makeMemory({ id: `m${i}`, text, round: i, signals: { importance: 3 + i } }),
    )
    expect(strengthsOf(memories.toReversed()).toReversed()).toEqual(strengthsOf(memories))
  })

  it('takes a memory nobody judged as of middling importance', () => {
    expect(strengthsOf([makeMemory()])).toEqual([5.5])
  })

  it('reads Chinese', () => {
    const strong = makeMemory({ id: 'a', text: '我养了一只小狗叫豆豆', signals: { importance: 7 } })
    const copy = makeMemory({ id: 'b', text: '小狗叫豆豆', signals: { importance: 6 } })
    const other = makeMemory({ id: 'c', text: '去年搬到厦门', signals: { importance: 5 } })
    const [, halved, untouched] = strengthsOf([strong, copy, other])
    expect(halved).toBe(3)
    expect(untouched).toBe(5)
  })

  it('holds least what was rated with no number that there is', () => {
    const rated = [Number.NaN, Number.POSITIVE_INFINITY].map((importance) =>
      makeMemory({ signals: { importance } }),
    )
    for (const memory of rated) expect(strengthsOf([memory])).toEqual([0.1])
  })

  it('stays positive for what is worth least and long untouched', () => {
    const [value] = strengthsOf([makeMemory({ signals: { importance: 1 } })], { ...MOMENT, session: 100_000 })
    expect(value).toBe(0.1)
  })

  it('judges ten thousand memories, well within the minute of a test', () => {
    const memories = Array.from({ length: 10_000 }, (_, i) =>
      makeMemory({
        id: `m${i}`,
        text: `word${i % 97} name${i % 1009} thing${i} day`,
        signals: { importance: 1 + (i % 9) },
      }),
    )
    expect(strengthsOf(memories)).toHaveLength(10_000)
  })
})
