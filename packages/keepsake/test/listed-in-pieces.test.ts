import { expect, it, vi } from 'vitest'
import { openForTest } from './open-for-test.ts'

const FACTS = 60

/** Counts the turns of the event loop that work leaves to others. */
async function countTurns(work: () => Promise<unknown>): Promise<number> {
  let [turns, isOver] = [0, false]
  const turn = (): void => {
    turns += 1
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  await work()
  isOver = true
  return turns
}

it('what falls due, and what statements relate, is read in pieces, between which others go first', async () => {
  const keepsake = await openForTest()
  const user = keepsake.scope({ user: 'u' })
  // Every look at the clock finds some milliseconds gone, as on a machine that is slow.
  let clock = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => (clock += 10))
  for (let day = 1; day <= FACTS; day++)
    await user.addFact(`The user's friend Tom${'abcdefgh'[day % 8]} has an appointment in ${day} days.`)

  const due = await countTurns(() => user.due())
  const entities = await countTurns(() => user.entities())
  await user.note('Another one, so that the relations are read again.')
  const recall = await countTurns(() => user.recall("Where does my friend's sister live?"))

  expect((await user.due()).length).toBeGreaterThan(FACTS / 2)
  expect(due).toBeGreaterThanOrEqual(FACTS)
  expect(entities).toBeGreaterThanOrEqual(FACTS)
  expect(recall).toBeGreaterThanOrEqual(FACTS)
})
