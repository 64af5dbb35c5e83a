import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openMemory, type ScopedMemory } from 'keepsake'
import { type LanguageRequest, scriptedModel } from 'keepsake/model'
import { presetNamed, type PresetName } from '@keepsake/papers'
import { run } from './run-command.ts'

/** The output of an export with `--json`. */
export interface ToldExport {
  readonly written: Record<'sft' | 'dpo', Record<string, number>>
  readonly by: Record<string, number>
  readonly scopesRefused: number
  readonly withheld: number
  readonly names: number
  readonly unreadable: readonly string[]
  readonly pairsFailed: readonly string[]
}

/** Runs an export into a new folder and returns its output. */
export async function exportTo(out: string, ...argv: string[]): Promise<ToldExport> {
  const ran = await run(['train', 'export', '--out', out, '--json', ...argv])
  const [told] = ran.json() as ToldExport[]
  if (told === undefined) throw new Error(`The export said nothing: ${ran.err}`)
  return told
}

/** The rows of all parts in a folder of an export, each of the shape that `schema` tells. */
export function rowsIn<Row>(
  out: string,
  method: string,
  schema: { readonly parse: (row: unknown) => Row },
): Row[] {
  return readdirSync(join(out, method)).flatMap((file) =>
    readFileSync(join(out, method, file), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => schema.parse(JSON.parse(line))),
  )
}

/** Stores a session of exchanges and extracts its facts. */
export async function talk(
  person: ScopedMemory,
  rounds: readonly (readonly [said: string, answer: string])[],
  day: number,
): Promise<void> {
  const turns = rounds.flatMap(([said, answer], round) => [
    { role: 'user' as const, text: said, at: new Date(Date.UTC(2026, 2, day, 19, round)) },
    { role: 'assistant' as const, text: answer, at: new Date(Date.UTC(2026, 2, day, 19, round, 30)) },
  ])
  const session = `day-${day}`
  for (const turn of turns) await person.remember(turn, { session })
  await person.drain()
  await person.endSession(session)
  await person.drain()
}

/** Fills a database with a preset on a scripted model. */
export async function fillWith(
  path: string,
  preset: PresetName,
  answer: (request: LanguageRequest) => string,
  work: (personOf: (user: string) => ScopedMemory) => Promise<void>,
): Promise<void> {
  const memory = await openMemory({ path, preset: presetNamed(preset), model: scriptedModel(answer) })
  await work((user) => memory.scope({ user }))
  await memory.close()
}
