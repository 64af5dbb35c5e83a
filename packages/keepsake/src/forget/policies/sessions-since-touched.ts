import type { Memory } from '../../memories/memory.ts'
import type { ForgettingMoment } from './forgetting-policy.ts'

/**
 * Sessions since a memory was last recalled or made, from 0. Forgetting comes after the conversation, so what was
 * touched in the session that has just ended is one step old (LUFY, 3.4: annotated at t = 2, last used at t = 1);
 * were it 0, exp(−Δt/S) would be 1 for all of them and say nothing.
 */
export function sessionsSinceTouched(memory: Memory, moment: ForgettingMoment): number {
  const lag = moment.underWay === true ? 0 : 1
  return Math.max(0, moment.session - memory.use.lastSession) + lag
}
