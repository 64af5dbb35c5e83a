import type { MemoryTool } from '../memory-tool.ts'
import { correctMemory } from './correct-memory.ts'
import { forgetMemory } from './forget-memory.ts'
import { listMemories } from './list-memories.ts'
import { recall } from './recall.ts'
import { remember } from './remember.ts'
import { undo } from './undo.ts'

/** Every tool, in the order in which they are listed. */
export const ALL_TOOLS: readonly MemoryTool[] = [
  recall,
  remember,
  listMemories,
  correctMemory,
  forgetMemory,
  undo,
]
