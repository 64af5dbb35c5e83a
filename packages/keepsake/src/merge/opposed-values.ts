import { compareToFact, type FactLookup } from '../facts/fact-lookup.ts'
import type { GroundedExtraction } from '../extraction/grounding/grounded-extraction.ts'
import { isOver, type Memory } from '../memories/memory.ts'
import { compareValues, opposedKeys, readValue, type KeyTable } from '@keepsake/text'
import type { ScopeView } from '../work/scope-view.ts'
import { knownFacts } from './merge-facts.ts'

type FactValue = Pick<Memory, 'subject' | 'key' | 'value' | 'validFrom' | 'validUntil'>

/** Maximum number of values under one key that are compared by meaning: the newest. */
const MOST_HELD = 256

/** Collects values of new statements and their opposed values, to be compared by an embedder before merging. Mostly empty. */
export function opposedValues(view: ScopeView, { candidates }: GroundedExtraction): readonly string[] {
  const { keyTable } = view.engine.preset
  const fresh = candidates.flatMap(({ candidate, reason }) => (reason === null ? [candidate] : []))
  const opposing = fresh.filter(({ key }) => againstKey(keyTable, key).size > 0)
  if (opposing.length === 0) return []
  const held = { known: knownFacts(view), opposing }
  return [...new Set(opposing.flatMap((candidate) => valuesMeeting(candidate, held, keyTable)))]
}

function againstKey(table: KeyTable, id: string | null): ReadonlySet<string> {
  const key = id === null ? undefined : table.get(id)
  return key === undefined ? new Set() : opposedKeys(table, key)
}

/** Returns a value with those it may contradict; equal values need no embedder. */
function valuesMeeting(
  { subject, key, value, validFrom: at }: FactValue,
  { known, opposing }: { readonly known: FactLookup<Memory>; readonly opposing: readonly FactValue[] },
  table: KeyTable,
): string[] {
  const against = againstKey(table, key)
  if (value === null) return []
  const read = readValue(value)
  const others = [...against].flatMap((opposed) => {
    const active = known.ofKey(subject, opposed).filter((fact) => !isOver(fact, at))
    const different = active.slice(-MOST_HELD).filter((fact) => compareToFact(read, fact) !== 'same')
    return different.flatMap((fact) => fact.value ?? [])
  })
  const beside = opposing.flatMap((other) => {
    const meets = other.subject === subject && !isOver(other, at) && against.has(other.key ?? '')
    return meets && other.value !== null && compareValues(value, other.value) !== 'same' ? [other.value] : []
  })
  const all = [...others, ...beside]
  return all.length === 0 ? [] : [value, ...all]
}
