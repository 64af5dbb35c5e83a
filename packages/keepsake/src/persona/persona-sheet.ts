import type { Evidence } from '../memories/evidence.ts'
import { isOver, type GroundingLabel, type Memory } from '../memories/memory.ts'
import type { KeyTable, PersonaKey } from '@keepsake/text'

/** A value under a key of the persona sheet. */
export interface PersonaValue {
  readonly memory: string
  readonly value: string
  readonly text: string
  readonly label: GroundingLabel
  readonly validFrom: number
  /** From when it is no longer so; `null` without a known end. */
  readonly validUntil: number | null
  /** Milliseconds since it became so (MOOM's age of a trajectory value). */
  readonly ageMs: number
  /** Rounds since the statement (MOOM's age of a value); `null` for a past value, and if the current round is unknown. */
  readonly ageRounds: number | null
  readonly evidence: readonly Evidence[]
  /** Whether it is a former value that was replaced. */
  readonly isPast: boolean
}

/** A key with its values. */
export interface PersonaEntry {
  readonly key: PersonaKey
  /** Current values first, then those that are over; each newest first. */
  readonly values: readonly PersonaValue[]
}

/** The entries about one subject. */
export interface SubjectSheet {
  /** `user`, `agent` or a name. */
  readonly subject: string
  /** In the order of the key table, then keys that only a language model used. */
  readonly entries: readonly PersonaEntry[]
}

/** Keys and values by subject: the user first, the agent last. */
export interface PersonaSheet {
  readonly subjects: readonly SubjectSheet[]
}

/** The moment as of which a sheet is built. */
interface SheetMoment {
  readonly now: number
  readonly roundOf?: (scope: number) => number
}

/**
 * Builds the persona sheet from the live facts that have a key and a value.
 *
 * @param moment.now milliseconds since 1970
 * @param moment.roundOf the current round of a scope, for ages in rounds
 */
export function buildPersonaSheet(
  facts: readonly Memory[],
  table: KeyTable,
  moment: SheetMoment,
): PersonaSheet {
  const bySubject = new Map<string, Map<string, PersonaValue[]>>()
  for (const fact of facts) {
    if (fact.status !== 'live' || fact.form !== 'fact' || fact.key === null || fact.value === null) continue
    const keys = bySubject.get(fact.subject) ?? new Map<string, PersonaValue[]>()
    keys.set(fact.key, [...(keys.get(fact.key) ?? []), ...valuesOf(fact, moment)])
    bySubject.set(fact.subject, keys)
  }
  const subjects = [...bySubject]
    .map(([subject, keys]) => ({ subject, entries: entriesOf(keys, table, moment.now) }))
    .sort((a, b) => rank(a.subject) - rank(b.subject) || a.subject.localeCompare(b.subject, 'en'))
  return { subjects }
}

function valuesOf(fact: Memory, moment: SheetMoment): PersonaValue[] {
  const { id: memory, label } = fact
  const current = moment.roundOf?.(fact.scope)
  const ageRounds = current === undefined ? null : Math.max(0, current - fact.round)
  const age = (from: number): number => Math.max(0, moment.now - from)
  const { value, text, validFrom, validUntil, evidence } = fact
  const today = {
    memory,
    label,
    value: value ?? '',
    text,
    validFrom,
    validUntil,
    evidence,
    ageMs: age(validFrom),
    ageRounds,
    isPast: false,
  }
  const past = fact.past.map((version) => ({
    memory,
    label,
    value: version.value ?? version.text,
    text: version.text,
    validFrom: version.validFrom,
    validUntil: version.validUntil,
    evidence: version.evidence,
    ageMs: age(version.validFrom),
    ageRounds: null,
    isPast: true,
  }))
  return [today, ...past]
}

function entriesOf(keys: ReadonlyMap<string, PersonaValue[]>, table: KeyTable, now: number): PersonaEntry[] {
  const entries: PersonaEntry[] = []
  const invented = [...keys.keys()].filter((id) => !table.has(id)).map(inventedKey)
  for (const key of [...table.values(), ...invented]) {
    const values = keys.get(key.id)
    if (values === undefined) continue
    const overOf = (value: PersonaValue): number => (value.isPast || isOver(value, now) ? 1 : 0)
    entries.push({
      key,
      values: [...values].sort((a, b) => overOf(a) - overOf(b) || b.validFrom - a.validFrom),
    })
  }
  return entries
}

/** Makes a key that is in no table, with any number of values. */
function inventedKey(id: string): PersonaKey {
  const names = { en: [id], zh: [id] }
  return {
    id,
    names,
    type: 'persona',
    merge: 'append',
    opposite: null,
    contradicts: [],
    partOf: 'other',
    repeats: false,
    yearly: false,
  }
}

/** Returns the place of a subject: the user first, the agent last. */
function rank(subject: string): number {
  if (subject === 'user') return 0
  return subject === 'agent' ? 2 : 1
}
