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

/** Tokens of one turn of a timeline: where many are shown, and where there is room. */
const TURN_TOKENS = { least: 16, most: 160 } as const

/**
 * Composes a context as a plain list: recalled memories as they stand, best first, each on a dated line, within the
 * budget. A memory that does not fit is left out whole, and smaller ones after it may still fit. Pure.
 *
 * @param tokens the budget; the text costs at most this by `countTokens`.
 * @param ahead lines that come first, and count.
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

/** The one person who speaks in these memories beside the agent; `null` where several do. */
export function onlySpeaker(memories: readonly RecalledMemory[]): string | null {
  const turns = memories
    .filter(({ memory }) => memory.form === 'utterance')
    .flatMap(({ evidence }) => evidence)
  const names = new Set(turns.filter(({ role }) => role === 'user').map(speakerOf))
  const [name = null] = names
  return names.size === 1 ? name : null
}

/** Omits the label of a line that holds one person's words alone, as most lines of a timeline do. */
export function withoutLabel(said: string, name: string | null): string {
  return name === null || said.includes(' / ') || !said.startsWith(`${name}: `)
    ? said
    : said.slice(name.length + 2)
}

/** The line above a day, with the name of the one who speaks. */
export function headOf(day: string, name: string | null): string {
  return name === null ? `[${day}]` : `[${day}] ${name}:`
}

/** Groups lines by day, in the order of the days' first lines. Statements carry their own dates and come first. */
export function inDays(lines: readonly TimelineLine[], name: string | null): ContextLine[] {
  const lineOf = ({ recalled, text }: TimelineLine): ContextLine => ({ text, memory: recalled.memory.id })
  const said = lines.filter(({ recalled }) => recalled.memory.form === 'utterance')
  const talk = [...Map.groupBy(said, ({ day }) => day)].flatMap(([day, of]): ContextLine[] => [
    { text: headOf(day, name), memory: null },
    ...of.map(lineOf),
  ])
  return [...lines.filter((line) => !said.includes(line)).map(lineOf), ...talk]
}

/** Puts lines in order of time. */
export function inTime(lines: readonly TimelineLine[]): TimelineLine[] {
  return lines.toSorted((a, b) => a.recalled.memory.validFrom - b.recalled.memory.validFrom)
}

interface TimelineBudget extends Pick<ContextBudget, 'tokens' | 'countTokens'> {
  readonly name: string | null
}

type WriteLine = (recalled: RecalledMemory, tokens: number) => TimelineLine | null

/** As many lines as fit when short, each day with a line of its own; what is left makes the first ones longer. */
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
    const line = writeLine(recalled, TURN_TOKENS.least)
    if (line === null) continue
    const { day, text } = line
    const cost = costOf(text, countTokens) + (days.has(day) ? 0 : costOf(headOf(day, name), countTokens))
    if (cost > left) continue
    left -= cost
    days.add(day)
    kept.push(line)
  }
  return kept.map((line) => {
    const longer = writeLine(line.recalled, TURN_TOKENS.most) ?? line
    const more = costOf(longer.text, countTokens) - costOf(line.text, countTokens)
    if (more > left) return line
    left -= more
    return longer
  })
}

/**
 * Composes the context about a whole user, a session or a time: many short lines rather than few long ones, in order of
 * time. Pure.
 *
 * @param memories the most telling first
 * @param terms of the subject, whose clauses stay where a turn is cut
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
  return joinLines(withAhead(ahead, inDays(inTime(kept), name)), tokens, countTokens)
}
