import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { DatasetError } from '../datasets/dataset-error.ts'

const probeSchema = z.object({
  id: z.string().min(1),
  p: z.string().min(1),
  q: z.string().min(1),
  a: z.string().min(1),
})

/** A planted fact (MOOM, appendix H): what the user says (`p`), the question about it (`q`) and the answer (`a`). */
export type Probe = z.infer<typeof probeSchema>

/** Reads our thirty probes. The words of a probe never reveal the answer of another. */
export function readProbeTable(language: 'en' | 'zh'): Probe[] {
  const file = fileURLToPath(new URL(`../../data/probe-table/probe-table.${language}.jsonl`, import.meta.url))
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) =>
      line.trim() === '' || line.startsWith('#') ? [] : [readProbe(file, index + 1, line)],
    )
}

function readProbe(file: string, line: number, text: string): Probe {
  try {
    return probeSchema.parse(JSON.parse(text))
  } catch (error) {
    throw new DatasetError(file, `line ${line} is no probe: give id, p, q and a`, error)
  }
}
