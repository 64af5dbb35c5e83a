import type { Degree, IntegrityInput, Verdict } from '../judge.ts'
import { explain, quote } from './explain.ts'
import { bestHeld, holdTogether } from './hold-statement.ts'

/**
 * HaluMem's integrity (its figure 12): 2 when one memory, or several together, hold all of the gold memory, 1 for a part,
 * 0 for nothing or the reverse. Of memories that disagree the best counts, so another memory never lowers it.
 */
export function judgeIntegrity({ gold, memories }: IntegrityInput): Verdict<Degree> {
  const best = bestHeld(gold.text, memories)
  if (best === null) return { verdict: 0, reason: 'there are no memories' }
  const found = best.comparison === null ? 'is compared as it is written' : explain(best.comparison)
  const reason = `best memory ${quote(best.passage)} ${found}`
  if (best.degree < 2 && holdTogether(gold.text, memories))
    return { verdict: 2, reason: `several memories together hold it whole; ${reason}` }
  return { verdict: best.degree, reason }
}
