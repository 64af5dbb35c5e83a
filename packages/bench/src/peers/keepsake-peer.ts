import { join } from 'node:path'
import { openMemory, type Keepsake, type ScopedMemory } from 'keepsake'
import { Meter, sumCosts } from '../cost/meter.ts'
import { countEmbeddings, type CountedEmbedding } from '../systems/count-embeddings.ts'
import { peerReader } from './peer-reader.ts'
import type { OpenPeer, Peer, PeerUsage } from './peer.ts'
import type { PeerRound } from './peer-talk.ts'

/** Keepsake's default preset with a model, on a file, as it comes. `atOnce`: each round is read before `add` returns. */
export async function keepsakePeer(
  { folder, embedding }: OpenPeer,
  { atOnce }: { readonly atOnce: boolean },
): Promise<Peer> {
  const meter = new Meter()
  const counted = countEmbeddings(embedding)
  const keepsake = await openMemory({
    path: join(folder, 'keepsake.db'),
    model: meter.model(peerReader().model),
    embedding: counted.model,
    ...(atOnce ? { readEvery: 1 } : {}),
  })
  return new KeepsakePeer(keepsake, meter, counted, atOnce)
}

class KeepsakePeer implements Peer {
  readonly #keepsake: Keepsake
  readonly #memory: ScopedMemory
  readonly #meter: Meter
  readonly #embedding: CountedEmbedding
  readonly #atOnce: boolean
  #requests = 0

  constructor(keepsake: Keepsake, meter: Meter, embedding: CountedEmbedding, atOnce: boolean) {
    this.#keepsake = keepsake
    this.#memory = keepsake.scope({ user: 'person' })
    this.#meter = meter
    this.#embedding = embedding
    this.#atOnce = atOnce
  }

  async add(rounds: readonly PeerRound[]): Promise<void> {
    await this.#memory.remember(
      rounds.flatMap((round) => [
        { id: turnId(round), role: 'user', text: round.user, at: round.at } as const,
        { id: `${turnId(round)}-reply`, role: 'agent', text: round.agent, at: round.at + 1_000 } as const,
      ]),
    )
    if (this.#atOnce) await this.settle()
  }

  async settle(): Promise<void> {
    await this.#memory.drain()
  }

  search(question: string, limit: number): Promise<unknown> {
    return this.#memory.recall(question, { limit })
  }

  async facts(): Promise<readonly string[]> {
    return (await this.#memory.memories({ forms: ['fact'] })).map(({ text }) => text)
  }

  async withoutHistory(): Promise<number> {
    let without = 0
    for (const { id } of await this.#memory.memories({ forms: ['fact'] })) {
      const operations = await this.#memory.history(id)
      if (!operations.some(({ kind }) => kind === 'add')) without += 1
    }
    return without
  }

  async lostTurns(rounds: readonly PeerRound[]): Promise<readonly number[]> {
    const kept = await this.#memory.memories({ forms: ['utterance'] })
    const turns = new Set(kept.flatMap(({ evidence }) => evidence.map(({ turn }) => turn)))
    return rounds.filter((round) => !turns.has(turnId(round))).map(({ index }) => index)
  }

  takeUsage(): PeerUsage {
    const { calls, inputCharacters, inputTokens, outputTokens } = sumCosts(Object.values(this.#meter.take()))
    const before = this.#requests
    this.#requests = this.#embedding.requests()
    return { calls, inputCharacters, inputTokens, outputTokens, embeddingRequests: this.#requests - before }
  }

  timeLoopback(): Promise<null> {
    return Promise.resolve(null)
  }

  async close(): Promise<void> {
    await this.#keepsake.close()
  }
}

/** The same for the same round, so that telling it again after a failure is telling it once. */
function turnId({ index }: PeerRound): string {
  return `round-${String(index).padStart(6, '0')}`
}
