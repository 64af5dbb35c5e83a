import type { Memory } from '../memories/memory.ts'
import type { PersonaEntry, PersonaValue, SubjectSheet } from '../persona/persona-sheet.ts'
import type { ProfileLine, ProfileSlot } from '../persona/profile.ts'

/** Keys of the persona sheet that each line is made of, the most telling first. */
export const SLOT_KEYS: Readonly<Record<ProfileSlot, readonly string[]>> = {
  name: ['name', 'nickname', 'age', 'origin', 'nationality', 'identity', 'form-of-address'],
  health: ['allergies', 'health', 'health-state', 'diet'],
  home: ['residence', 'living-with'],
  work: ['occupation', 'employer', 'education', 'field-of-work'],
  family: ['partner', 'marital-status', 'children', 'pets', 'parents', 'siblings', 'relatives'],
  now: ['current-activity', 'plans', 'goals', 'mood'],
}

/** Values of a key that a line names; of what goes on now only the newest. */
const MOST_VALUES: Readonly<Record<ProfileSlot, number>> = {
  name: 1,
  health: 4,
  home: 1,
  work: 2,
  family: 4,
  now: 1,
}

/** Shown whole, a long value would crowd out the others. */
const LONGEST_VALUE = 60

const HAN = /\p{Script=Han}/u

function nameOf({ key }: PersonaEntry, isChinese: boolean): string {
  return (isChinese ? key.names.zh : key.names.en)[0] ?? key.id
}

function clipped(value: string): string {
  const plain = value.replace(/\s+/g, ' ').trim()
  return plain.length <= LONGEST_VALUE ? plain : `${plain.slice(0, LONGEST_VALUE).toWellFormed()}…`
}

function holdsNow({ isPast, validUntil, validFrom }: PersonaValue, now: number): boolean {
  return !isPast && validFrom <= now && (validUntil === null || validUntil > now)
}

/** Values that say the same once: “cousin Sílvia” is in “cousin Sílvia, a pharmacist”. */
function distinct(values: readonly PersonaValue[]): PersonaValue[] {
  const lower = values.map(({ value }) => value.toLowerCase())
  return values.filter(
    (_, place) =>
      !lower.some(
        (other, at) =>
          at !== place && other.includes(lower[place] ?? '') && (other !== lower[place] || at < place),
      ),
  )
}

/** The turns that memories rest on, each once, without the words quoted from them. */
export function turnsOnce(of: readonly Pick<Memory, 'evidence'>[]): { readonly turn: string }[] {
  const turns = new Set(of.flatMap(({ evidence }) => evidence.map(({ turn }) => turn)))
  return [...turns].map((turn) => ({ turn }))
}

/** The line of a slot from what the sheet says of the user; `null` when it says nothing. */
export function lineOfSheet(
  slot: ProfileSlot,
  sheet: SubjectSheet | undefined,
  now: number,
): ProfileLine | null {
  const entries = SLOT_KEYS[slot].flatMap((key) => sheet?.entries.find((entry) => entry.key.id === key) ?? [])
  const parts: string[] = []
  const used: PersonaValue[] = []
  for (const entry of entries) {
    const holding = distinct(entry.values.filter((value) => holdsNow(value, now))).slice(0, MOST_VALUES[slot])
    if (holding.length === 0) continue
    const isChinese = holding.some(({ value }) => HAN.test(value))
    parts.push(`${nameOf(entry, isChinese)}: ${holding.map(({ value }) => clipped(value)).join(', ')}`)
    used.push(...holding)
  }
  if (used.length === 0) return null
  return {
    slot,
    text: parts.join('; '),
    memories: used.map(({ memory }) => memory),
    evidence: turnsOnce(used),
    validFrom: Math.max(...used.map(({ validFrom }) => validFrom)),
    isQuoted: false,
  }
}

/** What goes on now, from the newest summary of a session, where the sheet does not tell it. */
export function lineOfSummary(
  summary: Memory | undefined,
  clip: (text: string) => string,
): ProfileLine | null {
  if (summary === undefined || summary.text.trim() === '') return null
  return {
    slot: 'now',
    text: clip(summary.text),
    memories: [summary.id],
    evidence: turnsOnce([summary]),
    validFrom: summary.validFrom,
    isQuoted: false,
  }
}
