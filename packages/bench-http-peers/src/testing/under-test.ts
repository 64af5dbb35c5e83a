import type { DatasetTurn, Dialogue, HttpSystemName, MemorySystem, OpenSystemMemory } from '@keepsake/bench'
import { httpSystem, type HttpSystemOptions } from '../http-systems.ts'
import { startMem0Platform } from './mem0-platform-service.ts'
import { startMem0Server } from './mem0-server-service.ts'
import { startMemobase } from './memobase-service.ts'
import { startMemos } from './memos-service.ts'
import type { ScriptedPeer } from './scripted-peer.ts'
import { startSupermemory } from './supermemory-service.ts'
import { startZep } from './zep-service.ts'

export const KEY = 'secret-key-of-the-test'
/** Monday, 3 March 2025, 10:00 UTC. */
export const MORNING = Date.UTC(2025, 2, 3, 10)
export const OPENING: OpenSystemMemory = { user: 'ana', model: null, embedding: null }

export interface PeerUnderTest {
  readonly name: HttpSystemName
  readonly start: (key: string) => Promise<ScriptedPeer>
  /** Whether an addition is processed after its request was answered. */
  readonly isBackground: boolean
  /** Whether it can tell what a dialogue left. */
  readonly listsDialogues: boolean
}

export const PEERS: readonly PeerUnderTest[] = [
  { name: 'mem0-platform', start: startMem0Platform, isBackground: true, listsDialogues: true },
  { name: 'mem0-server', start: startMem0Server, isBackground: false, listsDialogues: true },
  { name: 'zep', start: startZep, isBackground: true, listsDialogues: false },
  { name: 'supermemory', start: startSupermemory, isBackground: true, listsDialogues: true },
  { name: 'memobase', start: startMemobase, isBackground: false, listsDialogues: true },
  { name: 'memos', start: startMemos, isBackground: true, listsDialogues: true },
]

export interface Rig {
  readonly service: ScriptedPeer
  readonly system: MemorySystem
  /** Every wait asked for, in milliseconds. */
  readonly waits: readonly number[]
}

/** A system before a scripted service, with a clock that only waiting moves and counted ids. */
export async function rig(
  start: (key: string) => Promise<ScriptedPeer>,
  name: HttpSystemName,
  options: HttpSystemOptions = {},
): Promise<Rig> {
  const service = await start(KEY)
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
  return { service, system, waits }
}

/** The user that the first memory opened by a rig has. */
export const FIRST_ID = '00000000-0000-4000-8000-000000000001'
export const FIRST_USER = `keepsake-bench-${FIRST_ID}`

/** A turn a minute from MORNING; an agent's turn is written `agent: text`. */
export function dialogue(session: string, ...texts: readonly string[]): Dialogue {
  return {
    session,
    turns: texts.map((text, index) => turn(`${session}-${index}`, text, index)),
    endsSession: true,
  }
}

function turn(id: string, text: string, minute: number): DatasetTurn {
  const isAgent = text.startsWith('agent: ')
  return {
    id,
    role: isAgent ? 'agent' : 'user',
    speaker: isAgent ? 'assistant' : 'Ana',
    text: isAgent ? text.slice('agent: '.length) : text,
    at: MORNING + minute * 60_000,
    zone: 'UTC',
  }
}
