import { yieldToEventLoop } from '../../yield-to-event-loop.ts'
import type { Memory, MemoryType } from '../../memories/memory.ts'
import {
  sessionsSinceTouched,
  type ForgettingMoment,
  type ForgettingPolicy,
  type Strength,
} from './forgetting-policy.ts'

/**
 * What a fact counts as that nobody judged, on the scale of importance, 1 to 10: the middle of it, one more for whom somebody has
 * to do with, one less for what happened once.
 */
const UNJUDGED: Readonly<Record<MemoryType, number>> = { relationship: 6.5, persona: 5.5, event: 4.5 }
/** What is told of somebody else counts so much less than what is told of those who talk. */
const OF_OTHERS = 1
/** As in the default policy (keepsake.ts): each doubling of uses, and of sessions untouched. To be told again is a use. */
const USE_WEIGHT = 0.3
const AGE_WEIGHT = 0.1
/** A fact that ended keeps this share: the past goes before what holds, unless it mattered twice as much. */
const ENDED_SHARE = 0.5
/** Strength stays above this, so that half of it is never more. */
const FLOOR = 0.1
/** Facts between two looks at the event loop. */
const JUDGED_AT_A_TIME = 2_000

/**
 * How strongly facts hold where a capacity has no room for all of them: S = (L + 0.3 log2(1 + uses + times told again) −
 * 0.1 log2(sessions since touched, from 1)), half of it for what ended. L is the importance a model judged; without one, the
 * middle of the scale, more for relationships, less for events and for what is told of others. No text is compared: what says the
 * same was merged when it was told.
 *
 * It judges facts alone, but for those that stay whatever room there is (facts/kept-facts.ts).
 */
export function fadingFacts(): ForgettingPolicy {
  return {
    name: 'facts',
    judges: 'facts',
    formula: `(L + ${USE_WEIGHT} log2(1 + uses + told again) − ${AGE_WEIGHT} log2(sessions since touched)) · ${ENDED_SHARE} if ended`,
    strengths: (facts, moment) => facts.map((fact) => strengthOf(fact, moment)),
    strengthsInPieces: async (facts, moment) => {
      const strengths: Strength[] = []
      for (const [at, fact] of facts.entries()) {
        strengths.push(strengthOf(fact, moment))
        if (at % JUDGED_AT_A_TIME === 0) await yieldToEventLoop()
      }
      return strengths
    },
  }
}

function strengthOf(fact: Memory, moment: ForgettingMoment): Strength {
  const isOfOthers = fact.subject !== 'user' && fact.subject !== 'agent'
  const L = fact.signals.importance ?? UNJUDGED[fact.type] - (isOfOthers ? OF_OTHERS : 0)
  const uses = Math.max(0, fact.use.first)
  const again = Math.max(0, new Set(fact.evidence.map(({ turn }) => turn)).size - 1)
  const sessions = Math.max(1, sessionsSinceTouched(fact, moment))
  const ended = fact.validUntil !== null && fact.validUntil <= moment.now ? 1 : 0
  const whole = Math.max(
    FLOOR,
    L + USE_WEIGHT * Math.log2(1 + uses + again) - AGE_WEIGHT * Math.log2(sessions),
  )
  return { value: whole * (ended === 1 ? ENDED_SHARE : 1), parts: { L, uses, again, sessions, ended } }
}
