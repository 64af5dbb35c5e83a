import { openMemory } from 'keepsake'
import { expect, it, onTestFinished } from 'vitest'
import { EventFeed } from './event-feed.ts'

const LISTENERS = 40

it('tells many listeners a few at a time, each in the order in which it happened', async () => {
  const keepsake = await openMemory({ path: ':memory:' })
  onTestFinished(() => keepsake.close())
  const feed = new EventFeed(keepsake)
  const told = Array.from({ length: LISTENERS }, (): string[] => [])
  const ends = told.map((own) =>
    feed.listen(({ event, told: what }) => {
      if (event === 'turns-recorded') own.push(what.turns.join())
    }),
  )
  const goes: number[] = []
  let before = 0
  const count = (): void => {
    const now = told.reduce((sum, own) => sum + own.length, 0)
    goes.push(now - before)
    before = now
    if (now < 2 * LISTENERS) setImmediate(count)
  }
  setImmediate(count)
  const ana = keepsake.scope({ user: 'ana' })
  await ana.remember({ role: 'user', text: 'One.', id: 'one' })
  await ana.remember({ role: 'user', text: 'Two.', id: 'two' })
  await expect.poll(() => before).toBe(2 * LISTENERS)
  expect(told).toEqual(told.map(() => ['one', 'two']))
  // Two goes may fall between two counts, one before and one behind.
  expect(Math.max(...goes)).toBeLessThanOrEqual(16)
  for (const end of ends) end()
})

it('tells nobody who has left meanwhile', async () => {
  const keepsake = await openMemory({ path: ':memory:' })
  onTestFinished(() => keepsake.close())
  const feed = new EventFeed(keepsake)
  let late = 0
  const ends: (() => void)[] = []
  for (let at = 0; at < LISTENERS; at++)
    ends.push(
      feed.listen(() => {
        if (at === 0) for (const end of ends.slice(20)) end()
        if (at >= 20) late += 1
      }),
    )
  await keepsake.scope({ user: 'ana' }).remember({ role: 'user', text: 'One.' })
  await keepsake.drain()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(late).toBe(0)
})
