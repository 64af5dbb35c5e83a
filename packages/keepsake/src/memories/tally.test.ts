import { array, assert, constantFrom, nat, property, record } from 'fast-check'
import { expect, it } from 'vitest'
import { applyOperation } from './apply-operation.ts'
import { makeMemory, ORIGIN } from './memory-fixture.ts'
import { blankOperation, type NewOperation, type MemoryRef } from './operation.ts'
import { joinTallies, tallyOf } from './tally.ts'

const touches = array(
  record({
    rank: constantFrom<MemoryRef['rank']>('first', 'second'),
    round: nat(6),
    sessionNumber: nat(4),
    at: nat(9),
  }),
  { minLength: 1, maxLength: 12 },
)

function recallOf({
  rank,
  ...moment
}: {
  rank: MemoryRef['rank']
  round: number
  sessionNumber: number
  at: number
}) {
  const blank = blankOperation('o', 'reinforce', { scope: 1, ...moment }, ORIGIN)
  return { ...blank, touched: [{ memory: 'm1', rank }] }
}

/** One entry that stands for all of them. */
function together(recalls: readonly NewOperation[]): NewOperation {
  const tallies = recalls.flatMap((recall) => recall.touched.map((touched) => tallyOf(touched, recall)))
  const tally = tallies.reduce(joinTallies)
  const rank = tally.first > 0 ? 'first' : 'second'
  return {
    ...recallOf({ rank, round: 99, sessionNumber: 99, at: 99 }),
    touched: [{ memory: 'm1', rank, tally }],
  }
}

it('what several recalls did together is what they did one after another, however they are gathered', () => {
  assert(
    property(touches, nat(12), (list, cut) => {
      const recalls = list.map(recallOf)
      const memory = makeMemory({ id: 'm1' })
      const oneByOne = recalls.reduce((known, recall) => applyOperation(known, recall, 'm1') ?? known, memory)
      const head = recalls.slice(0, cut)
      const tail = recalls.slice(cut)
      const parts = [head, tail].filter((part) => part.length > 0).map(together)
      const gathered = parts.reduce((known, recall) => applyOperation(known, recall, 'm1') ?? known, memory)
      expect(gathered).toEqual(oneByOne)
      expect(applyOperation(memory, together(parts), 'm1')).toEqual(oneByOne)
    }),
  )
})
