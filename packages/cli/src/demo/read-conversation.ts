import { readFileSync } from 'node:fs'
import type { DemoSession, Person } from './stage.ts'

type Line = DemoSession['turns'][number] & { readonly session: string }

/** A conversation the project ships: JSON Lines, a turn a line, in the form that `keepsake import` takes. */
export function readConversation(file: string, user: string, name: string): Person {
  const url = new URL(`../../data/demo/${file}`, import.meta.url)
  const lines = readFileSync(url, 'utf8').trimEnd().split('\n')
  const sessions = new Map<string, DemoSession['turns'][number][]>()
  for (const line of lines) {
    const { session, ...turn } = JSON.parse(line) as Line
    const turns = sessions.get(session) ?? []
    turns.push(turn)
    sessions.set(session, turns)
  }
  return { user, name, sessions: [...sessions].map(([id, turns]) => ({ id, turns })) }
}
