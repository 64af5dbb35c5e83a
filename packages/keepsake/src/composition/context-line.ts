import type { RecalledEvidence, RecalledMemory } from '../retrieval/recall-types.ts'
import { isMostlyUnspoken, onOneLine, tellName, zoneOffset } from '@keepsake/text'
import type { TextReadings } from './text-readings.ts'

const DAY_MS = 86_400_000
/** Days written lately, by their number since 1970: a context names few. */
const written = new Map<number, string>()
const MOST_WRITTEN = 4_096

function writeDay(day: number): string {
  const known = written.get(day)
  if (known !== undefined) return known
  const text = new Date(day * DAY_MS).toISOString().slice(0, 10)
  if (written.size >= MOST_WRITTEN) written.clear()
  written.set(day, text)
  return text
}

/** A day as people write it, by the clock of those who told of it. */
export function dayOf(at: number, evidence: readonly Pick<RecalledEvidence, 'timeZone'>[]): string {
  const timeZone = evidence.find((one) => one.timeZone !== null)?.timeZone ?? null
  return writeDay(Math.floor((at + zoneOffset(timeZone, at) * 60_000) / DAY_MS))
}

/** Text as data: on one line and in quotation marks, so that nothing in it reads as structure or instruction. */
export function quote(text: string): string {
  return JSON.stringify(onOneLine(text))
}

/** Who says a turn, by name where there is one. */
export function speakerOf({ speaker, role }: Pick<RecalledEvidence, 'speaker' | 'role'>): string {
  return speaker === null || /^[\s"<>]*$/.test(speaker) ? role : tellName(speaker)
}

/** Longer turns are looked at up to here. */
const MOST_CHARACTERS = 20_000

const isQuotingAll = (text: string): boolean => isMostlyUnspoken(text.slice(0, MOST_CHARACTERS))

/**
 * Who says a turn, and whether most of it is quoted or pasted: then it is not their word.
 *
 * @param readings what was read of these texts before
 */
export function voiceOf(
  turn: Pick<RecalledEvidence, 'speaker' | 'role' | 'text'>,
  readings?: TextReadings,
): string {
  const text = turn.text ?? ''
  const isQuoting =
    turn.role === 'user' && (readings?.read('unspoken', text, isQuotingAll) ?? isQuotingAll(text))
  return `${speakerOf(turn)}${isQuoting ? ' (quoting)' : ''}`
}

function utteranceLine(recalled: RecalledMemory): string {
  const turns = recalled.evidence
    .filter((evidence) => evidence.text !== null)
    .sort((one, other) => one.at - other.at)
  const said = turns.map((turn) => `${voiceOf(turn)}: ${quote(turn.text ?? '')}`)
  return `- [${dayOf(recalled.memory.validFrom, recalled.evidence)}] ${said.join(' / ')}`
}

/**
 * A statement with the time it holds from, and what was so before. Most ends are known by the day on which they were told: it was no
 * longer so then, which does not say that it was so up to then.
 */
export function statementLine({ memory, evidence }: RecalledMemory): string {
  const until =
    memory.validUntil === null ? '' : `, no longer current as of ${dayOf(memory.validUntil, evidence)}`
  const before = memory.past.map(
    (version) => `before ${dayOf(version.validUntil, evidence)}: ${quote(version.text)}`,
  )
  const past = before.length === 0 ? '' : ` (${before.join('; ')})`
  return `- [since ${dayOf(memory.validFrom, evidence)}${until}] ${quote(memory.text)}${past}`
}

/** One line of the context for a recalled memory, as it stands. */
export function contextLine(recalled: RecalledMemory): string {
  return recalled.memory.form === 'utterance' ? utteranceLine(recalled) : statementLine(recalled)
}
