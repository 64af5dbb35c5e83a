import { expect, it } from 'vitest'
import { makeMemory } from '../memories/memory-fixture.ts'
import { spreadOverSessions } from './add-answers.ts'
import { foundAs } from './recall-fixture.ts'

it('further memories of one session come later than a little worse ones of other sessions', () => {
  const found = ['a', 'a', 'b'].map((session, index) =>
    foundAs(makeMemory({ id: `${session}${index}`, session }), 3 - index / 10),
  )
  expect(spreadOverSessions(found).map(({ memory }) => memory.id)).toEqual(['a0', 'b2', 'a1'])
})
