import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Memory } from '../../memories/memory.ts'
import { competitionInhibition, ebbinghaus, lufyForgetting as lufy } from '@keepsake/papers'
import { firstInFirstOut, noForgetting, randomForgetting } from './known-policies.ts'
import type { ForgettingMoment, ForgettingPolicy } from './forgetting-policy.ts'
import { keepsakeForgetting } from './keepsake.ts'
import { makeMemory } from '../../memories/memory-fixture.ts'

const policies: ForgettingPolicy[] = [
  noForgetting(),
  firstInFirstOut(),
  randomForgetting(1),
  ebbinghaus(),
  ebbinghaus({ unit: 'sessions' }),
  lufy(),
  lufy({ scale: 'range' }),
  competitionInhibition(),
  keepsakeForgetting(),
]

const anyNumber = fc.oneof(fc.double(), fc.integer(), fc.constant(Number.NaN))
const words = fc.array(fc.constantFrom('cat', 'Milo', 'Porto', '2019', '我', '厦门', 'the', '🎉'), {
  maxLength: 8,
})

const anyMemory: fc.Arbitrary<Memory> = fc
  .record({
    id: fc.uuid(),
    text: words.map((list) => list.join(' ')),
    round: fc.integer({ min: 0, max: 1_000_000 }),
    signals: fc.record({
      arousal: fc.option(anyNumber),
      surprise: fc.option(anyNumber),
      importance: fc.option(anyNumber),
    }),
    use: fc.record({
      first: fc.nat(1_000_000),
      second: fc.nat(1_000_000),
      rounds: fc.array(fc.nat(1_000_000), { maxLength: 32 }),
      lastSession: fc.nat(10_000),
      lastAt: fc.integer({ min: 0, max: 4e12 }),
    }),
  })
  .map((traits) => makeMemory(traits))

const anyMoment: fc.Arbitrary<ForgettingMoment> = fc.record({
  session: fc.integer({ min: 1, max: 10_000 }),
  round: fc.integer({ min: 0, max: 1_000_000 }),
  now: fc.integer({ min: 0, max: 4e12 }),
})

/** The memory after one more recall that used it. */
function recalled(memory: Memory, moment: ForgettingMoment): Memory {
  const { use } = memory
  const rounds = [...use.rounds, moment.round]
  return {
    ...memory,
    use: { ...use, first: use.first + 1, rounds, lastSession: moment.session, lastAt: moment.now },
  }
}

describe.each(policies)('$name ($formula)', (policy) => {
  it('gives every memory a finite strength, in order', () => {
    fc.assert(
      fc.property(fc.array(anyMemory, { maxLength: 12 }), anyMoment, (memories, moment) => {
        const strengths = policy.strengths(memories, moment)
        expect(strengths).toHaveLength(memories.length)
        for (const { value } of strengths) expect(Number.isFinite(value)).toBe(true)
      }),
    )
  })

  it('never holds a memory less for having been used', () => {
    fc.assert(
      fc.property(fc.array(anyMemory, { minLength: 1, maxLength: 8 }), anyMoment, (memories, moment) => {
        const [target, ...others] = memories
        if (target === undefined) return
        const before = policy.strengths([target, ...others], moment)[0]?.value ?? Number.NaN
        const after = policy.strengths([recalled(target, moment), ...others], moment)[0]?.value ?? Number.NaN
        expect(after).toBeGreaterThanOrEqual(before)
      }),
    )
  })

  it('changes nothing it is given and answers the same again', () => {
    fc.assert(
      fc.property(fc.array(anyMemory, { maxLength: 6 }), anyMoment, (memories, moment) => {
        const copy = structuredClone(memories)
        const once = policy.strengths(memories, moment)
        expect(memories).toEqual(copy)
        expect(policy.strengths(structuredClone(memories), moment)).toEqual(once)
      }),
    )
  })
})
