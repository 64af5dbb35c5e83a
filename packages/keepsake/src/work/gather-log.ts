import type { Operation, Tally, Touched } from '../memories/operation.ts'
import { joinTallies, tallyOf } from '../memories/tally.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import type { Engine } from './engine.ts'

/** Entries of recalls that stay as they are, the latest of a scope: what happened lately is seen one by one. */
const KEPT = 32
/** How often a scope is written to between two looks. */
const LOOK_EVERY = 32

/**
 * Keeps the log from growing by a memory's use: of what recalls did long ago, one entry stands for many that gives the same
 * strengths. Entries are gathered with those of their size, so that one that stands for years is seldom written again.
 */
export class LogGathering {
  readonly #engine: () => Engine
  /**
   * How often each scope was written to since it was last looked at. Where that begins is drawn: a process that ends soon looks at its
   * share of what it wrote to, and one that begins does not look at everybody at once.
   */
  readonly #writes = new Map<number, number>()
  readonly #random: () => number

  constructor(engine: () => Engine, random = Math.random) {
    this.#engine = engine
    this.#random = random
  }

  /** Takes note that an entry was written, with the person's lock held. */
  async after(row: ScopeRow): Promise<void> {
    const writes = (this.#writes.get(row.scope) ?? Math.floor(this.#random() * LOOK_EVERY)) + 1
    this.#writes.set(row.scope, writes % LOOK_EVERY)
    if (writes >= LOOK_EVERY) await gatherLog(this.#engine(), row)
  }
}

/** Gathers what is to be gathered of a scope's log. @returns how many entries it has fewer. */
export async function gatherLog({ store, newId }: Engine, row: ScopeRow): Promise<number> {
  if (store.gatherOperations === undefined) return 0
  const { owner, scope } = row
  const all = await store.operations({ owner, scopes: [scope], kinds: ['reinforce'] })
  const several = chooseGathered(all)
  const last = several.at(-1)
  if (last === undefined || several.length < 2) return 0
  const { sequence: _place, ...moment } = last
  const by = { ...moment, id: newId(), touched: together(several) }
  const isDone = await store.gatherOperations({ owner, scope, operations: several.map(({ id }) => id), by })
  return isDone ? several.length - 1 : 0
}

/**
 * Which entries one is to stand for: those before the latest, from the newest back, until one comes that says far more than all of
 * these. What was undone, or undoes, stays, since each names the other.
 */
export function chooseGathered(all: readonly Operation[]): Operation[] {
  if (all.length <= KEPT + LOOK_EVERY) return []
  const undone = new Set(all.flatMap(({ undoes }) => undoes ?? []))
  const old = all.slice(0, -KEPT)
  const chosen: Operation[] = []
  let memories = 0
  for (const one of old.toReversed()) {
    if (one.undoes !== null || one.parent !== null || undone.has(one.id)) break
    if (chosen.length > 1 && one.touched.length > 2 * memories) break
    memories += one.touched.length
    chosen.unshift(one)
  }
  return chosen
}

function together(several: readonly Operation[]): Touched[] {
  const tallies = new Map<string, Tally>()
  for (const operation of several)
    for (const touched of operation.touched) {
      const before = tallies.get(touched.memory)
      const tally = tallyOf(touched, operation)
      tallies.set(touched.memory, before === undefined ? tally : joinTallies(before, tally))
    }
  return [...tallies].map(([memory, tally]) => ({
    memory,
    rank: tally.first > 0 ? 'first' : 'second',
    tally,
  }))
}
