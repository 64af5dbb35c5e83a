// Builds the persona sheet: facts by subject and key.
import type { Evidence } from '../memories/evidence.ts'
import { isOver, type GroundingLabel, type Memory } from '../memories/memory.ts'
import type { KeyTable, PersonaKey } from '@keepsake/text'

export interface PersonaValue {
  readonly memory: string
  readonly value: string
  readonly text: string
  readonly label: GroundingLabel
  readonly validFrom: number
  /** End of the value; `null` without a known end. */
  readonly validUntil: number | null
  /** Milliseconds since the start of the value. The paper MOOM shows this age for values that change with time. */
  readonly ageMs: number
  /** Rounds since the statement: the age of other values in MOOM. `null` for past values and without a current round. */
  readonly ageRounds: number | null
  readonly evidence: readonly Evidence[]
  /** Whether it is a former value that was replaced. */
  readonly isPast: boolean
}

/** A key with its values. */
export interface PersonaEntry {
  readonly key: PersonaKey
  /** Current values, then former ones. Both are sorted by their start, newest first. */
  readonly values: readonly PersonaValue[]
}

export interface SubjectSheet {
  /** `user`, `agent` or a name. */
  readonly subject: string
  /** Entries in the order of the key table, then entries of keys that are in no table. */
  readonly entries: readonly PersonaEntry[]
}

/** Keys and values by subject: the user first, the agent last. */
export interface PersonaSheet {
  readonly subjects: readonly SubjectSheet[]
}

/** The time for which a sheet is built. */
interface SheetMoment {
  readonly now: number
  /** Returns the current round of a scope, from which ages in rounds are counted. */
  readonly roundOf?: (scope: number) => number
}

/** Builds the persona sheet from the live facts with key and value. */
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

/** Returns the current value of a fact, and its past ones after it. */
function valuesOf(fact: Memory, moment: SheetMoment): PersonaValue[] {
  const { id: memory, label } = fact
  const currentRound = moment.roundOf?.(fact.scope)
  const ageRounds = currentRound === undefined ? null : Math.max(0, currentRound - fact.round)
  const age = (from: number): number => Math.max(0, moment.now - from)
  const { value, text, validFrom, validUntil, evidence } = fact
  const current = {
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
  return [current, ...past]
}

/** Orders the keys of a subject, and the values of each key. */
function entriesOf(keys: ReadonlyMap<string, PersonaValue[]>, table: KeyTable, now: number): PersonaEntry[] {
  const entries: PersonaEntry[] = []
  const unknownKeys = [...keys.keys()].filter((id) => !table.has(id)).map(makeUnknownKey)
  for (const key of [...table.values(), ...unknownKeys]) {
    const values = keys.get(key.id)
    if (values === undefined) continue
    const isFormer = (value: PersonaValue): boolean => value.isPast || isOver(value, now)
    const byStart = values.toSorted((a, b) => b.validFrom - a.validFrom)
    const current = byStart.filter((value) => !isFormer(value))
    entries.push({ key, values: [...current, ...byStart.filter(isFormer)] })
  }
  return entries
}

/** Makes the definition of a key that is in no table. It may have any number of values. */
function makeUnknownKey(id: string): PersonaKey {
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
