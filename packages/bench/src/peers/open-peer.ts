import type { EmbeddingModel } from 'keepsake'
import { seededRandom } from '../metrics/seeded-random.ts'
import { countModels, type CountedModels } from '../systems/count-models.ts'
import { keepsakeSystem } from '../systems/keepsake.ts'
import { mem0Npm } from '../systems/mem0.ts'
import type { DurableMemory, DurableSystem, AppTurn } from '../systems/memory-system.ts'
import { peerReader } from './peer-reader.ts'
import type { PeerRound } from './peer-talk.ts'

/** `keepsake` reads sixteen rounds at a time in the background; `keepsake-at-once` waits for each round, as `mem0` (npm) does. */
export const PEER_NAMES = ['keepsake', 'keepsake-at-once', 'mem0'] as const
export type PeerName = (typeof PEER_NAMES)[number]

const SYSTEMS: Readonly<Record<PeerName, () => DurableSystem>> = {
  keepsake: () => keepsakeSystem('keepsake'),
  'keepsake-at-once': () =>
    keepsakeSystem('keepsake', { exchangesPerExtraction: 1, waitsForExtraction: true }),
  mem0: mem0Npm,
}

/** A system on a folder that receives rounds from an application. */
export interface Peer {
  readonly memory: DurableMemory
  /** Adds rounds in one call. Returns when the system confirms them. */
  readonly add: (rounds: readonly PeerRound[]) => Promise<void>
  readonly search: (question: string, limit: number) => Promise<unknown>
  /** Its model calls so far. */
  readonly usage: CountedModels['usage']
}

/** @throws Mem0MissingError when Mem0 is requested and not installed. */
export async function openPeer(name: PeerName, folder: string, dimensions: number): Promise<Peer> {
  const reader = peerReader()
  const counted = countModels(reader.model, overNetwork(dimensions))
  const memory = await SYSTEMS[name]().open({ ...counted, user: 'person', folder })
  return {
    memory,
    add: (rounds) => {
      reader.tell(rounds)
      return memory.tell(rounds.flatMap(turnsOf))
    },
    search: (question, limit) =>
      memory.retrieve(question, { limit, at: Date.now(), tokens: 1_000, reinforce: true }),
    usage: counted.usage,
  }
}

/** The embedding model of all systems. Like one on a network, it is called in batches and awaited. */
function overNetwork(dimensions: number): EmbeddingModel {
  const { id, embed } = seededVectors(dimensions)
  return { id, dimensions, embed }
}

/** The turns of a round. They always have the same ids, so that repeating a round after a failure adds nothing. */
function turnsOf(round: PeerRound): AppTurn[] {
  const id = `round-${String(round.index).padStart(6, '0')}`
  return [
    { id, role: 'user', text: round.user, at: round.at },
    { id: `${id}-reply`, role: 'assistant', text: round.agent, at: round.at + 1_000 },
  ]
}

/** An embedding model without knowledge: a random vector per text, always the same. It answers at once, so that only memory is timed. */
function seededVectors(dimensions: number) {
  const embedNow = (text: string) => unitVector(hashText(text), dimensions)
  return {
    id: `bench/seeded-${dimensions}`,
    dimensions,
    embed: (texts: readonly string[]) => Promise.resolve(texts.map(embedNow)),
  }
}

/** FNV-1a, 32 bits (Fowler, Noll and Vo). */
function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

/** A random vector of length 1. Sums of four uniform numbers are nearly normal, which makes its direction nearly uniform. */
function unitVector(seed: number, dimensions: number): Float32Array {
  const random = seededRandom(seed)
  const vector = new Float32Array(dimensions)
  let squares = 0
  for (let i = 0; i < dimensions; i += 1) {
    const component = random() + random() + random() + random() - 2
    vector[i] = component
    squares += component * component
  }
  const norm = Math.sqrt(squares)
  for (let i = 0; i < dimensions; i += 1) vector[i] = (vector[i] ?? 0) / norm
  return vector
}
