import { whyKept } from '../facts/kept-facts.ts'
import { followedBy } from '../facts/followed-facts.ts'
import type { FactFollower, StandingFacts } from '../facts/standing-facts.ts'
import type { PlacedFact } from '../facts/placed-fact.ts'
import type { Memory } from '../memories/memory.ts'
import type { KeyTable } from '@keepsake/text'
import type { Preset } from '../presets/preset.ts'
import type { UserState } from '../user-state/user-state.ts'
import { fadingFacts } from './policies/fading-facts.ts'
import type { ForgettingPolicy, Retention } from './policies/forgetting-policy.ts'

export type Capacity = Extract<Retention, { when: 'capacity' }>

/** Who judges facts where a capacity bounds them. */
export const FACT_POLICY = fadingFacts()

/**
 * The room that facts have under a retention; `null` where they all stay, or where the preset's policy judges them with all else.
 *
 * @example
 * roomForFacts(keepsake(), { when: 'capacity', memories: 5_000 }) // { when: 'capacity', memories: 5_000, slack: 0 }
 */
export function roomForFacts({ boundsFacts, exempt }: Preset, retention: Retention): Capacity | null {
  if (retention.when !== 'capacity' || !exempt.includes('fact')) return null
  if (retention.facts === undefined && boundsFacts !== true) return null
  return capacityOfFacts(retention)
}

function capacityOfFacts({ facts, slack = 0, ...rest }: Capacity): Capacity | null {
  if (facts === 'all') return null
  return facts === undefined ? { ...rest, slack } : { when: 'capacity', memories: facts, slack }
}

/** A retention as a policy that was asked for by name judges by it. */
export function retentionFor({ judges }: ForgettingPolicy, retention: Retention): Retention {
  if (judges !== 'facts' || retention.when !== 'capacity') return retention
  return capacityOfFacts(retention) ?? { when: 'never' }
}

/** Under which policy, and with how much room, the preset keeps a memory: facts by their own where a capacity bounds them. */
export function keepingOf(
  { form }: Pick<Memory, 'form'>,
  preset: Preset,
): { readonly policy: ForgettingPolicy; readonly retention: Retention } {
  const room = form === 'fact' ? roomForFacts(preset, preset.retention) : null
  return room === null
    ? { policy: preset.policy, retention: preset.retention }
    : { policy: FACT_POLICY, retention: room }
}

/** Whether the facts of a scope that may go have room; what that costs does not grow with their number. */
export function factsHaveRoom(
  state: UserState,
  scope: number,
  { room, table }: { readonly room: Capacity; readonly table: KeyTable },
): boolean {
  const { memories = Number.POSITIVE_INFINITY, characters = Number.POSITIVE_INFINITY } = room
  const live = state.liveCount(scope, 'fact')
  if (live.memories <= memories && live.characters <= characters) return true
  const fading = fadingOf(table)(state.facts(scope))
  return fading.count <= memories && fading.characters <= characters
}

/** How many of the live facts may go. */
class FadingCount implements FactFollower {
  count = 0
  characters = 0
  readonly #table: KeyTable

  constructor(table: KeyTable) {
    this.#table = table
  }

  readonly take = (placed: PlacedFact): void => this.#add(placed, 1)
  readonly drop = (placed: PlacedFact): void => this.#add(placed, -1)

  #add({ fact }: PlacedFact, by: 1 | -1): void {
    if (whyKept(fact, this.#table) !== null) return
    this.count += by
    this.characters += by * fact.text.length
  }
}

const known = new WeakMap<KeyTable, (facts: StandingFacts) => FadingCount>()

function fadingOf(table: KeyTable): (facts: StandingFacts) => FadingCount {
  const counts = known.get(table) ?? followedBy(() => new FadingCount(table))
  known.set(table, counts)
  return counts
}
