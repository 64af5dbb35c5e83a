// Implements Keepsake's own policy: importance and use give strength, and redundancy with stronger memories takes it.
import { findTerms } from '@keepsake/text'
import type { Memory } from '../../memories/memory.ts'
import { yieldToEventLoop } from '../../yield-to-event-loop.ts'
import {
  type ForgettingMoment,
  type ForgettingPolicy,
  type Strength,
  sessionsSinceTouched,
} from './forgetting-policy.ts'

/** Number of the rarest terms that are looked up. Similar texts share them; common terms would take quadratic time. */
const PROBED_TERMS = 8
/** Texts per term, the strongest first. */
const HOLDERS = 32
/** Texts compared in full: those with the most of the rarest terms. */
const EXAMINED = 4

export interface Competitor {
  readonly alone: number
  readonly terms: readonly string[]
}

export interface DiscountedStrength {
  readonly value: number
  /** The greatest share of its terms in one text that stays stronger, 0 to 1. */
  readonly redundancy: number
}

/**
 * Discounts each strength by how much of the text a stronger one contains: value = alone · (1 − weight · redundancy).
 * Settles the strongest first (maximal marginal relevance, Carbonell and Goldstein 1998). A value only falls, so it
 * is recomputed only when its turn comes: ten thousand texts take some 50 ms.
 *
 * @param competitors of equals, the later is settled first
 * @param weight the share that a wholly redundant text loses, 0 to 1
 * @returns in the order given
 * @example
 * discountRedundancy([{ alone: 5, terms: ['cat'] }, { alone: 6, terms: ['cat', 'milo'] }], 0.5)
 * // [{ value: 2.5, redundancy: 1 }, { value: 6, redundancy: 0 }]
 */
export function discountRedundancy(competitors: readonly Competitor[], weight: number): DiscountedStrength[] {
  return finish(settleInTurn(competitors, weight))
}

function finish<Result>(steps: Generator<undefined, Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

async function finishInPieces<Result>(steps: Generator<undefined, Result>): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
    await yieldToEventLoop()
  }
}

const SETTLED_AT_A_TIME = 256

function* settleInTurn(
  competitors: readonly Competitor[],
  weight: number,
): Generator<undefined, DiscountedStrength[]> {
  const settled = new SettledTexts(competitors)
  yield
  const results: DiscountedStrength[] = competitors.map(({ alone }) => ({ value: alone, redundancy: 0 }))
  const waiting = competitors.map((_, i) => i).sort((a, b) => compare(results, a, b))
  for (let index = waiting.pop(), steps = 1; index !== undefined; index = waiting.pop(), steps += 1) {
    if (steps % SETTLED_AT_A_TIME === 0) yield
    const alone = competitors[index]?.alone ?? 0
    const redundancy = settled.greatestShare(index)
    results[index] = { value: alone * (1 - weight * redundancy), redundancy }
    const next = waiting.at(-1)
    if (next !== undefined && compare(results, index, next) < 0)
      waiting.splice(findPlace(waiting, results, index), 0, index)
    else settled.add(index)
  }
  return results
}

function compare(results: readonly DiscountedStrength[], a: number, b: number): number {
  return (results[a]?.value ?? 0) - (results[b]?.value ?? 0) || a - b
}

function findPlace(
  waiting: readonly number[],
  results: readonly DiscountedStrength[],
  index: number,
): number {
  let low = 0
  let high = waiting.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (compare(results, waiting[middle] ?? 0, index) < 0) low = middle + 1
    else high = middle
  }
  return low
}

const NONE: readonly number[] = []

/** The settled texts by their numbered terms. */
class SettledTexts {
  readonly #terms: readonly (readonly number[])[]
  /** How many texts hold each term. */
  readonly #counts: number[] = []
  readonly #holders: number[][] = []
  /** Scratch arrays: the current text by term, and the number of its probes by text. */
  readonly #marks: Int32Array
  readonly #hits: Uint8Array

  constructor(competitors: readonly Competitor[]) {
    const numbers = new Map<string, number>()
    this.#terms = competitors.map(({ terms }) =>
      terms.map((term) => {
        const number = numbers.get(term) ?? numbers.size
        numbers.set(term, number)
        this.#counts[number] = (this.#counts[number] ?? 0) + 1
        return number
      }),
    )
    this.#marks = new Int32Array(numbers.size).fill(-1)
    this.#hits = new Uint8Array(competitors.length)
  }

  add(index: number): void {
    for (const term of this.#terms[index] ?? NONE) {
      const holders = this.#holders[term]
      if (holders === undefined) this.#holders[term] = [index]
      else if (holders.length < HOLDERS) holders.push(index)
    }
  }

  /** Returns the greatest share of a text's terms in one settled text. */
  greatestShare(index: number): number {
    const terms = this.#terms[index] ?? NONE
    if (terms.length === 0) return 0
    for (const term of terms) this.#marks[term] = index
    let greatest = 0
    for (const otherIndex of this.#likeliest(terms)) {
      let shared = 0
      for (const term of this.#terms[otherIndex] ?? NONE) if (this.#marks[term] === index) shared += 1
      greatest = Math.max(greatest, shared)
    }
    return greatest / terms.length
  }

  /** Returns its rarest terms that another text has. */
  #probesOf(terms: readonly number[]): number[] {
    const countOf = (term: number): number => this.#counts[term] ?? 0
    return terms
      .filter((term) => countOf(term) > 1)
      .sort((a, b) => countOf(a) - countOf(b))
      .slice(0, PROBED_TERMS)
  }

  /** Returns the settled texts with the most probes; ties in order found. */
  #likeliest(terms: readonly number[]): number[] {
    const found: number[] = []
    let most = 0
    for (const probe of this.#probesOf(terms)) {
      for (const holder of this.#holders[probe] ?? NONE) {
        const hits = (this.#hits[holder] ?? 0) + 1
        this.#hits[holder] = hits
        if (hits === 1) found.push(holder)
        most = Math.max(most, hits)
      }
    }
    const likeliest: number[] = []
    for (let hits = most; hits > 0 && likeliest.length < EXAMINED; hits -= 1)
      for (const holder of found) {
        if (this.#hits[holder] === hits) likeliest.push(holder)
        if (likeliest.length === EXAMINED) break
      }
    for (const holder of found) this.#hits[holder] = 0
    return likeliest
  }
}

/** Default importance (a story unit, an import): the middle of 1 to 10. */
const UNJUDGED_IMPORTANCE = 5.5
/**
 * Weight of each doubling of uses. From 0 to 0.6 it moves F1 by less than noise; agreement with annotators is best
 * from 0.2 to 0.5.
 */
const USE_WEIGHT = 0.3
/** Cost of each doubling of sessions untouched, so that a full store can take new memories over years. */
const AGE_WEIGHT = 0.1
/** Share of strength that a wholly redundant memory loses. Flat from 0.3 to 0.8 when measured. */
const REDUNDANCY_WEIGHT = 0.5
/** Minimum strength, so that a discount never increases it. */
const FLOOR = 0.1

/**
 * The default preset's policy: importance, use and novelty.
 *
 * S = (L + 0.3 log2(1 + uses) − 0.1 log2(sessions since touched, from 1)) · (1 − ½ redundancy), with redundancy the
 * greatest share of its words in one stronger memory. L is `signals.importance`, 1 to 10, from a language model or
 * the stand-in (importance/stand-in-importance.ts). Weights: docs/benchmarks/README.md.
 */
export function keepsakeForgetting(): ForgettingPolicy {
  return {
    name: 'keepsake',
    formula: `(L + ${USE_WEIGHT} log2(1 + uses) − ${AGE_WEIGHT} log2(sessions since touched)) · (1 − ${REDUNDANCY_WEIGHT} redundancy)`,
    strengths: (memories, moment) => finish(judge(memories, moment)),
    strengthsInPieces: (memories, moment) => finishInPieces(judge(memories, moment)),
  }
}

const READ_AT_A_TIME = 200

/** Computes strengths: each alone, then discounted, oldest first. */
function* judge(memories: readonly Memory[], moment: ForgettingMoment): Generator<undefined, Strength[]> {
  const strengths = memories.map((memory) => strengthAlone(memory, moment))
  const order = orderByAge(memories)
  const competitors: Competitor[] = []
  for (const [read, { memory, place }] of order.entries()) {
    if (read % READ_AT_A_TIME === 0) yield
    competitors.push({ alone: strengths[place]?.value ?? FLOOR, terms: [...new Set(findTerms(memory.text))] })
  }
  const discounted = yield* settleInTurn(competitors, REDUNDANCY_WEIGHT)
  for (const [i, { place }] of order.entries()) {
    const { value, redundancy } = discounted[i] ?? { value: FLOOR, redundancy: 0 }
    strengths[place] = { value, parts: { ...strengths[place]?.parts, redundancy } }
  }
  return strengths
}

function strengthAlone(memory: Memory, moment: ForgettingMoment): Strength {
  const L = memory.signals.importance ?? UNJUDGED_IMPORTANCE
  const uses = Math.max(0, memory.use.first)
  const sessions = Math.max(1, sessionsSinceTouched(memory, moment))
  const value = L + USE_WEIGHT * Math.log2(1 + uses) - AGE_WEIGHT * Math.log2(sessions)
  return { value: Number.isFinite(value) ? Math.max(FLOOR, value) : FLOOR, parts: { L, uses, sessions } }
}

/** Returns memories with their places, oldest first, so that of equals the newer is settled first. */
function orderByAge(memories: readonly Memory[]): { readonly memory: Memory; readonly place: number }[] {
  return memories
    .map((memory, place) => ({ memory, place }))
    .sort((a, b) => a.memory.round - b.memory.round || a.place - b.place)
}
