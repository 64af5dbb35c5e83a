import type {
  DatasetTurn,
  Dialogue,
  HttpSystemName,
  MemorySystem,
  OpenSystemMemory,
  SystemMemory,
} from '@keepsake/bench'
import { onTestFinished } from 'vitest'
import { httpSystem, type HttpSystemOptions } from '../http-systems.ts'
import { mem0PlatformScript, mem0ServerScript } from './mem0-scripts.ts'
import { memobaseScript } from './memobase-script.ts'
import { memosScript } from './memos-script.ts'
import { startService, type Script, type ScriptedService } from './scripted-service.ts'
import { supermemoryScript } from './supermemory-script.ts'
import { zepScript } from './zep-script.ts'

export const KEY = 'secret-key-of-the-test'
/** Monday, 3 March 2025, 10:00 UTC. */
export const MORNING = Date.UTC(2025, 2, 3, 10)
export const OPENING: OpenSystemMemory = { user: 'ana', model: null, embedding: null }
export const WANTED = { limit: 10, at: MORNING, tokens: 1_000 }

const SCRIPTS: Readonly<Record<HttpSystemName, Script>> = {
  'mem0-platform': mem0PlatformScript,
  'mem0-server': mem0ServerScript,
  zep: zepScript,
  supermemory: supermemoryScript,
  memobase: memobaseScript,
  memos: memosScript,
}

export const PEERS = Object.keys(SCRIPTS) as HttpSystemName[]

export interface PeerUnderTest {
  readonly service: ScriptedService
  readonly system: MemorySystem
  /** The first opened memory, that of {@link FIRST_USER}. */
  readonly memory: SystemMemory
  /** All waits, in milliseconds. */
  readonly waits: readonly number[]
}

/** Opens a system with a scripted service, until the test ends. Its clock goes forward only by waits, and its ids are numbered. */
export async function startPeer(
  name: HttpSystemName,
  options: HttpSystemOptions = {},
): Promise<PeerUnderTest> {
  const service = await startService(SCRIPTS[name], KEY)
  onTestFinished(() => service.stop())
  const waits: number[] = []
  let time = MORNING
  let ids = 0
  const system = httpSystem(name, {
    baseUrl: service.baseUrl,
    apiKey: KEY,
    pollMs: 100,
    processingMs: 1_000,
    now: () => time,
    sleep: (ms) => {
      waits.push(ms)
      time += ms
      return Promise.resolve()
    },
    newId: () => {
      ids += 1
      return `00000000-0000-4000-8000-${String(ids).padStart(12, '0')}`
    },
    ...options,
  })
  return { service, system, memory: await system.open(OPENING), waits }
}

export const FIRST_ID = '00000000-0000-4000-8000-000000000001'
export const FIRST_USER = `keepsake-bench-${FIRST_ID}`

/** Makes a dialogue with one turn per minute from {@link MORNING}. `agent: text` is a turn of the agent. */
export function dialogue(session: string, ...texts: readonly string[]): Dialogue {
  const turns = texts.map((text, index): DatasetTurn => {
    const common = { id: `${session}-${index}`, at: MORNING + index * 60_000, zone: 'UTC' }
    return text.startsWith('agent: ')
      ? { ...common, role: 'assistant', speaker: 'assistant', text: text.slice('agent: '.length) }
      : { ...common, role: 'user', speaker: 'Ana', text }
  })
  return { session, turns, endsSession: true }
}

/** Returns the requests to a service, in order, without headers and escapes. */
export function sentBy(service: ScriptedService): readonly { request: string; body?: unknown }[] {
  return service.requests.map(({ method, path, query, body }) => {
    const parameters = Object.entries(query).map(([name, value]) => `${name}=${value}`)
    const request = `${method} ${path}${parameters.length === 0 ? '' : `?${parameters.join('&')}`}`
    return body === undefined ? { request } : { request, body }
  })
}

/** Returns the requests as lines, with `<id>` and `<user>` in place of the opened memory's. */
export function wireLinesOf(service: ScriptedService): string[] {
  return sentBy(service).map(({ request, body }) =>
    (body === undefined ? request : `${request} ${JSON.stringify(body)}`)
      .replaceAll(FIRST_USER, '<user>')
      .replaceAll(FIRST_ID, '<id>'),
  )
}

/** Returns the different values of a header in all requests. */
export function headerSentBy(service: ScriptedService, name: string): readonly unknown[] {
  return [...new Set(service.requests.map(({ headers }) => headers[name]))]
}

/** Returns a peer's service after a dialogue of two turns, a search and, unless excluded, a list of all memories. */
export async function serviceOfTalk(name: HttpSystemName, { lists = true } = {}): Promise<ScriptedService> {
  const { service, memory } = await startPeer(name)
  service.store.pollsNeeded = 1
  await memory.addDialogue(dialogue('one', 'I moved to Lyon', 'agent: How nice'))
  await memory.retrieve('Lyon', WANTED)
  if (lists) await memory.memories()
  await memory.close()
  return service
}
