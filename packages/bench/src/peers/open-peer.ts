import type { EmbeddingModel, LanguageModel } from 'keepsake'
import { type LanguageRequest, scriptedModel } from 'keepsake/model'
import { seededRandom } from '../metrics/seeded-random.ts'
import { countModels, type CountedModels } from '../systems/count-models.ts'
import { keepsakeSystem } from '../systems/keepsake.ts'
import { mem0Npm } from '../systems/mem0.ts'
import type { DurableMemory, DurableSystem, AppTurn } from '../systems/memory-system.ts'
import type { PeerRound } from './peer-talk.ts'
import { smallestAnswer } from '../recordings/smallest-answer.ts'

/** The compared systems. `keepsake` extracts from sixteen rounds at a time in the background. `keepsake-at-once` extracts from each round and waits, as `mem0` (npm) does. */
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
  /** Returns the model calls so far. */
  readonly usage: CountedModels['usage']
}

/** Opens a system on a folder. @throws Mem0MissingError if Mem0 is requested and not installed */
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

/** Makes the embedding model of all systems. Like one on a network, it is called in batches and awaited. */
function overNetwork(dimensions: number): EmbeddingModel {
  const { id, embed } = seededVectors(dimensions)
  return { id, dimensions, embed }
}

/** Makes the turns of a round. They always have the same ids, so that repeating a round after a failure adds nothing. */
function turnsOf(round: PeerRound): AppTurn[] {
  const id = `round-${String(round.index).padStart(6, '0')}`
  return [
    { id, role: 'user', text: round.user, at: round.at },
    { id: `${id}-reply`, role: 'assistant', text: round.agent, at: round.at + 1_000 },
  ]
}

/** Makes an embedding model without knowledge. Each text has a random vector, always the same. It answers immediately, so that only memory is timed. */
function seededVectors(dimensions: number) {
  const embedNow = (text: string) => unitVector(hashText(text), dimensions)
  return {
    id: `bench/seeded-${dimensions}`,
    dimensions,
    embed: (texts: readonly string[]) => Promise.resolve(texts.map(embedNow)),
  }
}

/** Hashes a text by FNV-1a with 32 bits (Fowler, Noll and Vo). */
function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

/** Makes a random vector of length 1. A sum of four uniform numbers is nearly normal, so all directions are nearly as likely. */
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

/** A model that answers immediately with the facts of its input. */
interface PeerReader {
  readonly model: LanguageModel
  /** Announces the next rounds, for prompts that do not separate new turns from old ones. */
  readonly tell: (rounds: readonly PeerRound[]) => void
}

/** Matches a sentence of the generated talk, such as “I bought a red bicycle with Baborn.” */
const SENTENCE = /I ([a-z]+ a [a-z]+ [a-z]+ with [A-Z][a-z]+)\./g
/** Matches a turn of Keepsake's prompt: `[3] Ana: "…"`. */
const TURN = /^\[(\d+)\] .*?: "(.*)"$/gm
const TURNS = /<turns>\n([\s\S]*?)\n<\/turns>/

/** Makes the model of all systems. It makes one fact of each sentence, and takes no time. */
function peerReader(): PeerReader {
  let announced: readonly PeerRound[] = []
  const model = scriptedModel((request) => {
    if (request.prompt?.startsWith('segment/') === true) return JSON.stringify(readSegment(request))
    if (request.schema !== null) return JSON.stringify(smallestAnswer(request.schema))
    return JSON.stringify({
      memory: announced.flatMap(({ facts }) => facts.map(({ text }, id) => ({ id: String(id), text }))),
    })
  }, 'bench/peer-reader')
  return {
    // A scripted model stores its requests. They would count as memory of the system, so they are removed.
    model: { id: model.id, generate: withoutRequests(model), stream: (request) => model.stream(request) },
    tell: (rounds) => {
      announced = rounds
    },
  }
}

function withoutRequests(model: ReturnType<typeof scriptedModel>): LanguageModel['generate'] {
  return async (request) => {
    const answer = await model.generate(request)
    ;(model.requests as LanguageRequest[]).length = 0
    return answer
  }
}

/** Answers Keepsake's prompt for a segment with facts, each with turn number and quote. */
function readSegment({ messages }: LanguageRequest): object {
  const [, turns = ''] = TURNS.exec(messages.at(-1)?.text ?? '') ?? []
  const memories = [...turns.matchAll(TURN)].flatMap(([, number, userText = '']) =>
    [...userText.matchAll(SENTENCE)].map(([quote, rest = '']) => ({
      changes: null,
      text: `The user ${rest}.`,
      type: 'event',
      subject: 'user',
      word: 'user',
      key: null,
      value: null,
      when: null,
      until: null,
      importance: 5,
      evidence: [`${number}: ${quote}`],
    })),
  )
  return { summary: 'The user talked with several people about this and that.', memories, forget: [] }
}
