import type { Memory } from '../memories/memory.ts'

/** All versions of the portrait, oldest first. Only the last one still holds. */
export function portraitVersions(memories: Iterable<Memory>): Memory[] {
  return [...memories]
    .filter((memory) => memory.form === 'portrait' && memory.status === 'live')
    .sort((a, b) => a.validFrom - b.validFrom || (a.id < b.id ? -1 : 1))
}
