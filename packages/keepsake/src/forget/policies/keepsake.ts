// Keepsake's own policy: importance and use make a memory strong, and stronger memories that say the same make it weak.
import { findTerms } from '@keepsake/text'
import type { Memory } from '../../memories/memory.ts'
import { discountRedundancy, finish, finishInPieces, type Competitor } from './discount-redundancy.ts'
import {
  type ForgettingMoment,
  type ForgettingPolicy,
  type Strength,
  sessionsSinceTouched,
} from './forgetting-policy.ts'

/** Importance of memories that were not rated, such as story units and imports: the middle of 1 to 10. */
const DEFAULT_IMPORTANCE = 5.5
/** Strength gained with each doubling of uses. From 0.2 to 0.5 the agreement with annotators is best, and F1 does not change. */
export const USE_WEIGHT = 0.3
/** Strength lost with each doubling of sessions without use. So a full store has room for new memories for years. */
export const AGE_WEIGHT = 0.1
/** Share of its strength that a fully redundant memory loses. From 0.3 to 0.8 results do not differ. */
const REDUNDANCY_WEIGHT = 0.5
/** Minimum strength, so that a discount never increases it. */
const MIN_STRENGTH = 0.1

/**
 * The default preset's policy: importance, use and novelty.
 *
 * S = (L + 0.3 log2(1 + uses) − 0.1 log2(sessions)) · (1 − ½ redundancy). `sessions` counts those since the memory was
 * recalled or made, from 1. `redundancy` is the greatest share of its words in one stronger memory. `L` is `signals.importance`, 1 to 10, from
 * a language model or the stand-in (importance/stand-in-importance.ts). Weights: docs/benchmarks/README.md.
 */
export function keepsakeForgetting(): ForgettingPolicy {
  return {
    name: 'keepsake',
    formula: `(L + ${USE_WEIGHT} log2(1 + uses) − ${AGE_WEIGHT} log2(sessions since touched)) · (1 − ${REDUNDANCY_WEIGHT} redundancy)`,
    strengths: (memories, moment) => finish(judge(memories, moment)),
    strengthsInPieces: (memories, moment) => finishInPieces(judge(memories, moment)),
  }
}

/** Number of memories between two steps, at which the caller may yield to the event loop. */
const MEMORIES_PER_STEP = 200

/** Computes each strength alone, and then discounts redundant memories. */
function* judge(memories: readonly Memory[], moment: ForgettingMoment): Generator<undefined, Strength[]> {
  const strengths = memories.map((memory) => strengthAlone(memory, moment))
  const order = orderByAge(memories)
  const competitors: Competitor[] = []
  for (const [count, { memory, place }] of order.entries()) {
    if (count % MEMORIES_PER_STEP === 0) yield
    competitors.push({
      alone: strengths[place]?.value ?? MIN_STRENGTH,
      terms: [...new Set(findTerms(memory.text))],
    })
  }
  const discounted = yield* discountRedundancy(competitors, REDUNDANCY_WEIGHT)
  for (const [i, { place }] of order.entries()) {
    const { value, redundancy } = discounted[i] ?? { value: MIN_STRENGTH, redundancy: 0 }
    strengths[place] = { value, parts: { ...strengths[place]?.parts, redundancy } }
  }
  return strengths
}

/** Computes the strength of a memory without regard to others. */
function strengthAlone(memory: Memory, moment: ForgettingMoment): Strength {
  const L = memory.signals.importance ?? DEFAULT_IMPORTANCE
  const uses = Math.max(0, memory.use.first)
  const sessions = Math.max(1, sessionsSinceTouched(memory, moment))
  return { value: strengthByUse(L, uses, sessions), parts: { L, uses, sessions } }
}

/** Returns L + 0.3 log2(1 + uses) − 0.1 log2(sessions), at least a small positive number. */
export function strengthByUse(L: number, uses: number, sessions: number): number {
  const value = L + USE_WEIGHT * Math.log2(1 + uses) - AGE_WEIGHT * Math.log2(sessions)
  return Number.isFinite(value) ? Math.max(MIN_STRENGTH, value) : MIN_STRENGTH
}

/** Returns memories with their places, oldest first, because the later of two equals is settled first. */
function orderByAge(memories: readonly Memory[]): { readonly memory: Memory; readonly place: number }[] {
  return memories
    .map((memory, place) => ({ memory, place }))
    .sort((a, b) => a.memory.round - b.memory.round || a.place - b.place)
}
