import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Where a message may go: the address that a name stood for when it was looked at, to which the connection is then made. */
export interface Reached {
  readonly address: string
  readonly family: 4 | 6
}

/** An address that messages are not sent to. */
export class RefusedAddress extends Error {
  override readonly name = 'RefusedAddress'
}

/** Finds the addresses that a name stands for; the system's when absent. For tests. */
export type Resolve = (host: string) => Promise<readonly Reached[]>

/**
 * Looks up where a webhook leads, once: what is connected to is what was looked at. Only addresses that belong to the public internet
 * are let through, all of those that the name stands for.
 *
 * @param toPrivate also lets through those of this machine and its networks
 * @throws RefusedAddress; Node's error for a name that is not known
 */
export async function reach(
  url: URL,
  toPrivate: boolean,
  resolve: Resolve = resolveBySystem,
): Promise<Reached> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const family = isIP(host)
  const found = family === 4 || family === 6 ? [{ address: host, family } as const] : await resolve(host)
  const [first] = found
  if (first === undefined) throw new RefusedAddress('The name stands for no address.')
  const isOpen = toPrivate || found.every(({ address }) => isPublic(address))
  if (!isOpen) throw new RefusedAddress('The address is private: messages go to the public internet alone.')
  return first
}

/** Whether an address belongs to the public internet: not this machine's, a private network's, link-local, multicast or any reserved range. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  // An IPv4 address in the clothes of an IPv6 one is judged as what it is.
  return ipaddr.process(address).range() === 'unicast'
}

async function resolveBySystem(host: string): Promise<readonly Reached[]> {
  const found = await lookup(host, { all: true })
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }))
}
