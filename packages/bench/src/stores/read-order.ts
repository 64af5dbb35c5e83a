import type { Operation, Store } from 'keepsake'

const PEOPLE_A_PAGE = 500

/** What the logs say of how people's turns were read. */
export interface ReadOrder {
  /** Turns of which an utterance was kept more than once. */
  readonly doubled: number
  /** Utterances in the log after one that was said later. */
  readonly out_of_order: number
  /** Turns of which no utterance was kept. */
  readonly unread: number
}

/** Goes through everybody's log: had two processes read one person's turns at a time, it would tell of one twice, or of a later one first. */
export async function readOrder(store: Store): Promise<ReadOrder> {
  const sum = { doubled: 0, out_of_order: 0, unread: 0 }
  for (let after = 0; ;) {
    const page = await store.listScopes({ after, limit: PEOPLE_A_PAGE })
    for (const { owner, scope } of page) {
      const turns = await store.turns({ owner, scopes: [scope] })
      const positions = new Map(turns.map(({ id, position }) => [id, position]))
      const log = await store.operations({ owner, scopes: [scope], kinds: ['add'] })
      const found = orderOf(log, positions)
      sum.doubled += found.doubled
      sum.out_of_order += found.out_of_order
      sum.unread += found.unread
    }
    const last = page.at(-1)
    if (last === undefined) return sum
    after = last.scope
  }
}

/** @param positions of the turns of one scope, by id */
export function orderOf(
  log: readonly Pick<Operation, 'payload'>[],
  positions: ReadonlyMap<string, number>,
): ReadOrder {
  const kept = new Set<string>()
  let [doubled, out_of_order, last] = [0, 0, 0]
  for (const { payload } of log) {
    if (payload?.after.form !== 'utterance') continue
    const turns = (payload.after.evidence ?? []).map(({ turn }) => turn)
    for (const turn of new Set(turns)) {
      if (kept.has(turn)) doubled += 1
      kept.add(turn)
    }
    const first = Math.min(...turns.map((turn) => positions.get(turn) ?? Number.POSITIVE_INFINITY))
    if (first < last) out_of_order += 1
    last = Math.max(last, first)
  }
  return { doubled, out_of_order, unread: [...positions.keys()].filter((turn) => !kept.has(turn)).length }
}
