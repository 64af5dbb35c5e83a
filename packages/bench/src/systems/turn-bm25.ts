import {
  findPreset,
  openMemory,
  RETRIEVAL_PARTS,
  withoutParts,
  type Keepsake,
  type Preset,
  type ScopedMemory,
} from 'keepsake'
import { expandToTurns } from '../retrieval/keepsake-system.ts'
import type {
  AddedDialogue,
  Dialogue,
  MemorySystem,
  Retrieved,
  RetrieveOptions,
  SystemMemory,
  SystemMemoryItem,
  SystemUsage,
} from './memory-system.ts'
import { UnsupportedError } from './unsupported-error.ts'

const NAME = 'bm25'
const MOST_MEMORIES = 1_000

/** BM25 over single turns in the engine, with the engine's own words; nothing is drawn from the turns. */
export function turnBm25(): MemorySystem {
  return {
    name: NAME,
    config: { unit: 'turn', parts: ['lexical'] },
    needsModel: false,
    async open({ user }) {
      const keepsake = await openMemory({ path: ':memory:', preset: lexicalOnly(), maskSecrets: false })
      return new TurnMemory(keepsake, keepsake.scope({ user }))
    },
  }
}

/** A preset without branches: turns are never consolidated, so that each is found by itself. */
function lexicalOnly(): Preset {
  const preset = findPreset('keepsake')
  if (preset.ranking.kind !== 'hybrid') throw new Error('the default preset ranks by no recipe of parts')
  const others = RETRIEVAL_PARTS.filter((part) => part !== 'lexical')
  const recipe = withoutParts(preset.ranking.recipe, others)
  return { ...preset, name: 'bench-bm25', branches: [], ranking: { kind: 'hybrid', recipe } }
}

class TurnMemory implements SystemMemory {
  readonly answer = null
  readonly #keepsake: Keepsake
  readonly #memory: ScopedMemory
  readonly #said: (SystemMemoryItem & { readonly session: string })[] = []

  constructor(keepsake: Keepsake, memory: ScopedMemory) {
    this.#keepsake = keepsake
    this.#memory = memory
  }

  async addDialogue({ session, turns }: Dialogue): Promise<AddedDialogue> {
    if (turns.length === 0) return { operations: [] }
    const said = turns.map(({ zone, ...turn }) => ({ ...turn, timeZone: zone }))
    await this.#memory.remember(said, { session })
    this.#said.push(...turns.map(({ id, text }) => ({ id, text, turns: [id], session })))
    return {
      operations: turns.map(({ id, text }) => ({ kind: 'add', memory: id, before: null, after: text })),
    }
  }

  dialogueMemories(session: string): Promise<readonly SystemMemoryItem[]> {
    return Promise.resolve(this.#said.filter((turn) => turn.session === session).map(itemOf))
  }

  memories(): Promise<readonly SystemMemoryItem[]> {
    return Promise.resolve(this.#said.map(itemOf))
  }

  async retrieve(query: string, { limit, at, tokens }: RetrieveOptions): Promise<Retrieved> {
    const recall = await this.#memory.recall(query, {
      limit: Math.min(MOST_MEMORIES, limit),
      now: at,
      tokens,
      reinforce: false,
    })
    return {
      // A turn not yet consolidated has no lasting id of its own as a memory.
      memories: recall.memories.flatMap(({ memory, evidence: [turn], score }) =>
        turn === undefined ? [] : [{ id: turn.turn, text: memory.text, turns: [turn.turn], score }],
      ),
      turns: expandToTurns(recall.memories),
      sessions: recall.sessions.map(({ session }) => session),
      confidence: recall.confidence,
      context: recall.context.text,
    }
  }

  update(): Promise<void> {
    return Promise.reject(new UnsupportedError(NAME, 'change what was said'))
  }

  usage(): SystemUsage {
    return { calls: 0, inputTokens: 0, outputTokens: 0, embeddingRequests: 0 }
  }

  async close(): Promise<void> {
    await this.#keepsake.close()
  }
}

function itemOf({ id, text, turns }: SystemMemoryItem): SystemMemoryItem {
  return { id, text, turns }
}
