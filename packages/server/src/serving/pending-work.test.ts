import { describe, expect, it } from 'vitest'
import { PendingWork } from '../chats/chat-options.ts'

describe('PendingWork', () => {
  it('drains what is added until it has ended, failures and additions included', async () => {
    const pending = new PendingWork()
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    pending.add({ user: 'ana' }, first.promise)
    let isDrained = false
    const drained = pending.drain().then(() => (isDrained = true))
    pending.add({ user: 'ben' }, second.promise)
    first.reject(new Error('not stored'))
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect([isDrained, pending.size]).toEqual([false, 1])
    second.resolve()
    await drained
    expect(pending.size).toBe(0)
  })

  it('waits for one person without waiting for others', async () => {
    const pending = new PendingWork()
    pending.add({ user: 'ana' }, new Promise(() => {}))
    pending.add({ user: 'ben' }, Promise.reject(new Error('not stored')))
    await pending.settled({ user: 'ben' })
    await pending.settled({ user: 'nobody' })
    expect(pending.size).toBe(1)
  })
})
