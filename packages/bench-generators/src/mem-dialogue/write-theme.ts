import type { Draw } from '../draw.ts'
import type { Split, TalkLanguage } from '../material/fact-kind.ts'
import type { ThemeOperation, ThemeRecord } from './theme-record.ts'

/** A round of a theme's dialogue, and what it does to one memory. */
export interface ThemePair {
  readonly memory: string
  readonly kind: 'add' | 'modify' | 'delete'
  readonly before: string | null
  readonly after: string | null
  readonly user: string
  readonly agent: string
}

export interface ThemeHeader {
  readonly id: string
  readonly theme: string
  readonly language: TalkLanguage
  readonly split: Split
  readonly user: string
}

/** The first theme starts on this morning, each other one a day later. */
const FIRST_DAY = Date.UTC(2026, 0, 5, 9)
const DAY = 86_400_000
const MINUTE = 60_000

/** When a theme's dialogue starts, by its place from 0. */
export function startOfTheme(place: number): number {
  return FIRST_DAY + place * DAY
}

/** Writes a flow of pairs as a record, with times that pass as people type. */
export function writeTheme(
  draw: Draw,
  header: ThemeHeader,
  start: number,
  memories: ThemeRecord['memories'],
  flow: readonly ThemePair[],
  question: ThemeRecord['question'],
): ThemeRecord {
  let at = start
  const dialogue = flow.flatMap(({ user, agent }) => {
    const said = { role: 'user' as const, text: user, at: iso(at) }
    at += draw.whole(5, 40) * 1_000
    const answered = { role: 'agent' as const, text: agent, at: iso(at) }
    at += draw.whole(1, 6) * MINUTE
    return [said, answered]
  })
  const { id, theme, language, split, user } = header
  const operations = operationsOf(flow)
  return { id, theme, language, split, user, startedAt: iso(start), memories, dialogue, operations, question }
}

/** What each user turn of a flow does. */
export function operationsOf(flow: readonly ThemePair[]): ThemeOperation[] {
  return flow.map(({ kind, memory, before, after }, place) => ({
    turn: 2 * place,
    kind,
    memory,
    before,
    after,
  }))
}

function iso(at: number): string {
  return new Date(at).toISOString().replace('.000Z', 'Z')
}

/** Conflicts whose outcome still holds at the end, by their place in the flow. */
export function lastingConflicts(flow: readonly ThemePair[]): number[] {
  return flow.flatMap(({ kind, memory }, place) =>
    kind !== 'add' && !flow.slice(place + 1).some((later) => later.memory === memory) ? [place] : [],
  )
}
