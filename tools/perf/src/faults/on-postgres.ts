// Faults of a Postgres server, or of a process on it, while two processes remember turns of the same users.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Child } from '@keepsake/bench/parts'
import type { PostgresServer } from '@keepsake/postgres/testing'
import { finishTalkers, startTalker } from './talkers.ts'
import { findBroken, type Fault, type Outcome, type Trial, ledgerOf, readNotes } from './trial.ts'

const CUT_ALL_CONNECTIONS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'keepsake'`

/** A trial with a Postgres server, and two processes that remember turns of the same users on it. */
interface Scene extends Trial {
  readonly server: PostgresServer
  readonly talkers: readonly Child<number>[]
}

/** Makes the fault happen. @returns counts for the report: `{ kills: 2 }` */
type CauseFault = (scene: Scene) => Promise<Record<string, number>>

/** Returns why no Postgres server can be started, or `null` if one can. */
async function whyNoPostgres(): Promise<string | null> {
  const testing = await import('@keepsake/postgres/testing').catch(() => null)
  return testing === null ? 'the package @keepsake/postgres is not installed' : testing.whyNoServer()
}

async function tryOnServer(trial: Trial, causeFault: CauseFault): Promise<Outcome> {
  const [{ PostgresServer: Server }, { openPostgresStore }] = await Promise.all([
    import('@keepsake/postgres/testing'),
    import('@keepsake/postgres'),
  ])
  const notes = join(trial.folder, 'acknowledged.jsonl')
  const server = await Server.start()
  const connectionString = server.address()
  try {
    const request = { path: connectionString, notes, users: ['ana', 'ben'], rounds: 15 }
    const talkers = ['one', 'two'].map((name, index) =>
      startTalker({ ...request, name, seed: trial.seed + 7_919 * index }),
    )
    const tried = await causeFault({ ...trial, server, talkers })
    const ledger = ledgerOf(readNotes(notes))
    // The server may still be starting.
    const openStore = () => openPostgresStore({ connectionString, patienceMs: 30_000 })
    return { tried: { ...tried, acknowledged: ledger.size }, broken: await findBroken({ openStore, ledger }) }
  } finally {
    await server.stop()
  }
}

function onPostgres(name: string, about: string, causeFault: CauseFault): Fault {
  return { name, about, obstacle: whyNoPostgres, try: (trial) => tryOnServer(trial, causeFault) }
}

export const killPostgres = onPostgres(
  'kill-postgres',
  'The Postgres server is killed under two processes, and starts again.',
  async ({ server, talkers, draw }) => {
    const kills = draw.whole(1, 2)
    for (let kill = 0; kill < kills; kill += 1) {
      await sleep(draw.whole(300, 1_500))
      await server.kill()
      await sleep(draw.whole(0, 500))
      await server.begin()
    }
    await finishTalkers(talkers)
    return { kills }
  },
)

export const cutPostgres = onPostgres(
  'cut-postgres',
  'Connections to the Postgres server are cut under two processes.',
  async ({ server, talkers, draw }) => {
    const finished = finishTalkers(talkers).then(() => true)
    finished.catch(() => undefined)
    let cuts = 0
    let isFinished = false
    while (!isFinished) {
      isFinished = await Promise.race([finished, sleep(draw.whole(20, 400), false)])
      cuts += (await server.ask(CUT_ALL_CONNECTIONS)).length
    }
    return { cuts }
  },
)

export const killOnPostgres = onPostgres(
  'kill-on-postgres',
  'Of two processes that work on one Postgres server, one is killed.',
  async ({ talkers: [survivor, victim], draw }) => {
    await sleep(draw.whole(300, 2_500))
    await victim?.kill()
    if (survivor !== undefined) await finishTalkers([survivor])
    return { kills: 1 }
  },
)
