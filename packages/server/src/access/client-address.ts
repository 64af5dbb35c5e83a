import { isIPv6 } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import type { ServerRequest } from '../server-context.ts'
import { callerOf } from '../workers/pass-on.ts'

/** Who may have a whole network of IPv6 addresses counts as one: providers give a customer a /64. */
const NETWORK_GROUPS = 4

/** Where a request comes from, for counting. `X-Forwarded-For` is not believed: anybody can send it. */
export function clientAddress(c: ServerRequest): string {
  const { incoming } = (c.env ?? {}) as Partial<HttpBindings>
  const address = (incoming && callerOf(incoming)) ?? incoming?.socket?.remoteAddress
  return address === undefined ? 'unknown' : network(address)
}

function network(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address
  const [head = '', tail] = address.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length
  return [...before, ...Array.from({ length: zeros }, () => '0'), ...after].slice(0, NETWORK_GROUPS).join(':')
}
