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
export type Sent =
  | { readonly outcome: 'delivered'; readonly status: number }
  | { readonly outcome: 'failed' | 'gone'; readonly status: number | null; readonly reason: string }

interface SendOptions {
  readonly url: string
  /** Newest first. A message carries a signature by each. */
  readonly secrets: readonly string[]
  /** Whether this machine's addresses and private networks may be reached. */
  readonly toPrivate: boolean
  readonly timeoutMs: number
  /** Milliseconds since 1970. */
  readonly now: number
  readonly signal?: AbortSignal
  /** Finds addresses; the system's when absent. For tests. */
  readonly resolve?: Resolve
}

/** Sends a message by the Standard Webhooks specification. Follows no redirect. Never throws. */
export async function sendMessage(message: Message, options: SendOptions): Promise<Sent> {
  const signal = AbortSignal.any([
    AbortSignal.timeout(options.timeoutMs),
    ...(options.signal === undefined ? [] : [options.signal]),
  ])
  try {
    const status = await post(message, options, signal)
    if (status >= 200 && status < 300) return { outcome: 'delivered', status }
    const isRedirect = status >= 300 && status < 400
    const reason = isRedirect ? 'It redirects, which is not followed.' : `It answered ${status}.`
    return { outcome: status === 410 ? 'gone' : 'failed', status, reason }
  } catch (error) {
    return { outcome: 'failed', status: null, reason: sayWhy(error, signal) }
  }
}

async function post({ id, body }: Message, options: SendOptions, signal: AbortSignal): Promise<number> {
  const { secrets, toPrivate, now, resolve } = options
  const url = new URL(options.url)
  const reached = await reach(url, toPrivate, resolve)
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
  return new Promise<number>((settle, fail) => {
    const request = send(
      url,
      { method: 'POST', headers, signal, agent: false, lookup: alwaysTo(reached) },
      (response) => {
        // The body of the answer is ignored, since it may be endless.
        response.on('error', () => undefined).destroy()
        settle(response.statusCode ?? 0)
      },
    )
    request.on('error', fail)
    request.end(body)
  })
}

type Found = (error: null, address: string | { address: string; family: number }[], family?: number) => void

/** Answers the checked address, so that a name cannot resolve to another one in between. */
function alwaysTo({ address, family }: { readonly address: string; readonly family: number }) {
  return (_: string, options: { readonly all?: boolean | undefined }, found: Found): void =>
    options.all === true ? found(null, [{ address, family }]) : found(null, address, family)
}

/** Describes a failure without contents of the message. */
function sayWhy(error: unknown, signal: AbortSignal): string {
  if (error instanceof RefusedAddress) return error.message
  if (signal.aborted)
    return signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError'
      ? 'It did not answer in time.'
      : 'The server stopped while it was sent.'
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  return `It could not be reached (${code}).`
}

/** The checked address of a host name, to which the connection is made. */
interface Reached {
  readonly address: string
  readonly family: 4 | 6
}

/** An address to which messages are not sent. */
export class RefusedAddress extends Error {
  override readonly name = 'RefusedAddress'
}

/** Resolves a host name; the system's resolver when absent. For tests. */
type Resolve = (host: string) => Promise<readonly Reached[]>

/**
 * Resolves a webhook's host once, so that the checked address is the one connected to. All its addresses must be public.
 *
 * @param toPrivate also allows those of this machine and its networks
 * @throws RefusedAddress; Node's error for an unknown name
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
  if (first === undefined) throw new RefusedAddress('The name has no address.')
  const isOpen = toPrivate || found.every(({ address }) => isPublic(address))
  if (!isOpen) throw new RefusedAddress('The address is private: messages go to the public internet alone.')
  return first
}

/** Whether an address is on the public internet: not this machine's, private, link-local, multicast or reserved. */
function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  // An IPv4 address mapped to IPv6 is judged as IPv4. Others that begin with zeros hold an IPv4 address too, or are reserved.
  const read = ipaddr.process(address)
  return read.range() === 'unicast' && !read.toString().startsWith('::')
}

async function resolveBySystem(host: string): Promise<readonly Reached[]> {
  const found = await lookup(host, { all: true })
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }))
}
