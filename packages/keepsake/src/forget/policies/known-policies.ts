// The table of all policies by name, the policy of facts, and baseline policies.
import { hash } from 'node:crypto'
import { isOver, type Memory, type MemoryType } from '../../memories/memory.ts'
import { flatMapInPieces } from '../../yield-to-event-loop.ts'
import {
  type ForgettingPolicy,
  sessionsSinceTouched,
  type ForgettingMoment,
  type SignalModelIds,
  type Strength,
} from './forgetting-policy.ts'
import { AGE_WEIGHT, keepsakeForgetting, strengthByUse, USE_WEIGHT } from './keepsake.ts'

/** Forgetting policies by name. */
export type PolicyTable = ReadonlyMap<string, ForgettingPolicy>

/** Makes the table of the engine's policies and the given ones. A policy may adapt its formula to the models that measure signals. */
export function policyTable(given: readonly ForgettingPolicy[], models: SignalModelIds): PolicyTable {
  const policies = [keepsakeForgetting(), firstInFirstOut(), fadingFacts(), ...given]
  return new Map(policies.map((policy) => [policy.name, policy.forModels?.(models) ?? policy]))
}

/** Random forgetting, as a baseline. A memory's number depends only on the seed and its id. */
export function randomForgetting(seed: number): ForgettingPolicy {
  return {
    name: 'random',
    formula: `a number in [0, 1) drawn from seed ${seed} and the memory's id`,
    strengths: (memories) => memories.map(({ id }) => ({ value: numberOf(seed, id), parts: {} })),
  }
}

/** Returns a number in [0, 1), from the first 48 bits of a hash. */
function numberOf(seed: number, id: string): number {
  return Number.parseInt(hash('sha1', `${seed}:${id}`).slice(0, 12), 16) / 2 ** 48
}

/** Gives all memories the same strength. Of equals, `selectForgotten` keeps the newer, so that under a capacity the newest stay. */
export function noForgetting(): ForgettingPolicy {
  return {
    name: 'none',
    formula: '1',
    strengths: (memories) => memories.map(() => ({ value: 1, parts: {} })),
  }
}

/** Forgets the oldest first. Strength is the round of creation. */
export function firstInFirstOut(): ForgettingPolicy {
  return {
    name: 'first-in-first-out',
    formula: 'the round in which it was made',
    strengths: (memories) =>
      memories.map(({ round }) => ({ value: Number.isFinite(round) ? round : 0, parts: { round } })),
  }
}

/** Importance of facts that were not rated, from 1 to 10: the middle, more for relationships, less for events. */
const DEFAULT_IMPORTANCE: Readonly<Record<MemoryType, number>> = {
  relationship: 6.5,
  persona: 5.5,
  event: 4.5,
}
/** Reduction of the default importance for facts about others than the user and the agent. */
const REDUCTION_FOR_OTHERS = 1
/** Share of the strength that a fact keeps after its end. */
const ENDED_SHARE = 0.5

/**
 * The policy of facts. `L` is the importance, `uses` the recalls among the first results, `restated` the further turns that state the fact,
 * and `sessions` the sessions since it was recalled or made.
 */
export function fadingFacts(): ForgettingPolicy {
  return {
    name: 'facts',
    judges: 'facts',
    formula: `(L + ${USE_WEIGHT} log2(1 + uses + restated) − ${AGE_WEIGHT} log2(sessions)) · ${ENDED_SHARE} if ended`,
    strengths: (facts, moment) => facts.map((fact) => strengthOfFact(fact, moment)),
    strengthsInPieces: (facts, moment) => flatMapInPieces(facts, (fact) => strengthOfFact(fact, moment)),
  }
}

function strengthOfFact(fact: Memory, moment: ForgettingMoment): Strength {
  const isOfOthers = fact.subject !== 'user' && fact.subject !== 'agent'
  const defaultImportance = DEFAULT_IMPORTANCE[fact.type] - (isOfOthers ? REDUCTION_FOR_OTHERS : 0)
  const L = fact.signals.importance ?? defaultImportance
  const uses = Math.max(0, fact.use.first)
  const evidenceTurns = new Set(fact.evidence.map(({ turn }) => turn))
  // A fact with evidence in three turns was restated twice.
  const restated = Math.max(0, evidenceTurns.size - 1)
  const sessions = Math.max(1, sessionsSinceTouched(fact, moment))
  const ended = isOver(fact, moment.now) ? 1 : 0
  const value = strengthByUse(L, uses + restated, sessions) * (ended === 1 ? ENDED_SHARE : 1)
  return { value, parts: { L, uses, restated, sessions, ended } }
}
