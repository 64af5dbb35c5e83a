import type { ScopeRow } from '../scopes/scope.ts'
import type { Turn } from '../turns/turn.ts'
import type { Engine } from './engine.ts'

/** Of each scope, more than what surprise is read against, so that a turn that comes is read with no look at the store. */
const MOST = 128
/** As many as surprise is read against. */
const LOOKED_BACK = 96
/** Characters of a turn beyond which it is not kept at hand: a long one is seldom read twice. */
const LONGEST = 8_000

/** Bytes of a turn with its words on the heap; measured roughly, for the budget. */
export const TURN_BYTES = 800

/**
 * The latest turns of a scope, as they were stored or read: all that still have their text, of positions that follow on each other. What was
 * said does not change, and what was erased makes the person's cache, and this with it, another.
 */
export class RecentTurns {
  #turns: Turn[] = []
  /** They are those of positions above this one, */
  #from = 0
  /** up to this one. */
  #to = 0

  /** How many there are. */
  get size(): number {
    return this.#turns.length
  }

  /** Those of positions above one and up to another; `undefined` where not all of these positions are known. */
  between(from: number, to: number): readonly Turn[] | undefined {
    if (this.#to === 0 || from < this.#from || to > this.#to) return undefined
    return this.#turns.filter(({ position }) => position > from && position <= to)
  }

  /** Takes in what is known of positions above one and up to another. */
  take(from: number, to: number, turns: readonly Turn[]): void {
    const isApart = this.#to === 0 || from > this.#to || to < this.#from
    // What came before a gap is not worth what came after it.
    if (isApart && to < this.#to) return
    const known = isApart ? [] : this.#turns
    const before = known.filter(({ position }) => position <= from)
    const after = known.filter(({ position }) => position > to)
    this.#turns = [...before, ...turns, ...after]
    this.#from = isApart ? from : Math.min(this.#from, from)
    this.#to = isApart ? to : Math.max(this.#to, to)
    this.#trim()
  }

  #trim(): void {
    const tooLong = this.#turns.findLast(({ text }) => text.length > LONGEST)?.position ?? 0
    this.#from = Math.max(this.#from, this.#to - MOST, tooLong)
    if ((this.#turns[0]?.position ?? Number.POSITIVE_INFINITY) > this.#from) return
    this.#turns = this.#turns.filter(({ position }) => position > this.#from)
  }
}

/** Which positions of a scope: above one and up to another. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** The turns of a span that still have their text, in order: those at hand, or as the store has them. */
export async function turnsBetween(
  { caches, store }: Pick<Engine, 'caches' | 'store'>,
  { owner, scope }: ScopeRow,
  { from, to }: Span,
): Promise<readonly Turn[]> {
  if (to <= from) return []
  const recent = caches.recent(owner, scope)
  const known = recent?.between(from, to)
  if (known !== undefined) return known
  // Of a store that is a way away what stands before is brought along where nothing is at hand: it is asked for next.
  const isFar = store.isRemote === true && recent?.size === 0
  const afterPosition = isFar ? Math.max(0, from - LOOKED_BACK) : from
  const turns = await store.turns({
    owner,
    scopes: [scope],
    afterPosition,
    beforePosition: to + 1,
    limit: to - afterPosition,
  })
  recent?.take(afterPosition, to, turns)
  return isFar ? turns.filter(({ position }) => position > from) : turns
}
