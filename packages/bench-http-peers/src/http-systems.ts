import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { HttpSystemName, MemorySystem } from '@keepsake/bench'
import { HttpClient, LONGEST_REQUEST_MS } from './http-client.ts'
import { mem0Platform, mem0Server } from './mem0.ts'
import { memobase } from './memobase.ts'
import { memos } from './memos.ts'
import { PeerError } from './peer-error.ts'
import { peerMemory } from './peer-memory.ts'
import type { HttpSystemInfo, PeerDefinition } from './peer.ts'
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

const DEFAULTS = {
  timeoutMs: 60_000,
  pollMs: 2_000,
  processingMs: 600_000,
  now: Date.now,
  sleep: (ms: number): Promise<void> => wait(ms),
  newId: (): string => randomUUID(),
}

/** The peers that are measured over their public HTTP interfaces. */
export const HTTP_SYSTEMS: Readonly<Record<HttpSystemName, HttpSystemInfo>> = DEFINITIONS

export interface HttpSystemOptions {
  /** An http or https URL, with a path if the service needs one. Default: the service's own address. */
  readonly baseUrl?: string
  /** The key of the service. It is never read from the environment here. */
  readonly apiKey?: string
  /** How long one request may take, in milliseconds, 290,000 at most; default 60,000. */
  readonly timeoutMs?: number
  /** Milliseconds between two requests for the state of an addition; default 2,000. */
  readonly pollMs?: number
  /** Milliseconds that processing an addition may take; default 600,000, within a request (mem0-server, memobase) at most 290,000. */
  readonly processingMs?: number
  /** Milliseconds that the service's model may take for one answer. Raises `processingMs` and the limit of a request to at least this. */
  readonly modelTimeoutMs?: number | undefined
  readonly now?: () => number
  readonly sleep?: (ms: number) => Promise<void>
  /** A new UUID at every call; default: a random one. */
  readonly newId?: () => string
}

/** Makes a system under test of a peer. `open` makes a throw-away user, and `close` deletes it. No service reports its use of models. */
export function httpSystem(
  name: HttpSystemName,
  { apiKey, baseUrl: url, ...options }: HttpSystemOptions,
): MemorySystem {
  const definition = DEFINITIONS[name]
  const { keyVariable, speaks } = definition
  const key = readKey(definition, apiKey?.trim() ?? '')
  const baseUrl = readBaseUrl(name, url ?? definition.defaultUrl)
  const { timeoutMs, newId, modelTimeoutMs = 0, ...settings } = { ...DEFAULTS, ...options }
  const { now, sleep } = settings
  const processingMs = Math.max(settings.processingMs, modelTimeoutMs)
  const longestRequestMs = Math.max(LONGEST_REQUEST_MS, modelTimeoutMs)
  const headers = key === null ? {} : definition.keyHeader(key)
  const findRefusal = definition.findRefusal ?? (() => null)
  const connection = { system: name, baseUrl, headers, key, keyVariable, timeoutMs, longestRequestMs }
  const client = new HttpClient({ ...connection, now, sleep, findRefusal })
  const nameUser = definition.nameUser ?? ((uuid) => `keepsake-bench-${uuid}`)
  return {
    name,
    config: {
      speaks,
      baseUrl,
      ...definition.settings,
      timeoutMs,
      processingMs,
      model: "the service's own",
      usage: 'not reported by the service',
    },
    needsModel: false,
    async open() {
      const peer = { client, user: nameUser(newId()), ...settings, processingMs }
      return peerMemory(peer, definition.speak(peer))
    },
  }
}

/** Checks the key. @returns `null` when there is none and the service needs none */
function readKey({ name, needsKey, keyVariable }: PeerDefinition, key: string): string | null {
  if (needsKey && key === '')
    throw setupError(name, 'no key was given', `Put the service's key into ${keyVariable}.`)
  // `fetch` would show an invalid header, and so the key, in its error.
  if (!/^[\x21-\x7E]*$/u.test(key)) {
    const advice = 'Copy it again, without anything around it.'
    throw setupError(name, 'the key holds what no header may hold', advice)
  }
  return key === '' ? null : key
}

/** Checks the base URL. Reports show it, so that it may contain no key. */
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
  return new PeerError({ system, problem, advice })
}
