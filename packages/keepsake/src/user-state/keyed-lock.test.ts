import { expect, it } from 'vitest'
import { KeyedLock } from './users.ts'

it('has those with one key take turns, others go beside them, and forgets keys that nobody uses', async () => {
  const lock = new KeyedLock()
  const order: string[] = []
  const gate = Promise.withResolvers<void>()
  const first = lock.runExclusive('ana', async () => {
    await gate.promise
    order.push('first')
  })
  const second = lock.runExclusive('ana', async () => void order.push('second'))
  await lock.runExclusive('bo', async () => void order.push('other'))
  expect(lock.size).toBe(1)
  gate.resolve()
  await Promise.all([first, second])
  expect(order).toEqual(['other', 'first', 'second'])
  expect(lock.size).toBe(0)
})

it('lets the next one in after a failure, which whoever asked is told of', async () => {
  const lock = new KeyedLock()
  const failing = lock.runExclusive('ana', () => Promise.reject(new Error('no room')))
  const next = lock.runExclusive('ana', () => Promise.resolve('done'))
  await expect(failing).rejects.toThrow('no room')
  expect(await next).toBe('done')
  expect(lock.size).toBe(0)
})
