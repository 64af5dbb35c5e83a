import { InvalidInputError } from '@keepsake/text'
import type { Round } from './rounds.ts'

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
