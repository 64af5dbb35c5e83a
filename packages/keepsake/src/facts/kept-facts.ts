// Decides which facts are never forgotten.
import { isOver, type Memory } from '../memories/memory.ts'
import type { KeyTable } from '@keepsake/text'

/** The reason why a fact is never forgotten. */
export type KeptBecause = 'pinned' | 'stated' | 'name' | 'health' | 'present'

/** Keys of health whose facts are never forgotten, about any subject. */
const HEALTH: ReadonlySet<string> = new Set(['allergies', 'health', 'blood-type'])
/** Keys of health whose facts are not forgotten while they are current. */
const CURRENT_HEALTH: ReadonlySet<string> = new Set(['health-state', 'diet'])
const NAMES: ReadonlySet<string> = new Set(['name', 'nickname', 'form-of-address'])
/** The two speakers. There may be any number of other subjects, so their facts may be forgotten. */
const SPEAKERS: ReadonlySet<string> = new Set(['user', 'agent'])

/** Returns why a fact is never forgotten, or `null`: pinned, the application's, a name, health, a current single value. */
export function whyKept(fact: Memory, table: KeyTable, now: number): KeptBecause | null {
  const { pinned, origin, key, subject } = fact
  if (pinned) return 'pinned'
  if (origin.step === 'api') return 'stated'
  if (key === null) return null
  const isCurrent = !isOver(fact, now)
  if (HEALTH.has(key) || (isCurrent && CURRENT_HEALTH.has(key))) return 'health'
  if (!SPEAKERS.has(subject) || !isCurrent) return null
  if (NAMES.has(key)) return 'name'
  const merge = table.get(key)?.merge
  return merge === 'replace' || merge === 'trajectory' ? 'present' : null
}
