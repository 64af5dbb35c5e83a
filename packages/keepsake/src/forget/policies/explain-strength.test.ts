import { describe, expect, it } from 'vitest'
import { explainStrength, selectForgotten } from './select-forgotten.ts'
import type { Retention } from './forgetting-policy.ts'
import { keepsakeForgetting } from './keepsake.ts'
import { makeMemory } from '../../memories/memory-fixture.ts'
import { noForgetting } from './known-policies.ts'

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

  it('says that a memory is pinned', () => {
    expect(explain('pinned', { when: 'session-end', keep: 0.1 })).toMatch(/^Kept: it is pinned\./)
  })

  it('says that a memory can never fit', () => {
    expect(explain('weak', { when: 'capacity', characters: 5 })).toMatch(
      /^Forgotten: it alone is longer than the whole capacity \(at most 5 characters\)\./,
    )
  })

  it('says that nothing is forgotten', () => {
    expect(explain('weak', { when: 'never' })).toMatch(/^Kept: nothing is forgotten here\./)
  })

  it('says that only one is kept, and that none is by its strength', () => {
    expect(explain('weak', { when: 'capacity', memories: 1 })).toContain(
      'and 1 is kept (at most 1 memories).',
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
    [4, '4th'],
    [10, '10th'],
    [11, '11th'],
    [12, '12th'],
    [13, '13th'],
    [14, '14th'],
    [20, '20th'],
    [21, '21st'],
    [22, '22nd'],
    [101, '101st'],
    [110, '110th'],
    [111, '111th'],
    [114, '114th'],
    [1_001, '1001st'],
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

  it('tells large whole numbers to the last digit', () => {
    const judged = {
      memory: makeMemory(),
      strength: { value: 12_345, parts: {} },
      rank: 1,
      kept: true,
      because: 'strength',
    } as const
    const retention = { when: 'capacity' } as const
    const told = explainStrength({
      policy,
      retention,
      selection: { judged: [judged], cut: null },
      judged,
      moment,
    })
    expect(told).toContain('strength 12345 is 1st')
  })
})
