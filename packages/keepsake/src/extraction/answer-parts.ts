// Converts the parts of a model's answer to those of a candidate: evidence, subject, times, key.
import { eachOnce, type Evidence, repairEvidence } from '../memories/evidence.ts'
import { findKey, normaliseText, readDate, type KeyTable, type PersonaKey } from '@keepsake/text'
import type { PromptLanguage } from '../prompts/prompt.ts'
import { named } from '../prompts/render-data.ts'
import { type Turn, subjectOfRole, whoSpeaks } from '../turns/turn.ts'
import { startsWithUserWord } from './grounding/find-unsupported.ts'

/** Converts the numbered evidence of an answer to turn ids, with quotes as the turns contain them. Skips unknown turns. */
export function evidenceOf(
  answered: readonly { readonly turn: number; readonly quote: string }[],
  turns: readonly Turn[],
): Evidence[] {
  const found = answered.flatMap(({ turn: number, quote }) => {
    const turn = turns[number - 1]
    return turn === undefined ? [] : [{ turn: turn.id, quote: quote.trim() === '' ? null : quote }]
  })
  return eachOnce(repairEvidence(found, turns))
}

/** Returns the latest turn of the evidence. Without evidence, returns the segment's last turn. */
export function latestTurn(evidence: readonly Evidence[], turns: readonly Turn[]): Turn | undefined {
  const ids = new Set(evidence.map((source) => source.turn))
  return turns.findLast((turn) => ids.has(turn.id)) ?? turns.at(-1)
}

const AGENT = /^(?:the )?(?:agent|assistant|ai)$|^(?:助手|助理|角色)$/

/** Returns the subject of a statement: a speaker's name, else `user` or `agent`. Names of other people stay as answered. */
export function subjectOf(answered: string, evidence: readonly Evidence[], turns: readonly Turn[]): string {
  const name = plainName(answered)
  if (name === '' || startsWithUserWord(name)) return speakerOf('user', evidence, turns)
  if (AGENT.test(name)) return speakerOf('assistant', evidence, turns)
  const speakers = [...new Set(turns.flatMap((turn) => turn.speaker ?? []))]
  const same = speakers.find((speaker) => plainName(speaker) === name)
  // “Ana” means the speaker “Ana Ruiz”, if no other speaker is called Ana.
  const longer = speakers.filter((speaker) => plainName(speaker).split(' ').includes(name))
  const [onlyLonger] = longer.length === 1 ? longer : []
  return same ?? onlyLonger ?? answered.trim()
}

/** Normalises a name, so that two ways of writing it are equal. */
function plainName(name: string): string {
  return normaliseText(named(name))
}

/** Returns the speaker of a role: of its last turn in the evidence, else of its last turn. */
function speakerOf(
  role: 'user' | 'assistant',
  evidence: readonly Evidence[],
  turns: readonly Turn[],
): string {
  const ids = new Set(evidence.map((source) => source.turn))
  const ofRole = turns.filter((turn) => turn.role === role)
  const turn = ofRole.findLast((turn) => ids.has(turn.id)) ?? ofRole.at(-1)
  return turn === undefined ? subjectOfRole(role) : whoSpeaks(turn)
}

/**
 * Reads the period in which a statement is valid, in the speaker's time zone. A start after the turn becomes the time of the
 * turn. The end is the end of the answered day or month, or the time of the turn if this lies in that day or month.
 */
export function timesOf(
  answered: { readonly when: string | null; readonly until: string | null },
  turn: Turn | undefined,
): { validFrom: number; validUntil: number | null } {
  const turnTime = turn?.at ?? 0
  const zone = turn?.timeZone ?? null
  const began = answered.when === null ? null : readDate(answered.when, zone)
  const ended = answered.until === null ? null : readDate(answered.until, zone)
  // A vague start that contains the turn, such as "this month", becomes the time of the turn.
  const isVague = began !== null && began.to - began.from > LONGEST_DAY_MS && turnTime < began.to
  const validFrom = began === null || began.from > turnTime || isVague ? turnTime : began.from
  if (ended === null) return { validFrom, validUntil: null }
  const validUntil = ended.from <= turnTime && turnTime < ended.to ? turnTime : ended.to
  // Without a start, only the end is known.
  return { validFrom: Math.min(validFrom, validUntil), validUntil }
}

/** The longest day has 25 hours, because clocks are set back. */
const LONGEST_DAY_MS = 25 * 3_600_000

/** Rounds an importance to a whole number from 1 to 10; `null` if it is no number. */
export function importanceOf(answered: number): number | null {
  return Number.isFinite(answered) ? Math.min(10, Math.max(1, Math.round(answered))) : null
}

/** Keys that only rules fill. A model states their days in the text, without a key. */
const KEYS_OF_RULES: ReadonlySet<string> = new Set(['whereabouts', 'anniversaries'])

/** Returns the names of keys for a prompt, in its language. */
export function keyNames(
  table: KeyTable,
  language: PromptLanguage,
  isShown: (key: PersonaKey) => boolean = () => true,
): string[] {
  return [...table.values()]
    .filter((key) => !KEYS_OF_RULES.has(key.id) && isShown(key))
    .map((key) => keyName(key, language))
}

/** Returns the first name of a key in a language; its id if it has none. */
export function keyName(key: PersonaKey, language: PromptLanguage): string {
  return key.names[language][0] ?? key.id
}

/** Returns the key and value of an answer. Both are `null` if the key is unknown or the value empty. */
export function keyAndValue(
  answered: { readonly key: string | null; readonly value: string | null },
  table: KeyTable,
): { key: string | null; value: string | null } {
  const key = answered.key === null ? undefined : findKey(table, answered.key)
  const value = answered.value?.trim() ?? ''
  return key === undefined || value === '' ? { key: null, value: null } : { key: key.id, value }
}
