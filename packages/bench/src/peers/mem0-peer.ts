import type { Memory } from 'mem0ai/oss'
import { z } from 'zod'
import { Meter, sumCosts } from '../cost/meter.ts'
import { openMem0 } from '../systems/mem0/load-mem0.ts'
import { serveModel, type LoopbackModel } from '../systems/mem0/loopback-model.ts'
import { countEmbeddings, type CountedEmbedding } from '../systems/count-embeddings.ts'
import { timeCalls } from '../perf/time-calls.ts'
import { peerReader, type PeerReader } from './peer-reader.ts'
import type { OpenPeer, Peer, PeerUsage } from './peer.ts'
import type { PeerRound } from './peer-talk.ts'

const USER = 'person'
/** `getAll` has no “all”. */
const ALL = 1_000_000

const listSchema = z.object({ results: z.array(z.object({ id: z.string(), memory: z.string() })) })

/** Mem0's npm package with its default store, in one folder. */
export async function mem0Peer({ folder, embedding }: OpenPeer): Promise<Peer> {
  const meter = new Meter()
  const reader = peerReader()
  const counted = countEmbeddings(embedding)
  const loopback = await serveModel(meter.model(reader.model))
  const memory = await openMem0({
    folder,
    chatUrl: loopback.baseUrl,
    embed: (texts) => counted.model.embed(texts),
    dimensions: embedding.dimensions ?? 0,
  })
  return new Mem0Peer(memory, meter, counted, loopback, reader)
}

class Mem0Peer implements Peer {
  readonly #memory: Memory
  readonly #meter: Meter
  readonly #embedding: CountedEmbedding
  readonly #loopback: LoopbackModel
  readonly #reader: PeerReader
  #requests = 0
  #characters = 0

  constructor(
    memory: Memory,
    meter: Meter,
    embedding: CountedEmbedding,
    loopback: LoopbackModel,
    reader: PeerReader,
  ) {
    this.#memory = memory
    this.#meter = meter
    this.#embedding = embedding
    this.#loopback = loopback
    this.#reader = reader
  }

  async add(rounds: readonly PeerRound[]): Promise<void> {
    this.#reader.tell(rounds)
    await this.#memory.add(
      rounds.flatMap(({ user, agent }) => [
        { role: 'user', content: user },
        { role: 'assistant', content: agent },
      ]),
      { userId: USER },
    )
  }

  settle(): Promise<void> {
    return Promise.resolve()
  }

  search(question: string, limit: number): Promise<unknown> {
    return this.#memory.search(question, { topK: limit, filters: { user_id: USER } })
  }

  async facts(): Promise<readonly string[]> {
    return (await this.#list()).map(({ memory }) => memory)
  }

  async withoutHistory(): Promise<number> {
    let without = 0
    for (const { id } of await this.#list()) if ((await this.#memory.history(id)).length === 0) without += 1
    return without
  }

  lostTurns(): Promise<null> {
    return Promise.resolve(null)
  }

  takeUsage(): PeerUsage {
    const { calls, inputCharacters, inputTokens, outputTokens } = sumCosts(Object.values(this.#meter.take()))
    if (calls > 0) this.#characters = Math.round(inputCharacters / calls)
    const before = this.#requests
    this.#requests = this.#embedding.requests()
    return { calls, inputCharacters, inputTokens, outputTokens, embeddingRequests: this.#requests - before }
  }

  async timeLoopback(times: number): Promise<number> {
    const body = JSON.stringify({ messages: [{ role: 'user', content: 'x'.repeat(this.#characters) }] })
    const ask = async (): Promise<unknown> => {
      const response = await fetch(`${this.#loopback.baseUrl}/chat/completions`, { method: 'POST', body })
      return response.json()
    }
    const { p50 } = await timeCalls(ask, { calls: times, unmeasured: 5 })
    this.#meter.take()
    return p50
  }

  async close(): Promise<void> {
    await this.#loopback.close()
  }

  async #list(): Promise<readonly { readonly id: string; readonly memory: string }[]> {
    return listSchema.parse(await this.#memory.getAll({ topK: ALL, filters: { user_id: USER } })).results
  }
}
