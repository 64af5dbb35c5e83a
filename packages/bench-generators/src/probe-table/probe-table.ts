import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { GenerateError } from '../generate-error.ts'
import { DATA_FOLDER } from '../material/data-folder.ts'
import type { TalkLanguage } from '../material/fact-kind.ts'

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
 * Reads the thirty items of our own. They are independent: no item's answer can be told from another's words.
 *
 * @throws GenerateError naming the line that is not of that form.
 */
export function readProbeTable(language: TalkLanguage): Probe[] {
  const name = `probe-table.${language}.jsonl`
  const lines = readFileSync(join(DATA_FOLDER, name), 'utf8').split('\n')
  return lines.flatMap((line, index) => (line.trim() === '' ? [] : [parse(line, `${name}:${index + 1}`)]))
}

function parse(line: string, place: string): Probe {
  try {
    return probeSchema.parse(JSON.parse(line))
  } catch (cause) {
    throw new GenerateError(`${place} is not a probe of the form {"id", "p", "q", "a"}.`, { cause })
  }
}
