// A system that stores and finds nothing. A test replaces some of its functions.
import type { MemorySystem, Retrieved, SystemMemory } from '../memory-system.ts'

export const NOTHING_FOUND: Retrieved = {
  memories: [],
  turns: null,
  sessions: null,
  confidence: null,
  context: '',
}

export function scriptedMemory(calls: Partial<SystemMemory> = {}): SystemMemory {
  return {
    answer: null,
    addDialogue: async () => ({ operations: [] }),
    dialogueMemories: async () => [],
    retrieve: async () => NOTHING_FOUND,
    memories: async () => [],
    usage: () => ({ calls: 0, inputTokens: 0, outputTokens: 0, embeddingRequests: 0 }),
    close: async () => undefined,
    ...calls,
  }
}

export function scriptedSystem(calls: Partial<SystemMemory> = {}): MemorySystem {
  return { name: 'scripted', config: {}, needsModel: false, open: async () => scriptedMemory(calls) }
}
