import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import type { ServerEnv } from '../server-context.ts'
import { clientAddress } from './authenticate.ts'

async function addressOf(remoteAddress: string | undefined, headers: Record<string, string> = {}) {
  const app = new Hono<ServerEnv>().get('/', (c) => c.text(clientAddress(c)))
  return (await app.request('/', { headers }, { incoming: { socket: { remoteAddress } } })).text()
}

describe('clientAddress', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2::6', '2001:db8:1:2'],
    ['2001:db8::6', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    [undefined, 'unknown'],
  ])('counts %s as %s', async (address, counted) => {
    expect(await addressOf(address)).toBe(counted)
  })

  it('does not trust X-Forwarded-For', async () => {
    expect(await addressOf('203.0.113.7', { 'X-Forwarded-For': '198.51.100.1' })).toBe('203.0.113.7')
  })
})
