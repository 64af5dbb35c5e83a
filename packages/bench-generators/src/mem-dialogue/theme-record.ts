import type { MemDialogueTheme } from '@keepsake/bench'

/** One theme of a generated Mem_Dialogue: a line of its file, as the loader reads it. */
export type ThemeRecord = MemDialogueTheme
export type ThemeOperation = ThemeRecord['operations'][number]

/** Memories of a theme (MMM, section 2.2.1). */
export const MEMORIES_PER_THEME = 10
/** Memory conflicts of a theme (MMM, section 1: "4 explicit memory conflict events"). */
export const CONFLICTS_PER_THEME = 4
/** A conflict comes this many pairs after what it changes: U(1, 5) (MMM, section 2.2.3). */
export const OFFSET = { least: 1, most: 5 } as const
