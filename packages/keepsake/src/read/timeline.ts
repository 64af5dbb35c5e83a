// Composes contexts that list memories in order of time, or as they were found.
import type { CountTokens } from '@keepsake/text'
import type { RecallContext, RecalledMemory } from '../retrieval/recall-types.ts'
import { AnalysedTexts } from '../user-state/analysed-text.ts'
import type { ContextBudget } from './choose-lines.ts'
import {
  contextLine,
  costOf,
  dayOf,
  formatExchange,
  joinLines,
  MIN_LINE_TOKENS,
  saidTurns,
  speakerOf,
  statementLine,
  type AheadLine,
  type ContextLine,
  withAhead,
} from './context-lines.ts'

/** Tokens of one turn in a timeline: at first, and when it is made longer because budget is left. */
const TURN_TOKENS = { short: 16, long: 160 } as const

/**
 * Composes a context as a plain list of recalled memories, best first, each on a dated line. A memory that does not fit is left out
 * as a whole, and shorter ones after it may still fit. Pure.
 *
 * @param tokens budget of the whole text, by `countTokens`
 * @param ahead lines that come first; they count towards the budget
 */
export function composeContext(
  memories: readonly RecalledMemory[],
  tokens: number,
  countTokens: CountTokens,
  { ahead = [], now }: { readonly ahead?: readonly AheadLine[]; readonly now?: number } = {},
): RecallContext {
  const lines: ContextLine[] = []
  let left = tokens - ahead.reduce((sum, { text }) => sum + costOf(text, countTokens), 0)
  for (const recalled of memories) {
    const text = contextLine(recalled, now)
    const cost = costOf(text, countTokens)
    if (cost > left) continue
    lines.push({ text, memory: recalled.memory.id })
    left -= cost
  }
  return joinLines(withAhead(ahead, lines), tokens, countTokens)
}

/** A line under its day. */
export interface TimelineLine {
  readonly recalled: RecalledMemory
  readonly day: string
  readonly text: string
}

/** Returns the name of the person who speaks with the agent in these memories; `null` if there are several. */
export function onlySpeaker(memories: readonly RecalledMemory[]): string | null {
  const turns = memories
    .filter(({ memory }) => memory.form === 'utterance')
    .flatMap(({ evidence }) => evidence)
  const names = new Set(turns.filter(({ role }) => role === 'user').map(speakerOf))
  const [name = null] = names
  return names.size === 1 ? name : null
}

/** Omits the speaker's name from a line with words of this speaker only, since the head of the day names them. */
export function withoutLabel(said: string, name: string | null): string {
  const label = `${name}: `
  const hasSeveralTurns = said.includes(' / ')
  if (name === null || hasSeveralTurns || !said.startsWith(label)) return said
  return said.slice(label.length)
}

/** Formats the line above a day, with the name of the only speaker. */
export function formatDayHead(day: string, name: string | null): string {
  return name === null ? `[${day}]` : `[${day}] ${name}:`
}

/** Groups lines by day, in the order of the days' first lines. Statements carry their own dates and come first. */
export function groupByDay(lines: readonly TimelineLine[], name: string | null): ContextLine[] {
  const lineOf = ({ recalled, text }: TimelineLine): ContextLine => ({ text, memory: recalled.memory.id })
  const said = lines.filter(({ recalled }) => recalled.memory.form === 'utterance')
  const talk = [...Map.groupBy(said, ({ day }) => day)].flatMap(([day, linesOfDay]): ContextLine[] => [
    { text: formatDayHead(day, name), memory: null },
    ...linesOfDay.map(lineOf),
  ])
  return [...lines.filter((line) => !said.includes(line)).map(lineOf), ...talk]
}

/** Puts lines in order of time. */
export function orderByTime(lines: readonly TimelineLine[]): TimelineLine[] {
  return lines.toSorted((a, b) => a.recalled.memory.validFrom - b.recalled.memory.validFrom)
}

interface TimelineBudget extends Pick<ContextBudget, 'tokens' | 'countTokens'> {
  readonly name: string | null
}

type WriteLine = (recalled: RecalledMemory, tokens: number) => TimelineLine | null

/** Fits as many short lines as the budget allows, with a head for each day. The tokens that are left make the first lines longer. */
function fitTimeline(
  memories: readonly RecalledMemory[],
  writeLine: WriteLine,
  { tokens, countTokens, name }: TimelineBudget,
): TimelineLine[] {
  const days = new Set<string>()
  const kept: TimelineLine[] = []
  let left = tokens
  for (const recalled of memories) {
    if (left < MIN_LINE_TOKENS) break
    const line = writeLine(recalled, TURN_TOKENS.short)
    if (line === null) continue
    const { day, text } = line
    const cost =
      costOf(text, countTokens) + (days.has(day) ? 0 : costOf(formatDayHead(day, name), countTokens))
    if (cost > left) continue
    left -= cost
    days.add(day)
    kept.push(line)
  }
  return kept.map((line) => {
    const longer = writeLine(line.recalled, TURN_TOKENS.long) ?? line
    const more = costOf(longer.text, countTokens) - costOf(line.text, countTokens)
    if (more > left) return line
    left -= more
    return longer
  })
}

/**
 * Composes the context about a whole user, a session or a time: many short lines, in order of time. Pure.
 *
 * @param memories the most informative first
 * @param terms terms of the subject; clauses with them stay when a turn is cut
 */
export function composeTimeline(
  memories: readonly RecalledMemory[],
  ahead: readonly AheadLine[],
  { tokens, countTokens, texts = new AnalysedTexts(), now }: ContextBudget,
  terms: ReadonlySet<string> = new Set(),
): RecallContext {
  const spent = ahead.reduce((sum, { text }) => sum + costOf(text, countTokens), 0)
  const name = onlySpeaker(memories)
  const writeLine: WriteLine = (recalled, turnTokens) => {
    const day = dayOf(recalled.memory.validFrom, recalled.evidence)
    if (recalled.memory.form !== 'utterance') return { recalled, day, text: statementLine(recalled, now) }
    const options = { terms, byClauses: true, asks: null, tokens: turnTokens, countTokens }
    const said = formatExchange(saidTurns(recalled, texts), options)
    return said === '' ? null : { recalled, day, text: `- ${withoutLabel(said, name)}` }
  }
  const kept = fitTimeline(memories, writeLine, { tokens: tokens - spent, countTokens, name })
  return joinLines(withAhead(ahead, groupByDay(orderByTime(kept), name)), tokens, countTokens)
}
