import { isOver, type Memory } from '../memories/memory.ts'
import type { KeyTable } from '@keepsake/text'

/** The reason for which a fact is never forgotten. */
export type KeptBecause = 'pinned' | 'stated' | 'name' | 'health' | 'present'

/** Keys of health whose facts always stay, of every subject. */
const HEALTH: ReadonlySet<string> = new Set(['allergies', 'health', 'blood-type'])
/** Keys of health whose facts stay while they are current. */
const HEALTH_NOW: ReadonlySet<string> = new Set(['health-state', 'diet'])
const NAMES: ReadonlySet<string> = new Set(['name', 'nickname', 'form-of-address'])
/** The two speakers. There may be any number of other subjects, so their facts may be forgotten. */
const SPEAKERS: ReadonlySet<string> = new Set(['user', 'agent'])

/**
 * Returns why a fact is never forgotten: it is pinned, stated by the application, a speaker's name, about health, or the
 * current value of a speaker's single-value key. `null` if it may be forgotten.
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
