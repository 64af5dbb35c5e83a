import { type Keepsake } from 'keepsake'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { Webhooks } from './webhooks.ts'
import { testMemory } from '../testing/test-memory.ts'

const PEOPLE = 600
/** At most so many people a second. */
const AT_A_TIME = 500

let keepsake: Keepsake
beforeEach(async () => {
  keepsake = await testMemory()
  for (let person = 0; person < PEOPLE; person += 1)
    await keepsake.scope({ user: `p${person}` }).note('Keeps bees.')
})

it('a sweep looks at a bounded number of people a second, and at everybody in the end', async () => {
  const report = (error: unknown): void => expect.unreachable(String(error))
  const webhooks = new Webhooks({ keepsake, keys: null, report, now: Date.now })
  onTestFinished(() => webhooks.close())
  const whose = { tenants: null, users: null, agent: null, app: null }
  const how = { description: null, events: ['turns-recorded'] as const, texts: false, key: null }
  await webhooks.store.create({ url: 'https://hooks.example.com/', ...whose, ...how })
  const changes = vi.spyOn(keepsake, 'changes')
  // As the next process would: nothing was swept by it.
  const looked: number[] = []
  for (let second = 0; second < 3; second += 1) {
    changes.mockClear()
    await webhooks.check(true)
    looked.push(changes.mock.calls.length)
  }
  expect(Math.max(...looked)).toBeLessThanOrEqual(AT_A_TIME)
  expect(looked.reduce((sum, count) => sum + count, 0)).toBe(PEOPLE)
  expect(looked.at(-1)).toBe(0)
})
