import { setTimeout as sleep } from 'node:timers/promises'
import type { Figure } from '../log/figure.ts'
import { Child } from '../processes/child.ts'
import { plainFigures } from '../results/plain-figures.ts'
import { readOrder } from './read-order.ts'
import { SHARE_CHILD, type Held, type Shared, type ShareRequest } from './share-work-child.ts'

export interface WorkLoad {
  readonly address: string
  readonly scopes: number
  readonly rounds: number
}

/** How many processes talk, and how many only work. */
export interface Crew {
  readonly servers: number
  readonly workers: number
}

/**
 * People talk with servers of one database, and whoever is free reads what was said. Counted from the first call until no work is
 * left; then each turn has to be there once, no two processes may have had one person's work at a time, and each person's log has to
 * tell of their turns once each, in the order in which they were said.
 */
export async function shareWork(load: WorkLoad, crew: Crew): Promise<Figure[]> {
  const { dropSchema, openPostgresStore } = await import('@keepsake/postgres')
  const place = { connectionString: load.address, schema: `bench_work_${process.pid}` }
  await dropSchema(place)
  const store = await openPostgresStore(place)
  try {
    const children = startCrew(load, crew, place.schema)
    await Promise.all(children.map((child) => child.started))
    const started = performance.now()
    await Promise.all(children.slice(0, crew.servers).map((child) => child.ask('talk')))
    const remember_ms = performance.now() - started
    while ((await store.jobs()).length > 0) await sleep(50)
    const all_ms = performance.now() - started
    const shared = await Promise.all(children.map(async (child) => (await child.ask('stop')) as Shared))
    await Promise.all(children.map((child) => child.release()))
    const held = shared.flatMap((one) => one.held)
    const turns = load.scopes * load.rounds * 2
    const values = {
      turns_per_second: turns / (all_ms / 1_000),
      remember_ms,
      all_ms,
      cpu_ms_a_turn: shared.reduce((sum, { cpu_ms }) => sum + cpu_ms, 0) / turns,
      claims: held.length,
      interleaved: countOverlaps(held),
      processes_at_work: shared.filter((one) => one.held.length > 0).length,
      lost: turns - (await store.stats()).turns,
      ...(await readOrder(store)),
    }
    return plainFigures('stores', `crew:${crew.servers} servers, ${crew.workers} workers`, values)
  } finally {
    await store.close()
    await dropSchema(place)
  }
}

function startCrew({ address, scopes, rounds }: WorkLoad, crew: Crew, schema: string): Child[] {
  const users = Array.from({ length: scopes }, (_, index) => `person ${index}`)
  return Array.from({ length: crew.servers + crew.workers }, (_, process) => {
    const own = process < crew.servers ? users.filter((_user, index) => index % crew.servers === process) : []
    return new Child(SHARE_CHILD, { address, schema, users: own, rounds } satisfies ShareRequest)
  })
}

/** How often somebody's work began before another process had given it back. */
export function countOverlaps(held: readonly Held[]): number {
  const byOwner = Map.groupBy(held, ({ owner }) => owner)
  let overlaps = 0
  for (const each of byOwner.values()) {
    const inOrder = each.toSorted((one, other) => one.from - other.from)
    for (const [index, one] of inOrder.entries())
      if (index > 0 && one.from < (inOrder[index - 1]?.to ?? 0)) overlaps += 1
  }
  return overlaps
}
