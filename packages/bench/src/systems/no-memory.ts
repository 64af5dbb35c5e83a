import type { MemorySystem, Retrieved, SystemMemory } from './memory-system.ts'
import { UnsupportedError } from './unsupported-error.ts'

const NAME = 'none'
const NOTHING: Retrieved = { memories: [], turns: [], sessions: [], confidence: 0, context: '' }

/** The floor: it keeps nothing, so that what a reader answers with it comes from the reader alone. */
export function noMemory(): MemorySystem {
  return {
    name: NAME,
    config: {},
    needsModel: false,
    open: () => Promise.resolve(EMPTY),
  }
}

const EMPTY: SystemMemory = {
  answer: null,
  addDialogue: () => Promise.resolve({ operations: [] }),
  dialogueMemories: () => Promise.resolve([]),
  retrieve: () => Promise.resolve(NOTHING),
  memories: () => Promise.resolve([]),
  update: () => Promise.reject(new UnsupportedError(NAME, 'update a memory: it has none')),
  usage: () => ({ calls: 0, inputTokens: 0, outputTokens: 0, embeddingRequests: 0 }),
  close: () => Promise.resolve(),
}
