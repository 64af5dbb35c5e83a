import { yieldToEventLoop } from '../../yield-to-event-loop.ts'
import type { Memory } from '../../memories/memory.ts'
import { findTerms } from '@keepsake/text'
import {
  discountInPieces,
  discountRedundancy,
  type Competitor,
  type Discounted,
} from './discount-redundancy.ts'
import {
  sessionsSinceTouched,
  type ForgettingMoment,
  type ForgettingPolicy,
  type Strength,
} from './forgetting-policy.ts'

/** What a memory without a judged importance (a story unit, an import) counts as: the middle of 1 to 10. */
const UNJUDGED_IMPORTANCE = 5.5
/**
 * Each doubling of uses is worth this much on the scale of importance. From 0 to 0.6 it moves F1 by less than
 * noise; agreement with people is best from 0.2 to 0.5.
 */
const USE_WEIGHT = 0.3
/**
 * Each doubling of sessions untouched costs this much. Makes no difference over four sessions; it is there so that
 * a store kept at one size for years does not fill up with its strongest memories and take nothing new.
 */
const AGE_WEIGHT = 0.1
/** Share of its strength a memory loses whose every word a stronger one holds. Flat from 0.3 to 0.8 when measured. */
const REDUNDANCY_WEIGHT = 0.5
/** Strength stays above this, so that losing a share of it never makes a memory stronger. */
const FLOOR = 0.1

/**
 * The default preset's policy: what was judged important when it was made, what is used, and what no stronger
 * memory says too.
 *
 * S = (L + 0.3 log2(1 + uses) − 0.1 log2(sessions since touched, from 1)) · (1 − ½ redundancy), with redundancy the
 * greatest share of its words held by one stronger memory (discount-redundancy.ts). L is
 * `signals.importance`, 1 to 10, from a language model or the stand-in (importance/stand-in-importance.ts).
 * How the weights came about and what was dropped: docs/benchmarks/README.md.
 */
export function keepsakeForgetting(): ForgettingPolicy {
  return {
    name: 'keepsake',
    formula: `(L + ${USE_WEIGHT} log2(1 + uses) − ${AGE_WEIGHT} log2(sessions since touched)) · (1 − ${REDUNDANCY_WEIGHT} redundancy)`,
    strengths: (memories, moment) => {
      const judging = new Judging(memories, moment)
      return judging.discounted(discountRedundancy(judging.competitors(), REDUNDANCY_WEIGHT))
    },
    strengthsInPieces: async (memories, moment) => {
      const judging = new Judging(memories, moment)
      for (let start = 0; start < memories.length; start += READ_AT_A_TIME) {
        judging.read(start, start + READ_AT_A_TIME)
        await yieldToEventLoop()
      }
      return judging.discounted(await discountInPieces(judging.competitors(), REDUNDANCY_WEIGHT))
    },
  }
}

/** Texts whose terms are read between two looks at the event loop. */
const READ_AT_A_TIME = 200

/** Memories on their way to their strengths: each by itself, then with what stronger ones say too taken off. */
class Judging {
  readonly #memories: readonly Memory[]
  readonly #alone: readonly Strength[]
  /** Places, oldest first. */
  readonly #order: readonly number[]
  readonly #terms: (readonly string[])[] = []

  constructor(memories: readonly Memory[], moment: ForgettingMoment) {
    this.#memories = memories
    this.#alone = memories.map((memory) => strengthAlone(memory, moment))
    this.#order = orderByAge(memories)
  }

  /** Reads the terms of those from one place to before another. */
  read(from: number, to: number): void {
    for (let place = from; place < Math.min(to, this.#memories.length); place += 1)
      this.#terms[place] ??= readTerms(this.#memories[place])
  }

  /** Oldest first. */
  competitors(): Competitor[] {
    this.read(0, this.#memories.length)
    return this.#order.map((place) => ({
      alone: this.#alone[place]?.value ?? FLOOR,
      terms: this.#terms[place] ?? [],
    }))
  }

  /** @param found in the order of the competitors */
  discounted(found: readonly Discounted[]): Strength[] {
    const strengths = this.#alone.slice()
    for (const [i, place] of this.#order.entries()) {
      const { value, redundancy } = found[i] ?? { value: FLOOR, redundancy: 0 }
      strengths[place] = { value, parts: { ...this.#alone[place]?.parts, redundancy } }
    }
    return strengths
  }
}

function strengthAlone(memory: Memory, moment: ForgettingMoment): Strength {
  const L = memory.signals.importance ?? UNJUDGED_IMPORTANCE
  const uses = Math.max(0, memory.use.first)
  const sessions = Math.max(1, sessionsSinceTouched(memory, moment))
  const value = L + USE_WEIGHT * Math.log2(1 + uses) - AGE_WEIGHT * Math.log2(sessions)
  return { value: Number.isFinite(value) ? Math.max(FLOOR, value) : FLOOR, parts: { L, uses, sessions } }
}

/** Places in `memories`, oldest first: of equals the newer is to be settled first, as in select-forgotten.ts. */
function orderByAge(memories: readonly Memory[]): number[] {
  return memories
    .map((memory, place) => ({ place, round: memory.round }))
    .sort((a, b) => a.round - b.round || a.place - b.place)
    .map(({ place }) => place)
}

function readTerms(memory: Memory | undefined): readonly string[] {
  return memory === undefined ? [] : [...new Set(findTerms(memory.text))]
}
