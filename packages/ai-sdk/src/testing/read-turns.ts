import type { ScopedMemory } from 'keepsake'
import { z } from 'zod'

const turn = z.object({
  row: z.literal('turn'),
  id: z.string(),
  session: z.string(),
  role: z.string(),
  speaker: z.string().nullable(),
  text: z.string(),
})

/** What is stored of a person, from the export: every turn, in order. */
export async function readTurns(scope: ScopedMemory): Promise<z.infer<typeof turn>[]> {
  const turns: z.infer<typeof turn>[] = []
  for await (const line of scope.export()) {
    const row = turn.safeParse(JSON.parse(line))
    if (row.success) turns.push(row.data)
  }
  return turns
}

/** As `role: text`. */
export async function saidIn(scope: ScopedMemory): Promise<string[]> {
  return (await readTurns(scope)).map(({ role, text }) => `${role}: ${text}`)
}
