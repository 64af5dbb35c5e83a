import { join } from 'node:path'
import { openModel } from '@keepsake/models'
import { openMemory, type Keepsake } from 'keepsake'

// In development, Next loads modules again and again. A global variable keeps one memory open meanwhile.
const globals = globalThis as { keepsake?: Promise<Keepsake> }

/** Returns the memory, which is opened at the first call, because `next build` loads this file and must open nothing. */
export function memory(): Promise<Keepsake> {
  globals.keepsake ??= open()
  return globals.keepsake
}

async function open(): Promise<Keepsake> {
  const model = await openModel(process.env.KEEPSAKE_MODEL ?? 'openai:gpt-5-mini')
  // A standalone server runs in `.next/standalone`, which the next build removes. INIT_CWD is the folder in which npm was started.
  const folder = process.env.INIT_CWD ?? '.'
  return openMemory({ path: process.env.KEEPSAKE_DB ?? join(folder, 'memory.db'), model })
}
