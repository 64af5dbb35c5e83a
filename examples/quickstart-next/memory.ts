import { openModel } from '@keepsake/models'
import { openMemory, type Keepsake } from 'keepsake'

// While developing, Next loads modules again and again: one memory stays open all the same.
const kept = globalThis as { keepsake?: Promise<Keepsake> }

/** The memory, opened when it is first asked for: `next build` loads this file and must open nothing. */
export function memory(): Promise<Keepsake> {
  kept.keepsake ??= open()
  return kept.keepsake
}

async function open(): Promise<Keepsake> {
  const model = await openModel(process.env.KEEPSAKE_MODEL ?? 'openai:gpt-5-mini')
  return openMemory({ path: process.env.KEEPSAKE_DB ?? 'memory.db', model })
}
