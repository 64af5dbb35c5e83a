import { z } from 'zod'

const role = z.enum(['user', 'agent'])

export const themeRecordSchema = z.object({
  id: z.string().min(1),
  theme: z.string().min(1),
  language: z.enum(['en', 'zh']),
  split: z.enum(['train', 'test']),
  user: z.string().min(1),
  startedAt: z.iso.datetime(),
  memories: z.array(z.object({ id: z.string().min(1), text: z.string().min(1) })),
  dialogue: z.array(z.object({ role, text: z.string().min(1), at: z.iso.datetime() })),
  operations: z.array(
    z.object({
      /** The user's turn, by its place in the dialogue from 0. */
      turn: z.number().int().nonnegative(),
      kind: z.enum(['add', 'modify', 'delete', 'none']),
      /** `null` only for `none`. */
      memory: z.string().nullable(),
      before: z.string().nullable(),
      after: z.string().nullable(),
    }),
  ),
  question: z.object({
    question: z.string().min(1),
    answer: z.string().min(1),
    /** The operation it asks about, by its place in `operations` from 0. */
    operation: z.number().int().nonnegative(),
  }),
})

/** One theme of a generated Mem_Dialogue: a line of its file. */
export type ThemeRecord = z.infer<typeof themeRecordSchema>
export type ThemeOperation = ThemeRecord['operations'][number]

/** Memories of a theme (MMM, section 2.2.1). */
export const MEMORIES_PER_THEME = 10
/** Memory conflicts of a theme (MMM, section 1: "4 explicit memory conflict events"). */
export const CONFLICTS_PER_THEME = 4
/** A conflict is told so many pairs after what it changes: U(1, 5) (MMM, section 2.2.3). */
export const OFFSET = { least: 1, most: 5 } as const
