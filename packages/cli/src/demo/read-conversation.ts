import { readFileSync } from 'node:fs'
import type { DemoSession } from './stage.ts'

type Turn = DemoSession['turns'][number]

/** A conversation the project ships: JSON Lines, a turn a line, in the form that `keepsake import` takes. */
export function readConversation(file: string): DemoSession[] {
  const text = readFileSync(new URL(`../../data/demo/${file}`, import.meta.url), 'utf8')
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Turn & { readonly session: string })
  const sessions = Map.groupBy(lines, ({ session }) => session)
  return [...sessions].map(([id, turns]) => ({
    id,
    turns: turns.map(({ session: _session, ...turn }) => turn),
  }))
}
