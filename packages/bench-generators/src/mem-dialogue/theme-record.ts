import type { MemDialogueTheme } from '@keepsake/bench'

/** One theme of a generated Mem_Dialogue: a line of its file, in the form that the loader reads. */
export type ThemeRecord = MemDialogueTheme
export type ThemeOperation = ThemeRecord['operations'][number]

/** Number of memories of a theme (MMM, section 2.2.1). */
export const MEMORIES_PER_THEME = 10
/** Number of changes of a theme's memories (MMM, section 1: "4 explicit memory conflict events"). */
export const CONFLICTS_PER_THEME = 4
/** A change follows this many rounds (pairs of turns) after the round that states the memory: U(1, 5) (MMM, section 2.2.3). */
export const OFFSET = { min: 1, max: 5 } as const
