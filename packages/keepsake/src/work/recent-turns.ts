import type { Turn } from '../turns/turn.ts'

/** As much of a scope's latest talk is kept: what a pass over its newest rounds looks at, the history that surprise is read against among it. */
const MOST_TURNS = 100
const MOST_CHARACTERS = 16_384

/** A stretch of a scope's turns: all that stand behind a position and up to another. */
interface Stretch {
  readonly after: number
  readonly upTo: number
  readonly turns: readonly Turn[]
}

/**
 * The latest turns of a person's scopes with their words, as they came in or were last read: whoever works on what was just said need not
 * ask a server for it. Goes with the cache that it belongs to, and so with everything that is erased.
 */
export class RecentTurns {
  readonly #stretches = new Map<number, Stretch>()
  #size = 0

  /** Turns that are kept. */
  get size(): number {
    return this.#size
  }

  /** Takes in a stretch: behind the one that is kept where it goes on from there, in its place otherwise. */
  put(scope: number, stretch: Stretch): void {
    const known = this.#stretches.get(scope)
    const isNext = known?.upTo === stretch.after
    const whole = isNext
      ? { ...stretch, after: known.after, turns: [...known.turns, ...stretch.turns] }
      : stretch
    const kept = shortened(whole)
    this.#stretches.set(scope, kept)
    this.#size += kept.turns.length - (known?.turns.length ?? 0)
  }

  /** Turns behind a position, so many at most. @param upTo the last there is; `undefined` where not all up to there are at hand */
  read(scope: number, after: number, upTo: number, limit: number): readonly Turn[] | undefined {
    const known = this.#stretches.get(scope)
    if (known === undefined || known.after > after || known.upTo < upTo) return undefined
    return known.turns.filter(({ position }) => position > after).slice(0, limit)
  }
}

function shortened({ after, upTo, turns }: Stretch): Stretch {
  let first = turns.length
  for (let characters = 0; first > 0 && turns.length - first < MOST_TURNS; first -= 1) {
    characters += turns[first - 1]?.text.length ?? 0
    if (characters > MOST_CHARACTERS) break
  }
  if (first === 0) return { after, upTo, turns }
  return { after: turns[first - 1]?.position ?? after, upTo, turns: turns.slice(first) }
}
