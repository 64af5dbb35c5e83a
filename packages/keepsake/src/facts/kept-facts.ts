// Decides which facts are never forgotten.
import { isOver, type Memory } from '../memories/memory.ts'
import type { KeyTable } from '@keepsake/text'

/** The reason why a fact is never forgotten. `stated`: the application stated it. `present`: it is the current value of a single-value key. */
export type KeptBecause = 'pinned' | 'stated' | 'name' | 'health' | 'present'

/** Keys of health whose facts are never forgotten, about any subject. */
const HEALTH: ReadonlySet<string> = new Set(['allergies', 'health', 'blood-type'])
/** Keys of health whose facts are not forgotten while they are current. */
const CURRENT_HEALTH: ReadonlySet<string> = new Set(['health-state', 'diet'])
const NAMES: ReadonlySet<string> = new Set(['name', 'nickname', 'form-of-address'])
/** The two speakers. There may be any number of other subjects, so their facts may be forgotten. */
const SPEAKERS: ReadonlySet<string> = new Set(['user', 'agent'])

/** Returns why a fact is never forgotten; `null` if it may be. */
export function whyKept(fact: Memory, table: KeyTable, now: number): KeptBecause | null {
  const { pinned, origin, key, subject } = fact
  if (pinned) return 'pinned'
  if (origin.step === 'api') return 'stated'
  if (key === null) return null
  const isCurrent = !isOver(fact, now)
  if (HEALTH.has(key) || (isCurrent && CURRENT_HEALTH.has(key))) return 'health'
  if (!SPEAKERS.has(subject) || !isCurrent) return null
  if (NAMES.has(key)) return 'name'
  // Under keys of these merge classes a subject has one current value.
  const merge = table.get(key)?.merge
  return merge === 'replace' || merge === 'trajectory' ? 'present' : null
}
