import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeMemory } from '../../memories/memory-fixture.ts'
import type { Memory } from '../../memories/memory.ts'
import type { Retention, Strength } from './forgetting-policy.ts'
import { keepsakeForgetting } from './keepsake.ts'
import { noForgetting } from './known-policies.ts'
import { selectForgotten, explainStrength } from './select-forgotten.ts'

const strengthsOf = (...values: number[]): Strength[] => values.map((value) => ({ value, parts: {} }))
const memoriesOf = (count: number, traits: Parameters<typeof makeMemory>[0] = {}): Memory[] =>
  Array.from({ length: count }, (_, i) => makeMemory({ id: `m${i}`, round: i + 1, ...traits }))

function keptOf(
  memories: readonly Memory[],
  strengths: readonly Strength[],
  retention: Retention,
  made = memories.length,
) {
  const { judged } = selectForgotten({ memories, strengths, retention, made })
  return judged.filter((one) => one.kept).map((one) => one.memory.id)
}

describe('selectForgotten at a session end', () => {
  it.each([
    // keep, made → round(keep × made), at least 1; the paper: 14 made leave 1 (4.2), 131 leave 13
    [0.1, 14, 1],
    [0.1, 15, 2],
    [0.1, 131, 13],
    [0.1, 3, 1],
    [0, 20, 1],
    [1, 20, 20],
  ])('keeping %d of %d made leaves %d', (keep, made, left) => {
    const memories = memoriesOf(made)
    const strengths = strengthsOf(...memories.map((_, i) => i))
    expect(keptOf(memories, strengths, { when: 'session-end', keep })).toHaveLength(left)
  })

  it('keeps the newer of equals, by round and then by order', () => {
    const memories = [
      makeMemory({ id: 'late', round: 5 }),
      makeMemory({ id: 'early', round: 2 }),
      makeMemory({ id: 'late too', round: 5 }),
    ]
    expect(keptOf(memories, strengthsOf(1, 1, 1), { when: 'session-end', keep: 0.1 }, 20)).toEqual([
      'late too',
      'late',
    ])
  })

  it('never lets pinned ones go, and they take room', () => {
    const memories = [
      makeMemory({ id: 'weak', pinned: true }),
      makeMemory({ id: 'strong' }),
      makeMemory({ id: 'middle' }),
    ]
    const strengths = strengthsOf(0, 9, 5)
    expect(keptOf(memories, strengths, { when: 'session-end', keep: 0.5 }, 4)).toEqual(['strong', 'weak'])
    expect(keptOf(memories, strengths, { when: 'session-end', keep: 0.1 }, 4)).toEqual(['weak'])
  })
})

describe('selectForgotten under a capacity', () => {
  it('lets one that is longer than everything allowed go, and not all others for it', () => {
    const memories = [
      makeMemory({ id: 'huge', text: 'x'.repeat(100) }),
      makeMemory({ id: 'small', text: 'y' }),
    ]
    const retention = { when: 'capacity', characters: 50 } as const
    const { judged, cut } = selectForgotten({ memories, strengths: strengthsOf(9, 1), retention, made: 2 })
    expect(judged.map(({ memory, kept, because }) => [memory.id, kept, because])).toEqual([
      ['huge', false, 'larger-than-capacity'],
      ['small', true, 'strength'],
    ])
    expect(cut).toBe(1)
  })

  it('takes the slack off characters as off places, a whole number of places, once either is over', () => {
    const memories = ['aaaa', 'bbbb', 'cc'].map((text) => makeMemory({ id: text, text }))
    const kept = (retention: Omit<Extract<Retention, { when: 'capacity' }>, 'when'>) =>
      keptOf(memories, strengthsOf(3, 2, 1), { when: 'capacity', ...retention })
    expect(kept({ characters: 10, slack: 0.5 })).toEqual(['aaaa', 'bbbb', 'cc'])
    expect(kept({ characters: 9, slack: 0.5 })).toEqual(['aaaa'])
    expect(kept({ characters: 9, slack: 0.1 })).toEqual(['aaaa', 'bbbb'])
    expect(kept({ memories: 3, characters: 9, slack: 0.5 })).toEqual(['aaaa'])
    expect(kept({ memories: 2, slack: 0.25 })).toEqual(['aaaa'])
    expect(kept({ memories: 2 })).toEqual(['aaaa', 'bbbb'])
  })
})

describe('what was judged', () => {
  it('stands by strength, with its rank, why it stays or goes, and the strength of the weakest that stayed', () => {
    const memories = [
      makeMemory({ id: 'weak' }),
      makeMemory({ id: 'pinned', pinned: true }),
      makeMemory({ id: 'strong' }),
      makeMemory({ id: 'middle' }),
    ]
    const strengths = strengthsOf(1, 0, 9, 5)
    const retention = { when: 'capacity', memories: 3 } as const
    const { judged, cut } = selectForgotten({ memories, strengths, retention, made: 4 })
    expect(judged).toEqual([
      { memory: memories[2], strength: strengths[2], rank: 1, kept: true, because: 'strength' },
      { memory: memories[3], strength: strengths[3], rank: 2, kept: true, because: 'strength' },
      { memory: memories[0], strength: strengths[0], rank: 3, kept: false, because: 'strength' },
      { memory: memories[1], strength: strengths[1], rank: 4, kept: true, because: 'pinned' },
    ])
    expect(cut).toBe(5)
    const none = selectForgotten({
      memories,
      strengths,
      retention: { when: 'capacity', memories: 1 },
      made: 4,
    })
    expect(none.cut).toBeNull()
  })

  it('stands last when its strength is no number', () => {
    const memories = [makeMemory({ id: 'none', round: 9 }), makeMemory({ id: 'least', round: 1 })]
    const { judged } = selectForgotten({
      memories,
      strengths: strengthsOf(Number.NaN, -1e300),
      retention: { when: 'never' },
      made: 2,
    })
    expect(judged.map(({ memory }) => memory.id)).toEqual(['least', 'none'])
  })
})

describe('selectForgotten', () => {
  it('refuses strengths that do not belong to the memories', () => {
    const input = {
      memories: memoriesOf(2),
      strengths: strengthsOf(1),
      retention: { when: 'never' },
      made: 2,
    } as const
    expect(() => selectForgotten(input)).toThrow('2 memories but 1 strengths')
  })

  it('never keeps a weaker one, unpinned, while a stronger one goes', () => {
    const anyMemory = fc.record({
      value: fc.oneof(fc.double(), fc.constant(Number.NaN)),
      pinned: fc.boolean(),
      length: fc.nat(20),
    })
    const anyRetention: fc.Arbitrary<Retention> = fc.oneof(
      fc.record({
        when: fc.constant('session-end' as const),
        keep: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
      fc.record({ when: fc.constant('capacity' as const), memories: fc.nat(12), characters: fc.nat(120) }),
    )
    fc.assert(
      fc.property(fc.array(anyMemory, { maxLength: 15 }), anyRetention, (traits, retention) => {
        const memories = traits.map(({ pinned, length }, i) =>
          makeMemory({ id: `m${i}`, pinned, text: 'x'.repeat(length), round: i }),
        )
        const strengths = strengthsOf(...traits.map(({ value }) => value))
        const { judged } = selectForgotten({ memories, strengths, retention, made: memories.length })
        expect(judged).toHaveLength(memories.length)
        const free = judged.filter((one) => one.because === 'strength')
        const firstGone = free.findIndex((one) => !one.kept)
        if (firstGone >= 0) expect(free.slice(firstGone).every((one) => !one.kept)).toBe(true)
        expect(judged.filter((one) => one.memory.pinned).every((one) => one.kept)).toBe(true)
        if (retention.when === 'session-end' && memories.length > 0)
          expect(judged.some((one) => one.kept)).toBe(true)
      }),
    )
  })
})

const policy = keepsakeForgetting()
const moment = { session: 2, round: 31, now: 0 }
const memories = [
  makeMemory({ id: 'strong', text: 'Porto', round: 1, signals: { importance: 7 }, use: { lastSession: 2 } }),
  makeMemory({
    id: 'weak',
    text: 'thanks',
    round: 2,
    signals: { importance: 2.125 },
    use: { lastSession: 2 },
  }),
  makeMemory({
    id: 'pinned',
    text: 'Milo',
    round: 3,
    signals: { importance: 1 },
    pinned: true,
    use: { lastSession: 2 },
  }),
]

function explain(id: string, retention: Retention): string {
  const strengths = policy.strengths(memories, moment)
  const selection = selectForgotten({ memories, strengths, retention, made: 20 })
  const judged = selection.judged.find((one) => one.memory.id === id)
  if (judged === undefined) throw new Error(`${id} was not judged`)
  return explainStrength({ policy, retention, selection, judged, moment })
}

describe('explainStrength', () => {
  it('says that a memory was forgotten, its rank, the cut and the parts', () => {
    expect(explain('weak', { when: 'session-end', keep: 0.1 })).toBe(
      'Forgotten after session 2: strength 2.13 is 2nd of 3, and 2 are kept (10 % of all made so far; the weakest kept by its strength has 7). ' +
        'By keepsake: (L + 0.3 log2(1 + uses) − 0.1 log2(sessions since touched)) · (1 − 0.5 redundancy), with L = 2.13, uses = 0, sessions = 1, redundancy = 0.',
    )
  })

  it('says that a memory was kept', () => {
    expect(explain('strong', { when: 'capacity', memories: 2 })).toMatch(
      /^Kept in round 31: strength 7 is 1st of 3, and 2 are kept \(at most 2 memories; /,
    )
  })

  it('says that a memory can never fit', () => {
    expect(explain('weak', { when: 'capacity', characters: 5 })).toMatch(
      /^Forgotten: it alone is longer than the whole capacity \(at most 5 characters\)\./,
    )
  })

  it('names both limits of a capacity, or that it has none', () => {
    expect(explain('strong', { when: 'capacity', memories: 3, characters: 99 })).toContain(
      '(at most 3 memories and at most 99 characters; ',
    )
    expect(explain('strong', { when: 'capacity' })).toContain('and 3 are kept (no limit; ')
  })

  it.each([
    [1, '1st'],
    [2, '2nd'],
    [3, '3rd'],
    [11, '11th'],
    [12, '12th'],
    [13, '13th'],
    [21, '21st'],
    [111, '111th'],
  ])('says that the rank %d is the %s, and names no parts where there are none', (rank, ordinal) => {
    const plain = noForgetting()
    const [strength = { value: 0, parts: {} }] = plain.strengths([makeMemory()], moment)
    const judged = { memory: makeMemory(), strength, rank, kept: true, because: 'strength' } as const
    const selection = { judged: [judged], cut: 1.23456 }
    const retention = { when: 'session-end', keep: 0.125 } as const
    expect(explainStrength({ policy: plain, retention, selection, judged, moment })).toBe(
      `Kept after session 2: strength 1 is ${ordinal} of 1, and 1 is kept (12.5 % of all made so far; the weakest kept by its strength has 1.23). By none: 1.`,
    )
  })
})
