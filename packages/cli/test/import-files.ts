import { writeFileSync } from 'node:fs'
import { openMemory, type Turn } from 'keepsake'
import { temporaryFile } from '../../keepsake/test/temporary-file.ts'
import { run, type CliRun } from '../src/testing/run-command.ts'

/** A file among the samples. */
export const sample = (name: string): string =>
  new URL(`../../importing/test/imports/${name}`, import.meta.url).pathname

/** A file with that content, in a folder of its own. */
export function file(content: string, name = 'given.txt'): string {
  const path = temporaryFile(name)
  writeFileSync(path, content)
  return path
}

export async function turnsOf(db: string, user: string): Promise<readonly Turn[]> {
  await using memory = await openMemory({ path: db })
  return await memory.scope({ user }).turns()
}

/** The texts of a user's notes, sorted. */
export async function notesOf(db: string, user: string): Promise<readonly string[]> {
  await using memory = await openMemory({ path: db })
  const notes = await memory.scope({ user }).memories({ forms: ['note'] })
  return notes.map(({ text }) => text).toSorted()
}

/** The texts of a user's blocks by name. */
export async function blocksOf(db: string, user: string): Promise<Readonly<Record<string, string>>> {
  await using memory = await openMemory({ path: db })
  const blocks = await memory.scope({ user }).blocks()
  return Object.fromEntries(blocks.map(({ name, text }) => [name ?? '', text]))
}

export const said = (turns: readonly Turn[]): string[] =>
  turns.map(({ role, speaker, text }) => `${speaker ?? role}: ${text}`)
export const at = (turn: Turn | undefined): string | undefined => turn && new Date(turn.at).toISOString()

export const importFile = (db: string, name: string, ...more: readonly string[]): Promise<CliRun> =>
  run(['import', name, '--db', db, '--json', ...more])
