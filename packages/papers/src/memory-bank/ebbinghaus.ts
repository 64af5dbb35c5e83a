// The forgetting policy of the paper MemoryBank.
import { sessionsSinceTouched } from 'keepsake/preset'
import { retained } from '../lufy/strength.ts'
import type { ForgettingMoment, ForgettingPolicy, Strength } from 'keepsake/preset'
import type { Memory } from 'keepsake'

const DAY_MS = 86_400_000

export interface EbbinghausOptions {
  /** The unit of Δt, the time since the last recall. MemoryBank counts days (default), LUFY's comparison counts sessions. */
  readonly unit?: 'days' | 'sessions'
}

/**
 * MemoryBank's forgetting curve, exp(−Δt/S) (Zhong et al. 2024, section 3.3; LUFY, equation 1). Δt is the time since the last
 * recall. S starts at 1, and a recall adds 1. Memories that a recall retrieved second are only counted.
 *
 * @example
 * ebbinghaus({ unit: 'sessions' }).strengths(memories, { session: 3, round: 90, now })
 */
export function ebbinghaus({ unit = 'days' }: EbbinghausOptions = {}): ForgettingPolicy {
  return {
    name: 'ebbinghaus',
    formula: `exp(−Δt/S), Δt in ${unit} since last recalled or made, S = 1 + recalls`,
    strengths: (memories, moment) => memories.map((memory) => strengthOf(memory, moment, unit)),
  }
}

function strengthOf(memory: Memory, moment: ForgettingMoment, unit: 'days' | 'sessions'): Strength {
  const strength = 1 + Math.max(0, memory.use.first)
  const elapsed =
    unit === 'days'
      ? Math.max(0, moment.now - memory.use.lastAt) / DAY_MS
      : sessionsSinceTouched(memory, moment)
  return {
    value: retained(elapsed, strength),
    parts: { Δt: elapsed, S: strength, recalls: memory.use.first },
  }
}
