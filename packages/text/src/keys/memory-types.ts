/** The subject of a memory. */
export type MemoryType = (typeof MEMORY_TYPES)[number]
export const MEMORY_TYPES = ['persona', 'event', 'relationship'] as const
