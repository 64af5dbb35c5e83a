import { zoneOffset } from '../text/time/zone-offset.ts'
import type { RecalledEvidence, RecalledMemory } from '../retrieval/recall-types.ts'
import type { CountTokens } from '../text/count-tokens.ts'

/** A day as people write it, by the clock of those who told of it. */
function day(at: number, { evidence }: RecalledMemory): string {
  const timeZone = evidence.find((one) => one.timeZone !== null)?.timeZone ?? null
  return new Date(at + zoneOffset(timeZone, at) * 60_000).toISOString().slice(0, 10)
}

/** Text as data: on one line and in quotation marks, so that nothing in it reads as structure or instruction. */
function quote(text: string): string {
  return JSON.stringify(text.replace(/\s+/g, ' ').trim())
}

const LONGEST_NAME = 80

/** A name stands outside the quotation marks, and is as much somebody's text as what they said. */
function speakerOf({ speaker, role }: RecalledEvidence): string {
  const name = (speaker ?? '').replace(/[\s"<>]+/g, ' ').trim()
  return name === '' ? role : name.slice(0, LONGEST_NAME).toWellFormed()
}

function utteranceLine(recalled: RecalledMemory): string {
  const turns = recalled.evidence
    .filter((evidence) => evidence.text !== null)
    .sort((one, other) => one.at - other.at)
  const said = turns.map((turn) => `${speakerOf(turn)}: ${quote(turn.text ?? '')}`)
  return `- [${day(recalled.memory.validFrom, recalled)}] ${said.join(' / ')}`
}

function statementLine(recalled: RecalledMemory): string {
  const { memory } = recalled
  const until = memory.validUntil === null ? '' : ` until ${day(memory.validUntil, recalled)}`
  const before = memory.past.map(
    (version) => `until ${day(version.validUntil, recalled)}: ${quote(version.text)}`,
  )
  const past = before.length === 0 ? '' : ` (before; ${before.join('; ')})`
  return `- [since ${day(memory.validFrom, recalled)}${until}] ${quote(memory.text)}${past}`
}

/** One line of the context for a recalled memory. */
export function contextLine(recalled: RecalledMemory): string {
  return recalled.memory.form === 'utterance' ? utteranceLine(recalled) : statementLine(recalled)
}

/**
 * The context handed to a language model: recalled memories, best first, each on a line of its own with its
 * time, as many as fit the budget. A memory that does not fit is left out whole, and smaller ones after it still
 * get their chance. Pure.
 *
 * @param tokens the budget; the text costs at most this by `countTokens`.
 */
export function composeContext(
  memories: readonly RecalledMemory[],
  tokens: number,
  countTokens: CountTokens,
): { text: string; tokens: number; memories: number } {
  const lines: string[] = []
  let spent = 0
  for (const recalled of memories) {
    const line = contextLine(recalled)
    const cost = countTokens(`${line}\n`)
    if (spent + cost > tokens) continue
    lines.push(line)
    spent += cost
  }
  // Lines were counted one by one; should a counter find more in the whole than in its parts, the last go.
  while (lines.length > 0 && countTokens(lines.join('\n')) > tokens) lines.pop()
  const text = lines.join('\n')
  return { text, tokens: text === '' ? 0 : countTokens(text), memories: lines.length }
}
