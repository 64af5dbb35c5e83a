// Defines the policy of facts under a capacity: a fact fades with the sessions in which it is not used.
import { flatMapInPieces } from '../../yield-to-event-loop.ts'
import type { Memory, MemoryType } from '../../memories/memory.ts'
import {
  sessionsSinceTouched,
  type ForgettingMoment,
  type ForgettingPolicy,
  type Strength,
} from './forgetting-policy.ts'

/** Default importance of a fact, on the scale 1 to 10: the middle, more for relationships, less for events. */
const UNJUDGED: Readonly<Record<MemoryType, number>> = { relationship: 6.5, persona: 5.5, event: 4.5 }
/** Reduction for facts about others than the speakers. */
const OF_OTHERS = 1
/** As in the default policy (keepsake.ts): per doubling of uses and of sessions untouched. A repetition counts as a use. */
const USE_WEIGHT = 0.3
const AGE_WEIGHT = 0.1
/** Share of the strength that an ended fact keeps. */
const ENDED_SHARE = 0.5
/** Minimum strength, so that halving never increases it. */
const FLOOR = 0.1

/**
 * Strength of facts under a capacity: S = (L + 0.3 log2(1 + uses + repetitions) − 0.1 log2(sessions since touched,
 * from 1)), half of it for ended facts. L is the importance judged by a model, or a default by type and subject.
 * Judges only facts that may be forgotten (facts/kept-facts.ts).
 */
export function fadingFacts(): ForgettingPolicy {
  return {
    name: 'facts',
    judges: 'facts',
    formula: `(L + ${USE_WEIGHT} log2(1 + uses + restated) − ${AGE_WEIGHT} log2(sessions since touched)) · ${ENDED_SHARE} if ended`,
    strengths: (facts, moment) => facts.map((fact) => strengthOf(fact, moment)),
    strengthsInPieces: (facts, moment) => flatMapInPieces(facts, (fact) => strengthOf(fact, moment)),
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
