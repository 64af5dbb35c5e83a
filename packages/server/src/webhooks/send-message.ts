// Signs and sends one message to a webhook's address.
import { lookup } from 'node:dns/promises'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Webhook as Signer } from 'standardwebhooks'

/** A message without its address. */
export interface Message {
  readonly id: string
  readonly body: string
}

/** The outcome of sending. `gone`: the receiver refuses further messages (410). */
export type SendResult =
  | { readonly outcome: 'delivered'; readonly status: number }
  | { readonly outcome: 'failed' | 'gone'; readonly status: number | null; readonly reason: string }

interface SendOptions {
  readonly url: string
  /** Signing secrets, newest first. A message has a signature by each. */
  readonly secrets: readonly string[]
  /** Whether addresses of this machine and private networks are allowed. */
  readonly toPrivate: boolean
  readonly timeoutMs: number
  /** Milliseconds since 1970. */
  readonly now: number
  readonly signal?: AbortSignal
  /** Resolves host names, for tests. Default: the system's resolver. */
  readonly resolve?: Resolve
}

/** Sends a message by the Standard Webhooks specification. Follows no redirect. Never throws. */
export async function sendMessage(message: Message, options: SendOptions): Promise<SendResult> {
  const signal = AbortSignal.any([
    AbortSignal.timeout(options.timeoutMs),
    ...(options.signal === undefined ? [] : [options.signal]),
  ])
  try {
    const status = await post(message, options, signal)
    if (status >= 200 && status < 300) return { outcome: 'delivered', status }
    const isRedirect = status >= 300 && status < 400
    const reason = isRedirect
      ? 'It answered with a redirect, which is not followed.'
      : `It answered ${status}.`
    return { outcome: status === 410 ? 'gone' : 'failed', status, reason }
  } catch (error) {
    return { outcome: 'failed', status: null, reason: failureReason(error, signal) }
  }
}

async function post({ id, body }: Message, options: SendOptions, signal: AbortSignal): Promise<number> {
  const { secrets, toPrivate, now, resolve } = options
  const url = new URL(options.url)
  const target = await resolveAddress(url, toPrivate, resolve)
  signal.throwIfAborted()
  const time = new Date(now)
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'user-agent': 'Keepsake-Webhooks',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now / 1_000)),
    'webhook-signature': secrets.map((secret) => new Signer(secret).sign(id, time, body)).join(' '),
  }
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise<number>((resolvePromise, fail) => {
    const request = send(
      url,
      { method: 'POST', headers, signal, agent: false, lookup: lookupOf(target) },
      (response) => {
        // The body of the answer is ignored, since it may be endless.
        response.on('error', () => undefined).destroy()
        resolvePromise(response.statusCode ?? 0)
      },
    )
    request.on('error', fail)
    request.end(body)
  })
}

type LookupCallback = (
  error: null,
  address: string | { address: string; family: number }[],
  family?: number,
) => void

/** Returns a lookup function with the checked address, so that the name cannot resolve to another address later. */
function lookupOf({ address, family }: { readonly address: string; readonly family: number }) {
  return (_: string, options: { readonly all?: boolean | undefined }, callback: LookupCallback): void =>
    options.all === true ? callback(null, [{ address, family }]) : callback(null, address, family)
}

/** Describes a failure without content of the message. */
function failureReason(error: unknown, signal: AbortSignal): string {
  if (error instanceof AddressError) return error.message
  if (signal.aborted)
    return signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError'
      ? 'It did not answer in time.'
      : 'The server stopped before the message was sent.'
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  return `It could not be reached (${code}).`
}

/** The checked address of a host name. */
interface ResolvedAddress {
  readonly address: string
  readonly family: 4 | 6
}

/** The address of a webhook is not allowed. */
export class AddressError extends Error {
  override readonly name = 'RefusedAddress'
}

/** Resolves a host name. Default: the system's resolver. For tests. */
type Resolve = (host: string) => Promise<readonly ResolvedAddress[]>

/** Resolves a host once and checks that its addresses are public, unless `toPrivate`. The connection uses the checked address. */
export async function resolveAddress(
  url: URL,
  toPrivate: boolean,
  resolve: Resolve = resolveBySystem,
): Promise<ResolvedAddress> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const family = isIP(host)
  const addresses = family === 4 || family === 6 ? [{ address: host, family } as const] : await resolve(host)
  const [first] = addresses
  if (first === undefined) throw new AddressError('The name has no address.')
  const isAllowed = toPrivate || addresses.every(({ address }) => isPublic(address))
  if (!isAllowed)
    throw new AddressError('The address is private. Messages are sent to the public internet only.')
  return first
}

/** Whether an address is on the public internet: not this machine's, private, link-local, multicast or reserved. */
function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  // Checks an IPv4 address mapped to IPv6 as IPv4. Other addresses that begin with zeros contain an IPv4 address, or are reserved.
  const parsed = ipaddr.process(address)
  return parsed.range() === 'unicast' && !parsed.toString().startsWith('::')
}

async function resolveBySystem(host: string): Promise<readonly ResolvedAddress[]> {
  const addresses = await lookup(host, { all: true })
  return addresses.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }))
}
