import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { HttpSystemName, MemorySystem } from '@keepsake/bench'
import { createHttpClient } from './http-client.ts'
import { mem0Platform } from './mem0-platform.ts'
import { mem0Server } from './mem0-server.ts'
import { memobase } from './memobase.ts'
import { memos } from './memos.ts'
import { PeerError } from './peer-error.ts'
import type { HttpSystemInfo, Peer, PeerDefinition } from './peer.ts'
import { supermemory } from './supermemory.ts'
import { zep } from './zep.ts'

const DEFINITIONS: Readonly<Record<HttpSystemName, PeerDefinition>> = {
  'mem0-platform': mem0Platform,
  'mem0-server': mem0Server,
  zep,
  supermemory,
  memobase,
  memos,
}

const DEFAULT_TIMEOUT_MS = 60_000
const DEFAULT_POLL_MS = 2_000
const DEFAULT_PROCESSING_MS = 600_000

/** Every peer that is measured over its public HTTP interface. */
export const HTTP_SYSTEMS: Readonly<Record<HttpSystemName, HttpSystemInfo>> = DEFINITIONS

export interface HttpSystemOptions {
  /** http or https, with the path where the service has one; default: the service's own. */
  readonly baseUrl?: string
  /** Only ever what the caller passes: nothing is read from the environment. */
  readonly apiKey?: string
  /** How long one request may take, in milliseconds, 290,000 at most; default 60,000. */
  readonly timeoutMs?: number
  /** Between two looks at whether an addition was processed, in milliseconds; default 2,000. */
  readonly pollMs?: number
  /**
   * How long processing an addition may take, in milliseconds; default 600,000. A service that processes within
   * the request (mem0-server, memobase) has 290,000 at most for each.
   */
  readonly processingMs?: number
  readonly now?: () => number
  readonly sleep?: (ms: number) => Promise<void>
  /** A new UUID at every call; default: a random one. */
  readonly newId?: () => string
}

/**
 * A peer as a system under test. Every `open` makes a throw-away user, and `close` deletes it with all that is
 * stored of it. What a service asks of its language models it does not tell: `usage` stays 0 and
 * `config.usage` says so. Throws PeerError when a key is needed and absent, or the base URL is none.
 *
 * @example
 * const zep = httpSystem('zep', { apiKey })
 * const memory = await zep.open({ user: 'ana', model: null, embedding: null })
 */
export function httpSystem(name: HttpSystemName, options: HttpSystemOptions): MemorySystem {
  const definition = DEFINITIONS[name]
  const key = options.apiKey?.trim() ?? ''
  if (definition.needsKey && key === '') {
    throw setupError(name, 'no key was given', `Put the service's key into ${definition.keyVariable}.`)
  }
  if (!/^[\x21-\x7E]*$/u.test(key)) {
    // Checked here, because `fetch` repeats a header that it refuses in its error.
    throw setupError(
      name,
      'the key holds what no header may hold',
      'Copy it again, without anything around it.',
    )
  }
  const baseUrl = readBaseUrl(name, options.baseUrl ?? definition.defaultUrl)
  const peer = createPeer(definition, baseUrl, key === '' ? null : key, options)
  return {
    name,
    config: {
      speaks: definition.speaks,
      baseUrl,
      ...definition.settings,
      timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      processingMs: peer.processingMs,
      model: "the service's own",
      usage: 'not told by the service',
    },
    needsModel: false,
    open: () => Promise.resolve(definition.open(peer)),
  }
}

function createPeer(
  definition: PeerDefinition,
  baseUrl: string,
  key: string | null,
  options: HttpSystemOptions,
): Peer {
  const now = options.now ?? Date.now
  const sleep = options.sleep ?? ((ms: number) => wait(ms))
  return {
    system: definition.name,
    client: createHttpClient({
      system: definition.name,
      baseUrl,
      headers: key === null ? {} : definition.keyHeader(key),
      key,
      keyVariable: definition.keyVariable,
      timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      now,
      sleep,
      findRefusal: definition.findRefusal,
    }),
    now,
    sleep,
    newId: options.newId ?? randomUUID,
    pollMs: options.pollMs ?? DEFAULT_POLL_MS,
    processingMs: options.processingMs ?? DEFAULT_PROCESSING_MS,
  }
}

/** Reports show the base URL, so it may hold nothing secret. */
function readBaseUrl(name: HttpSystemName, text: string): string {
  const advice = 'Give it as http(s)://host[:port][/path], and the key apart.'
  if (!URL.canParse(text)) throw setupError(name, 'the base URL is not a URL', advice)
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw setupError(name, `the base URL begins with ${url.protocol}`, advice)
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw setupError(name, 'the base URL holds more than a host and a path', advice)
  }
  return url.href.replace(/\/+$/u, '')
}

function setupError(system: string, problem: string, advice: string): PeerError {
  return new PeerError({ system, method: null, path: null, status: null, problem, advice })
}
