/** What a memory is: a trait or state of a person, something that happened, or a relation between persons. */
export type MemoryType = (typeof MEMORY_TYPES)[number]
export const MEMORY_TYPES = ['persona', 'event', 'relationship'] as const
