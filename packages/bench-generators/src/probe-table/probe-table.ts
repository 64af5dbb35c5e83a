import { z } from 'zod'

import { materialFile, readRecords } from '../material/read-records.ts'
import type { TalkLanguage } from '../material/told-kind.ts'

const probeSchema = z.object({
  id: z.string().min(1),
  /** What the person says in passing. */
  p: z.string().min(1),
  /** What is asked later. */
  q: z.string().min(1),
  /** The reference answer. */
  a: z.string().min(1),
})

/** An item of the probe table (MOOM, appendix H). */
export type Probe = z.infer<typeof probeSchema>

/**
 * Reads the thirty items of our own. They are independent: no item's words give away another's answer.
 *
 * @throws GenerateError naming the line that is not of that form.
 */
export function readProbeTable(language: TalkLanguage): Probe[] {
  return readRecords(materialFile(`probe-table.${language}.jsonl`), probeSchema)
}
