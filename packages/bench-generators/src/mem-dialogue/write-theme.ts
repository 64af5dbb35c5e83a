import type { Draw } from '../draw.ts'
import type { Split, TalkLanguage } from '../material/told-kind.ts'
import type { ThemeRecord } from './theme-record.ts'

/** A round of a theme's dialogue, and what it does to one memory. */
export interface ThemePair {
  readonly memory: string
  readonly kind: 'add' | 'modify' | 'delete'
  readonly before: string | null
  readonly after: string | null
  readonly user: string
  readonly agent: string
}

export interface ThemeParts {
  readonly theme: string
  /** Its place among the themes, from 0. */
  readonly place: number
  readonly language: TalkLanguage
  readonly split: Split
  /** The person's name. */
  readonly user: string
  readonly memories: ThemeRecord['memories']
  readonly flow: readonly ThemePair[]
  readonly question: ThemeRecord['question']
}

/** The first theme starts on this morning, each other one a day later. */
const FIRST_DAY = Date.UTC(2026, 0, 5, 9)
const DAY = 86_400_000
const MINUTE = 60_000

/** Writes a flow of pairs as a record, with the pauses that typing takes. */
export function writeTheme(draw: Draw, parts: ThemeParts): ThemeRecord {
  const { place, flow, theme, language, split, user, memories, question } = parts
  const start = FIRST_DAY + place * DAY
  let at = start
  const dialogue = flow.flatMap((pair) => {
    const said = { role: 'user' as const, text: pair.user, at: iso(at) }
    at += draw.whole(5, 40) * 1_000
    const answered = { role: 'agent' as const, text: pair.agent, at: iso(at) }
    at += draw.whole(1, 6) * MINUTE
    return [said, answered]
  })
  const operations = flow.map(({ kind, memory, before, after }, pair) => {
    return { turn: 2 * pair, kind, memory, before, after }
  })
  const id = `theme-${String(place + 1).padStart(3, '0')}`
  const startedAt = iso(start)
  return { id, theme, language, split, user, startedAt, memories, dialogue, operations, question }
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
