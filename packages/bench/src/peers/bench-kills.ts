import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { seededRandom } from '../metrics/seeded-random.ts'
import { askChild } from './ask-child.ts'
import { KILL_PEER, type KillRequest, type Survivors } from './kill-peer.ts'
import type { PeerName } from './peer.ts'

export interface KillOptions {
  readonly peer: PeerName
  readonly kills: number
  readonly seed: number
  readonly folder: string
}

export interface KillReport extends Survivors {
  readonly kills: number
  /** Rounds that the system said were kept. */
  readonly acknowledged: number
  /** Starts at which the files could not be opened or nothing could be told. */
  readonly failedStarts: number
}

/** A process is killed so long after its first acknowledged round, at random. */
const SHORTEST_MS = 100
const LONGEST_MS = 600

/**
 * What survives a kill: a process tells rounds one after the other and is killed (SIGKILL) at a random moment, the next
 * goes on with the first round that was not acknowledged, as an application would, on the same files. At the end it is
 * counted what is there.
 *
 * @throws Error when the memory cannot be opened after the last kill.
 */
export async function benchKills({ peer, kills, seed, folder }: KillOptions): Promise<KillReport> {
  const own = await mkdtemp(join(folder, `killed-${peer}-`))
  const acknowledged = join(own, 'acknowledged.txt')
  const random = seededRandom(seed + 13)
  const request = { peer, folder: own, acknowledged, seed }
  let failedStarts = 0
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      const from = countAcknowledged(acknowledged)
      const wait = SHORTEST_MS + random() * (LONGEST_MS - SHORTEST_MS)
      if (!(await tellAndKill({ ...request, phase: 'tell', from }, wait))) failedStarts += 1
    }
    const count = countAcknowledged(acknowledged)
    const survivors = await askChild<Survivors>(KILL_PEER, { ...request, phase: 'look', from: count })
    return { kills, acknowledged: count, failedStarts, ...survivors }
  } finally {
    await rm(own, { recursive: true, force: true })
  }
}

/** @returns whether it got as far as an acknowledged round. */
async function tellAndKill(request: KillRequest, waitMs: number): Promise<boolean> {
  const child = fork(fileURLToPath(KILL_PEER), [JSON.stringify(request)], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const ended = once(child, 'exit')
  const started = await Promise.race([once(child, 'message').then(() => true), ended.then(() => false)])
  if (!started) return false
  await new Promise((resolve) => setTimeout(resolve, waitMs))
  child.kill('SIGKILL')
  await ended
  return true
}

/** Whole lines alone: a line that the kill cut off was not acknowledged to anybody. */
function countAcknowledged(file: string): number {
  if (!existsSync(file)) return 0
  return new Set(readFileSync(file, 'utf8').split('\n').slice(0, -1)).size
}
