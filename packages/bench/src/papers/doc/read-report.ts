import { z } from 'zod'
import { PAPER_NAMES, PUBLISHED_UNITS } from '../registry/paper.ts'

const figure = z.object({
  row: z.string(),
  column: z.string(),
  beside: z.string().nullable(),
  value: z.number().nullable(),
  interval: z.object({ low: z.number(), high: z.number() }).nullable(),
  count: z.number(),
  unit: z.enum(PUBLISHED_UNITS),
  judge: z.string().nullable(),
  paper: z.number().nullable(),
})

/** What `keepsake bench paper … --json FILE` wrote, as far as the documents tell it. */
export const keptReport = z.object({
  paper: z.object({ name: z.enum(PAPER_NAMES) }),
  item: z.object({ id: z.string() }),
  command: z.string(),
  measured: z.object({ size: z.number(), dataHash: z.string(), remarks: z.array(z.string()) }),
  compared: z.array(figure).min(1),
  differences: z.array(z.string()),
})

/** A table as it was measured once, and kept. */
export interface KeptReport extends z.infer<typeof keptReport> {
  /** The file's name without its ending. */
  readonly file: string
}

/**
 * Reads a report that was kept.
 *
 * @throws Error naming the file and what is wrong in it
 */
export function readReport(file: string, text: string): KeptReport {
  const parsed = keptReport.safeParse(JSON.parse(text))
  if (parsed.success) return { ...parsed.data, file }
  throw new Error(
    `${file}: ${z.prettifyError(parsed.error)}. Make it anew with keepsake bench paper … --json.`,
  )
}
