import { openMemory } from 'keepsake'
import { expect, it, onTestFinished } from 'vitest'
import { EventFeed } from './event-feed.ts'

const LISTENERS = 40

it('emits to each listener in the order in which it happened', async () => {
  const keepsake = await openMemory({ path: ':memory:' })
  onTestFinished(() => keepsake.close())
  const feed = new EventFeed(keepsake)
  const heard = Array.from({ length: LISTENERS }, (): string[] => [])
  const ends = heard.map((own) =>
    feed.listen(({ event, payload }) => {
      if (event === 'turns-recorded') own.push(payload.turns.join())
    }),
  )
  const ana = keepsake.scope({ user: 'ana' })
  await ana.remember({ role: 'user', text: 'One.', id: 'one' })
  await ana.remember({ role: 'user', text: 'Two.', id: 'two' })
  await expect.poll(() => heard).toEqual(heard.map(() => ['one', 'two']))
  for (const end of ends) end()
})

it('emits nothing to a listener that has ended meanwhile', async () => {
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
