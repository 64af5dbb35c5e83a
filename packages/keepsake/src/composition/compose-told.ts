import type { RecallContext, RecalledMemory } from '../retrieval/recall-types.ts'
import { findTerms } from '@keepsake/text'
import type { ContextBudget } from './compose-answer.ts'
import { costOf, joinLines, withAhead, type AheadLine, type ContextLine } from './compose-context.ts'
import { dayOf, statementLine } from './context-line.ts'
import { tellExchange } from './tell-exchange.ts'

/** What the words of a turn may cost where many are told: with plenty of room they stand whole, else as long as all can stand. */
const TURN_TOKENS = [160, 90, 60, 44, 30, 24] as const

interface Told {
  readonly recalled: RecalledMemory
  readonly day: string
  readonly text: string
}

function tellAll(
  memories: readonly RecalledMemory[],
  question: string,
  perTurn: number,
  { countTokens, readings }: ContextBudget,
): Told[] {
  const terms = new Set(findTerms(question))
  return memories.flatMap((recalled): Told[] => {
    const day = dayOf(recalled.memory.validFrom, recalled.evidence)
    if (recalled.memory.form !== 'utterance') return [{ recalled, day, text: statementLine(recalled) }]
    const said = tellExchange(recalled, { terms, asksAgent: false, tokens: perTurn, countTokens, readings })
    return said === '' ? [] : [{ recalled, day, text: `- ${withoutLabel(said)}` }]
  })
}

/** Of many lines most are the user's own words: they stand without saying so each time, those of others do not. */
function withoutLabel(said: string): string {
  return said.includes(' / ') ? said : said.replace(/^user: /, '')
}

/** By day, the days in order; what a day holds in the order it was said. Statements carry their own dates and come first. */
function inDays(told: readonly Told[]): ContextLine[] {
  const lineOf = ({ recalled, text }: Told): ContextLine => ({ text, memory: recalled.memory.id })
  const statements = told.filter(({ recalled }) => recalled.memory.form !== 'utterance')
  const said = told
    .filter((one) => !statements.includes(one))
    .toSorted((one, other) => saidAt(one.recalled) - saidAt(other.recalled))
  const days = Map.groupBy(said, ({ day }) => day)
  const talk = [...days].flatMap(([day, of]): ContextLine[] => [
    { text: `[${day}]`, memory: null },
    ...of.map(lineOf),
  ])
  return [...statements.map(lineOf), ...talk]
}

function saidAt({ evidence, memory }: RecalledMemory): number {
  return Math.min(memory.validFrom, ...evidence.map(({ at }) => at))
}

/** As many as the budget holds, the most telling first. Each day costs a line of its own. */
function within(told: readonly Told[], { tokens, countTokens }: ContextBudget): Told[] {
  const days = new Set<string>()
  let left = tokens
  return told.filter(({ day, text }) => {
    const cost = costOf(text, countTokens) + (days.has(day) ? 0 : costOf(`[${day}]`, countTokens))
    if (cost > left) return false
    left -= cost
    days.add(day)
    return true
  })
}

/**
 * The context that tells of a person, of a talk or of a time: what tells most of it, many short lines rather than few long
 * ones, in the order it happened. Pure.
 *
 * @param memories the most telling first
 */
export function composeTold(
  memories: readonly RecalledMemory[],
  { question, ahead }: { readonly question: string; readonly ahead: readonly AheadLine[] },
  budget: ContextBudget,
): RecallContext {
  const { tokens, countTokens } = budget
  const spent = ahead.reduce((sum, { text }) => sum + costOf(text, countTokens), 0)
  const rest = { tokens: tokens - spent, countTokens }
  let kept: Told[] = []
  for (const perTurn of TURN_TOKENS) {
    const told = tellAll(memories, question, perTurn, budget)
    kept = within(told, rest)
    if (kept.length === told.length) break
  }
  return joinLines(withAhead(ahead, inDays(kept)), tokens, countTokens)
}
