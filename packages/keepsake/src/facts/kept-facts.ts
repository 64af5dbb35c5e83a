import { isOver, type Memory } from '../memories/memory.ts'
import type { KeyTable } from '@keepsake/text'

/** Why a fact is exempt from forgetting. */
export type KeptBecause = 'pinned' | 'stated' | 'name' | 'health' | 'present'

/** Keys of health. Facts with them always stay, of every subject. */
const HEALTH: ReadonlySet<string> = new Set(['allergies', 'health', 'blood-type'])
/** Keys of health that stay while they are valid. */
const HEALTH_NOW: ReadonlySet<string> = new Set(['health-state', 'diet'])
const NAMES: ReadonlySet<string> = new Set(['name', 'nickname', 'form-of-address'])
/** The speakers; there may be any number of other subjects. */
const SPEAKERS: ReadonlySet<string> = new Set(['user', 'agent'])

/**
 * Returns why a fact always stays: pinned, stated by the application, a speaker's name, anyone's health, or the
 * current value of a single-value key of a speaker. `null` if it may be forgotten.
 *
 * @example
 * whyKept(fact, preset.keyTable, Date.now()) // 'health'
 */
export function whyKept(fact: Memory, table: KeyTable, now: number): KeptBecause | null {
  const { pinned, origin, key, subject } = fact
  if (pinned) return 'pinned'
  if (origin.step === 'api') return 'stated'
  if (key === null) return null
  const holds = !isOver(fact, now)
  if (HEALTH.has(key) || (holds && HEALTH_NOW.has(key))) return 'health'
  if (!SPEAKERS.has(subject)) return null
  if (holds && NAMES.has(key)) return 'name'
  const merge = table.get(key)?.merge
  return holds && (merge === 'replace' || merge === 'trajectory') ? 'present' : null
}
