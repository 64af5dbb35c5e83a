import { InvalidInputError } from '@keepsake/text'
import type { Round } from '../turns/rounds.ts'

/** A unit of the story that is already made. Forgotten and deleted ones count too: they were packed once. */
export interface StoryUnit {
  readonly ref: string
  /** 1 for a raw unit of rounds, 2 and up for summaries. */
  readonly level: number
}

/** A unit to make. `units` of a level above 1 name those below, made before or in the same answer. */
export type UnitPlan =
  | { readonly ref: string; readonly level: 1; readonly rounds: readonly Round[] }
  | { readonly ref: string; readonly level: number; readonly units: readonly string[] }

export interface Packing {
  /** In order of creation: the parts of a summary come before it. */
  readonly plans: readonly UnitPlan[]
  /** Rounds too few for a unit. Hand them in again with those that follow. */
  readonly waiting: readonly Round[]
}

/** MOOM's θ₁, θ₂, θ₃ (section 3.1): six rounds a unit, five units a summary, five summaries one above. */
export const MOOM_THRESHOLDS: readonly number[] = [6, 5, 5]

/**
 * Packs rounds into MOOM's hierarchy (equations 1 and 2): every θ₁ rounds make a unit of level 1, every θₘ units
 * of level m−1 one of level m. Incremental: a unit made is never made again, and each call plans only what the new
 * rounds complete.
 *
 * @param existing all units made so far, of each level in the order they were made, whatever became of them
 * @param rounds those not in a unit yet, in order
 * @param thresholds one a level, whole numbers from 1; as many levels as there are thresholds
 * @throws InvalidInputError when there is no threshold or one is not a whole number from 1
 *
 * @example
 * packUnits([], thirtyRounds, [6, 5, 5]).plans.map((plan) => plan.level) // [1, 1, 1, 1, 1, 2]
 */
export function packUnits(
  existing: readonly StoryUnit[],
  rounds: readonly Round[],
  thresholds: readonly number[],
): Packing {
  checkThresholds(thresholds)
  const [first = 1, ...above] = thresholds
  const plans: UnitPlan[] = []
  const newRef = (): string => `new:${plans.length}`
  const { segments, waiting } = segmentRounds(rounds, first)
  for (const segment of segments) plans.push({ ref: newRef(), level: 1, rounds: segment })
  packAbove(existing, plans, above)
  return { plans, waiting }
}

/** Plans nodes above level 1 when level 1 was made elsewhere. */
export function packLevels(existing: readonly StoryUnit[], thresholds: readonly number[]): UnitPlan[] {
  checkThresholds(thresholds)
  const plans: UnitPlan[] = []
  packAbove(existing, plans, thresholds.slice(1))
  return plans
}

/** Adds to the plans what piles up on them and on what there is. */
function packAbove(existing: readonly StoryUnit[], plans: UnitPlan[], above: readonly number[]): void {
  for (const [index, threshold] of above.entries()) {
    const level = index + 2
    const below = [...refsOf(existing, level - 1), ...refsOf(plans, level - 1)]
    let used = refsOf(existing, level).length * threshold
    for (; used + threshold <= below.length; used += threshold)
      plans.push({ ref: `new:${plans.length}`, level, units: below.slice(used, used + threshold) })
  }
}

function refsOf(units: readonly StoryUnit[], level: number): string[] {
  return units.filter((unit) => unit.level === level).map((unit) => unit.ref)
}

function checkThresholds(thresholds: readonly number[]): void {
  if (thresholds.length > 0 && thresholds.every((threshold) => Number.isInteger(threshold) && threshold >= 1))
    return
  throw new InvalidInputError(
    `A story's thresholds are whole numbers from 1, one a level; not [${thresholds.join(', ')}].`,
  )
}

export interface RoundSegments {
  readonly segments: readonly (readonly Round[])[]
  /** Rounds that do not fill a segment yet. */
  readonly waiting: readonly Round[]
}

/**
 * Cuts rounds into runs of `every` (MOOM's θ₁, equation 1; its persona snapshot works every 10 rounds).
 *
 * @param every rounds a segment, a whole number from 1
 * @param options.flush makes the rest a shorter segment, at the end of a session
 * @throws InvalidInputError when `every` is not a whole number from 1
 */
export function segmentRounds(
  rounds: readonly Round[],
  every: number,
  options: { flush?: boolean } = {},
): RoundSegments {
  if (!Number.isInteger(every) || every < 1)
    throw new InvalidInputError(`A segment holds a whole number of rounds from 1, not ${every}.`)
  const segments: (readonly Round[])[] = []
  let start = 0
  for (; start + every <= rounds.length; start += every) segments.push(rounds.slice(start, start + every))
  const rest = rounds.slice(start)
  if (options.flush === true && rest.length > 0) return { segments: [...segments, rest], waiting: [] }
  return { segments, waiting: rest }
}
