import { describe, expect, it } from 'vitest'
import { explainStrength } from './explain-strength.ts'
import type { Retention } from './forgetting-policy.ts'
import { keepsakeForgetting } from './keepsake.ts'
import { makeMemory } from './memory-fixture.ts'
import { selectForgotten } from './select-forgotten.ts'

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
})
