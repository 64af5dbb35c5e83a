// Ranks memories by strength, selects those that a retention rule forgets, and explains why. All functions are pure.
import type { Memory } from '../../memories/memory.ts'
import type { Retention, Strength, ForgettingMoment, ForgettingPolicy } from './forgetting-policy.ts'

export interface SelectionInput {
  /** Live memories, in the order in which they were made. */
  readonly memories: readonly Memory[]
  readonly strengths: readonly Strength[]
  readonly retention: Retention
  /** Number of forgettable memories ever made in this scope, including forgotten ones; the base of a session-end share. */
  readonly made: number
  /** Ids of story units that no summary covers yet. They stay, and count towards the limits (paper MOOM, section 3.1). */
  readonly untold?: ReadonlySet<string>
}

/** A memory with its strength, and whether it stays. */
export interface Judged {
  readonly memory: Memory
  readonly strength: Strength
  readonly rank: number
  readonly kept: boolean
  /** Why it stays or is forgotten. */
  readonly because: 'strength' | 'pinned' | 'untold' | 'larger-than-capacity'
}

export interface Selection {
  /** Judged memories, strongest first. */
  readonly judged: readonly Judged[]
  /** The lowest strength that was kept; `null` if none was. */
  readonly cut: number | null
}

/**
 * Selects the memories that stay. Pinned memories and unsummarised story units always stay. The others stay by strength; of
 * equals the newer stays. At the end of a session the strongest round(keep × made) stay, at least one (LUFY, section 4.2).
 * Under a capacity the weakest are forgotten until the rest and the slack fit (MOOM, section 3.3). A memory that is longer
 * than the whole capacity is always forgotten.
 *
 * @example
 * selectForgotten({ memories, strengths, retention: { when: 'session-end', keep: 0.1 }, made: 131 })
 */
export function selectForgotten(input: SelectionInput): Selection {
  const ranked = rankMemories(input)
  const room = makeRoom(input.retention, input.made, ranked)
  const whyProtected = ({ id, pinned }: Memory) => {
    if (pinned) return 'pinned'
    return input.untold?.has(id) === true ? 'untold' : null
  }
  for (const { memory } of ranked) if (whyProtected(memory) !== null) room.add(memory)
  let cut: number | null = null
  let isFull = false
  const judged = ranked.map(({ memory, strength }, index): Judged => {
    const rank = index + 1
    const because = whyProtected(memory)
    if (because !== null) return { memory, strength, rank, kept: true, because }
    if (room.isTooLong(memory))
      return { memory, strength, rank, kept: false, because: 'larger-than-capacity' }
    isFull ||= !room.add(memory)
    if (!isFull) cut = strength.value
    return { memory, strength, rank, kept: !isFull, because: 'strength' }
  })
  return { judged, cut }
}

/** A memory with its strength and its place in the given order. */
interface RankedMemory {
  readonly memory: Memory
  readonly strength: Strength
  readonly order: number
}

function rankMemories({ memories, strengths }: SelectionInput): RankedMemory[] {
  if (memories.length !== strengths.length) {
    throw new RangeError(`${memories.length} memories but ${strengths.length} strengths`)
  }
  const ranked: RankedMemory[] = []
  for (const [order, memory] of memories.entries()) {
    const strength = strengths[order]
    if (strength !== undefined) ranked.push({ memory, strength, order })
  }
  return ranked.sort(
    (a, b) =>
      finite(b.strength.value) - finite(a.strength.value) ||
      b.memory.round - a.memory.round ||
      b.order - a.order,
  )
}

/** Clamps a strength to finite numbers, because NaN has no order. */
function finite(value: number): number {
  return Number.isNaN(value)
    ? -Number.MAX_VALUE
    : Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value))
}

/** The room that a retention leaves for memories. */
interface Room {
  isTooLong(memory: Memory): boolean
  /** Adds a memory. Returns `false` once the limits are exceeded. */
  add(memory: Memory): boolean
}

function makeRoom(retention: Retention, made: number, ranked: readonly RankedMemory[]): Room {
  const { places, characters } = readLimits(retention, made, ranked)
  let usedPlaces = 0
  let usedCharacters = 0
  return {
    isTooLong: (memory) => memory.text.length > characters,
    add: (memory) => {
      usedPlaces++
      usedCharacters += memory.text.length
      return usedPlaces <= places && usedCharacters <= characters
    },
  }
}

const NO_LIMITS = { places: Number.POSITIVE_INFINITY, characters: Number.POSITIVE_INFINITY }

function readLimits(retention: Retention, made: number, ranked: readonly RankedMemory[]): typeof NO_LIMITS {
  if (retention.when === 'never') return NO_LIMITS
  if (retention.when === 'session-end') {
    return { ...NO_LIMITS, places: Math.max(1, Math.round(retention.keep * made)) }
  }
  const { memories: places = NO_LIMITS.places, characters = NO_LIMITS.characters, slack = 0 } = retention
  const total = ranked.reduce((sum, { memory }) => sum + memory.text.length, 0)
  if (ranked.length <= places && total <= characters) return { places, characters }
  // Once over capacity, the slack is freed too.
  return { places: Math.floor(places * (1 - slack)), characters: characters * (1 - slack) }
}

interface ExplanationInput {
  readonly policy: ForgettingPolicy
  readonly retention: Retention
  readonly selection: Selection
  readonly judged: Judged
  readonly moment: ForgettingMoment
}

/** Explains why a memory was kept or forgotten: strength, rank, cut, and the formula with its parts. */
export function explainStrength({ policy, retention, selection, judged, moment }: ExplanationInput): string {
  return `${describeOutcome(retention, selection, judged, moment)} ${describeFormula(policy, judged)}`
}

function describeOutcome(
  retention: Retention,
  { judged: all, cut }: Selection,
  { kept, because, strength, rank }: Judged,
  moment: ForgettingMoment,
): string {
  if (because === 'pinned') return 'Kept: it is pinned.'
  if (because === 'untold') return 'Kept: no summary above it covers it yet.'
  if (because === 'larger-than-capacity') {
    return `Forgotten: it alone is longer than the whole capacity (${describeRetention(retention)}).`
  }
  if (retention.when === 'never') return 'Kept: nothing is forgotten here.'
  const outcome = kept ? 'Kept' : 'Forgotten'
  const when =
    retention.when === 'session-end' ? `after session ${moment.session}` : `in round ${moment.round}`
  const standing = `strength ${formatNumber(strength.value)} is ${formatOrdinal(rank)} of ${all.length}`
  const keptCount = all.filter((verdict) => verdict.kept).length
  const weakest = cut === null ? '' : `; the weakest kept by its strength has ${formatNumber(cut)}`
  return `${outcome} ${when}: ${standing}, and ${keptCount} ${keptCount === 1 ? 'is' : 'are'} kept (${describeRetention(retention)}${weakest}).`
}

function describeRetention(retention: Retention): string {
  if (retention.when === 'never') return 'everything'
  if (retention.when === 'session-end') return `${formatNumber(retention.keep * 100)} % of all made so far`
  const limits: string[] = []
  if (retention.memories !== undefined) limits.push(`at most ${retention.memories} memories`)
  if (retention.characters !== undefined) limits.push(`at most ${retention.characters} characters`)
  return limits.join(' and ') || 'no limit'
}

function describeFormula(policy: ForgettingPolicy, { strength }: Judged): string {
  const parts = Object.entries(strength.parts).map(([name, value]) => `${name} = ${formatNumber(value)}`)
  return `By ${policy.name}: ${policy.formula}${parts.length === 0 ? '' : `, with ${parts.join(', ')}`}.`
}

/** Formats a number with three significant digits, without trailing zeros. */
function formatNumber(value: number): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(3)))
}

function formatOrdinal(n: number): string {
  const teen = n % 100 > 10 && n % 100 < 14
  const ending = teen ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th')
  return `${n}${ending}`
}
