import type { Memory, MemoryForm } from '../../memories/memory.ts'
import type { Retention, Strength } from './forgetting-policy.ts'

export interface SelectionInput {
  /** Live memories, in the order in which they were made. */
  readonly memories: readonly Memory[]
  /** The policy's strengths of the same, in the same order. */
  readonly strengths: readonly Strength[]
  readonly retention: Retention
  /**
   * How many memories of the forms that can be forgotten were ever made in this scope, gone ones included: what
   * a session-end share is a share of.
   */
  readonly made: number
  /** Forms that are never forgotten and take no room (LUFY's profile: facts). */
  readonly exempt?: readonly MemoryForm[]
  /** Ids of units of plot that no unit above tells of yet: they stay and take room, whatever their strength (MOOM 3.1). */
  readonly untold?: ReadonlySet<string>
}

/** A memory the policy had to judge, and what came out. */
export interface Judged {
  readonly memory: Memory
  readonly strength: Strength
  /** Place by strength among the judged, from 1. */
  readonly rank: number
  readonly kept: boolean
  /** Why it was not left to its strength. */
  readonly because: 'strength' | 'pinned' | 'untold' | 'larger-than-capacity'
}

export interface Selection {
  /** The judged, strongest first. Exempt forms are not among them. */
  readonly judged: readonly Judged[]
  /** The strength of the weakest that stayed by its strength; `null` when none did. */
  readonly cut: number | null
}

/**
 * Which memories stay and which go under a retention. Pinned ones and untold units of plot stay and take room; the rest stand by strength,
 * and of equals the newer. Session end: the strongest round(keep × made) stay, at least one (LUFY, 4.2). Capacity:
 * the weakest go until the rest fits (MOOM, 3.3), and the slack's share more; a memory longer than the whole
 * capacity can never fit and goes first, or it would take all others with it. Time O(n log n).
 *
 * @example
 * selectForgotten({ memories, strengths, retention: { when: 'session-end', keep: 0.1 }, made: 131 })
 */
export function selectForgotten(input: SelectionInput): Selection {
  const ranked = rank(input)
  const fits = startFitting(input.retention, input.made, ranked)
  const standing = ({ id, pinned }: Memory) =>
    pinned ? 'pinned' : input.untold?.has(id) === true ? 'untold' : null
  for (const { memory } of ranked) if (standing(memory) !== null) fits.take(memory)
  let cut: number | null = null
  let full = false
  const judged = ranked.map(({ memory, strength }, place): Judged => {
    const rank = place + 1
    const because = standing(memory)
    if (because !== null) return { memory, strength, rank, kept: true, because }
    if (fits.never(memory)) return { memory, strength, rank, kept: false, because: 'larger-than-capacity' }
    full ||= !fits.take(memory)
    if (!full) cut = strength.value
    return { memory, strength, rank, kept: !full, because: 'strength' }
  })
  return { judged, cut }
}

/** A memory with its strength, before it is known whether it stays. */
interface Contender {
  readonly memory: Memory
  readonly strength: Strength
  readonly order: number
}

function rank({ memories, strengths, exempt = [] }: SelectionInput): Contender[] {
  if (memories.length !== strengths.length) {
    throw new RangeError(`${memories.length} memories but ${strengths.length} strengths`)
  }
  const contenders: Contender[] = []
  for (const [order, memory] of memories.entries()) {
    const strength = strengths[order]
    if (strength !== undefined && !exempt.includes(memory.form)) contenders.push({ memory, strength, order })
  }
  return contenders.sort(
    (a, b) =>
      comparable(b.strength.value) - comparable(a.strength.value) ||
      b.memory.round - a.memory.round ||
      b.order - a.order,
  )
}

/** A strength that is no number would make the order depend on the sort's whims. */
function comparable(value: number): number {
  return Number.isNaN(value)
    ? -Number.MAX_VALUE
    : Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value))
}

interface Room {
  /** Whether it can never fit, however much goes. */
  never(memory: Memory): boolean
  /** Takes its room; false when there is none left. */
  take(memory: Memory): boolean
}

function startFitting(retention: Retention, made: number, contenders: readonly Contender[]): Room {
  const { places, characters } = readLimits(retention, made, contenders)
  let usedPlaces = 0
  let usedCharacters = 0
  return {
    never: (memory) => memory.text.length > characters,
    take: (memory) => {
      usedPlaces++
      usedCharacters += memory.text.length
      return usedPlaces <= places && usedCharacters <= characters
    },
  }
}

interface Limits {
  readonly places: number
  readonly characters: number
}

const NO_LIMITS: Limits = { places: Number.POSITIVE_INFINITY, characters: Number.POSITIVE_INFINITY }

function readLimits(retention: Retention, made: number, contenders: readonly Contender[]): Limits {
  if (retention.when === 'never') return NO_LIMITS
  if (retention.when === 'session-end') {
    return { ...NO_LIMITS, places: Math.max(1, Math.round(retention.keep * made)) }
  }
  const { memories: places = NO_LIMITS.places, characters = NO_LIMITS.characters, slack = 0 } = retention
  const held = contenders.reduce((sum, { memory }) => sum + memory.text.length, 0)
  if (contenders.length <= places && held <= characters) return { places, characters }
  return { places: Math.floor(places * (1 - slack)), characters: characters * (1 - slack) }
}
