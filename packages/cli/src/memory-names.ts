import type { MemoryForm, MemoryStatus, MemoryType } from 'keepsake'

export const FORMS: readonly MemoryForm[] = ['utterance', 'fact', 'summary', 'story', 'portrait', 'note']
export const TYPES: readonly MemoryType[] = ['persona', 'event', 'relationship']
export const STATUSES: readonly MemoryStatus[] = ['live', 'quarantined', 'deleted', 'forgotten', 'erased']
