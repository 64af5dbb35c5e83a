import type { Memory } from '../memories/memory.ts'
import type { KeyTable } from '@keepsake/text'

/** Why a fact is never let go of for want of room; `null` where it may be. */
export type KeptBecause = 'pinned' | 'stated' | 'name' | 'health' | 'present'

/** Not to know these may do harm, however long ago they were told and whomever they are of: a child's allergy too. */
const HEALTH: ReadonlySet<string> = new Set(['allergies', 'health', 'blood-type'])
/** The same while they hold; one that is over is a cold of last year. */
const HEALTH_NOW: ReadonlySet<string> = new Set(['health-state', 'diet'])
/** What they are called who talk. */
const NAMES: ReadonlySet<string> = new Set(['name', 'nickname', 'form-of-address'])
/** Those who talk. Of others there may be any number. */
const TALKING: ReadonlySet<string> = new Set(['user', 'agent'])

/**
 * Why a fact stays however little room there is: somebody pinned it, the application stated it, it says what those who talk are
 * called, it tells of anybody's health, or it is what holds now under a key that has one value at a time (birthday, home, work), of
 * those who talk. All but the health that people tell of are few: one a key.
 *
 * @example
 * whyKept(fact, preset.keyTable) // 'health'
 */
export function whyKept(fact: Memory, table: KeyTable): KeptBecause | null {
  const { pinned, origin, key, subject, validUntil } = fact
  if (pinned) return 'pinned'
  if (origin.step === 'api') return 'stated'
  if (key === null) return null
  const holds = validUntil === null
  if (HEALTH.has(key) || (holds && HEALTH_NOW.has(key))) return 'health'
  if (!TALKING.has(subject)) return null
  if (holds && NAMES.has(key)) return 'name'
  const merge = table.get(key)?.merge
  return holds && (merge === 'replace' || merge === 'trajectory') ? 'present' : null
}
