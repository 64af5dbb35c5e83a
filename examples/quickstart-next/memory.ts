import { join } from 'node:path'
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
  // A standalone server runs in `.next/standalone`, which the next build removes with all that lies there; npm says where it was started.
  const folder = process.env.INIT_CWD ?? '.'
  return openMemory({ path: process.env.KEEPSAKE_DB ?? join(folder, 'memory.db'), model })
}
