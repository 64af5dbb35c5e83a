import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '../metrics/seeded-random.ts'
import { askChild, Child } from '../processes/child.ts'
import type { PeerName } from './open-peer.ts'
import { PEER_CHILD, type KillRequest, type PeerFigures } from './peer-child.ts'

interface KillOptions {
  readonly peer: PeerName
  readonly kills: number
  readonly seed: number
  readonly folder: string
}

/** A process is killed so long after its first acknowledged round, at random. */
const SHORTEST_MS = 100
const LONGEST_MS = 600

/**
 * What survives a kill: a process tells rounds one after the other and is killed (SIGKILL) at a random moment, the next
 * goes on with the first round that was not acknowledged, as an application would, on the same files. At the end it is
 * counted what is there. Texts are compared by like words, as with a real embedder: a system may find repetitions by them.
 *
 * @throws Error when the memory cannot be opened after the last kill.
 */
export async function killPeer({ peer, kills, seed, folder: parent }: KillOptions) {
  const folder = await mkdtemp(join(parent, `killed-${peer}-`))
  const acknowledged = join(folder, 'acknowledged.txt')
  const random = seededRandom(seed + 13)
  const request = { peer, folder, acknowledged, seed, embedding: 'words' } as const
  let failedStarts = 0
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      const from = countAcknowledged(acknowledged)
      const wait = SHORTEST_MS + random() * (LONGEST_MS - SHORTEST_MS)
      if (!(await tellAndKill({ ...request, phase: 'tell', from }, wait))) failedStarts += 1
    }
    const from = countAcknowledged(acknowledged)
    const survivors = await askChild<PeerFigures>(PEER_CHILD, { ...request, phase: 'look', from })
    return { kills, acknowledged: from, failed_starts: failedStarts, ...survivors }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** @returns whether it got as far as an acknowledged round. */
async function tellAndKill(request: KillRequest, waitMs: number): Promise<boolean> {
  const child = new Child(PEER_CHILD, request)
  const isTelling = await child.started.then(
    () => true,
    () => false,
  )
  if (!isTelling) return false
  await sleep(waitMs)
  await child.kill()
  return true
}

/** Whole lines alone: a line that the kill cut off was not acknowledged to anybody. */
function countAcknowledged(file: string): number {
  if (!existsSync(file)) return 0
  return new Set(readFileSync(file, 'utf8').split('\n').slice(0, -1)).size
}
