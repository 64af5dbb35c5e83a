import type { Degree, IntegrityInput, Verdict } from '../judge.ts'
import { explain, quote } from './explain.ts'
import { bestHeld, holdTogether } from './hold-statement.ts'
import { withoutUser } from './without-user.ts'

/**
 * HaluMem's integrity (its figure 12): 2 when one memory, or several together, hold all of the gold memory, 1 for a part,
 * 0 for nothing or the reverse. Of memories that disagree the best counts, so another memory never lowers it.
 */
export function judgeIntegrity({ expected, memories: left, user }: IntegrityInput): Verdict<Degree> {
  const wanted = withoutUser(expected, user)
  const memories = left.map((memory) => withoutUser(memory, user))
  const best = bestHeld(wanted, memories)
  if (best === null) return { verdict: 0, reason: 'there are no memories' }
  const reason = `best memory ${quote(best.passage)} ${explain(best.comparison)}`
  if (best.degree < 2 && holdTogether(wanted, memories))
    return { verdict: 2, reason: `several memories together hold it whole; ${reason}` }
  return { verdict: best.degree, reason }
}
