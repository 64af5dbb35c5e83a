import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate as look } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { inSlices } from './start-server.ts'

const asRequest = (name: number): [IncomingMessage, ServerResponse] =>
  [name, null] as unknown as [IncomingMessage, ServerResponse]

it('begins requests that come in one go a few at a time, in their order', async () => {
  const begun: unknown[] = []
  const serve = inSlices((request) => void begun.push(request))
  for (let name = 0; name < 100; name++) serve(...asRequest(name))
  const goes = [begun.length]
  for (let before = begun.length; begun.length < 100; before = begun.length) {
    await look()
    goes.push(begun.length - before)
  }
  expect(begun).toEqual(Array.from({ length: 100 }, (_, name) => name))
  expect(Math.max(...goes)).toBeLessThanOrEqual(16)
  await look()
  await look()
  serve(...asRequest(100))
  expect(begun.at(-1)).toBe(100)
})
