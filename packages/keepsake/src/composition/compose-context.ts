import type { RecalledMemory, RecallContext } from '../retrieval/recall-types.ts'
import type { CountTokens } from '@keepsake/text'
import { contextLine, quote } from './context-line.ts'

/** A line of a context, and the memory it tells of; `null` for what stands around the memories. */
export interface ContextLine {
  readonly text: string
  readonly memory: string | null
}

/** A line that stands ahead of what was found, and the words that it quotes; `null` where it states. */
export interface AheadLine {
  readonly text: string
  readonly quoted: string | null
}

/** What stands ahead, then what was found: words that what was found tells as well are not quoted ahead of it. */
export function withAhead(ahead: readonly AheadLine[], found: readonly ContextLine[]): ContextLine[] {
  const isFound = ({ quoted }: AheadLine): boolean =>
    quoted !== null && found.some(({ text }) => text.includes(quote(quoted).slice(1, -1)))
  const kept = ahead.filter((line) => !isFound(line))
  return [...kept.map(({ text }): ContextLine => ({ text, memory: null })), ...found]
}

/** What a line costs, with the line's end. */
export function costOf(line: string, countTokens: CountTokens): number {
  return countTokens(`${line}\n`)
}

/** Puts lines together. Lines are counted one by one; should a counter find more in the whole than in its parts, the last go. */
export function joinLines(
  lines: readonly ContextLine[],
  tokens: number,
  countTokens: CountTokens,
): RecallContext {
  const kept = [...lines]
  const whole = (): string => kept.map((line) => line.text).join('\n')
  while (kept.length > 0 && countTokens(whole()) > tokens) kept.pop()
  const shown = [...new Set(kept.flatMap(({ memory }) => memory ?? []))]
  const text = whole()
  return { text, tokens: text === '' ? 0 : countTokens(text), memories: shown.length, shown }
}

/**
 * A context as a plain list: recalled memories as they stand, best first, each on a line of its own with its time, as
 * many as fit the budget. A memory that does not fit is left out whole, and smaller ones after it still get their chance. Pure.
 *
 * @param tokens the budget; the text costs at most this by `countTokens`.
 */
export function composeContext(
  memories: readonly RecalledMemory[],
  tokens: number,
  countTokens: CountTokens,
): RecallContext {
  const lines: ContextLine[] = []
  let spent = 0
  for (const recalled of memories) {
    const text = contextLine(recalled)
    const cost = costOf(text, countTokens)
    if (spent + cost > tokens) continue
    lines.push({ text, memory: recalled.memory.id })
    spent += cost
  }
  return joinLines(lines, tokens, countTokens)
}
