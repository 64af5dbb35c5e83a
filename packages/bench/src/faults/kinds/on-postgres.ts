import { join } from 'node:path'
import type { PostgresServer } from '@keepsake/postgres/testing'
import { Child } from '../../processes/child.ts'
import type { Fault, Outcome, Trial } from '../fault.ts'
import { findBroken } from '../find-broken.ts'
import { POSTGRES_TALKER, type PostgresTalkRequest } from './postgres-talker.ts'
import { readNotes } from './talker.ts'

const ROUNDS = 15

/** Two processes that talk to the same people on one server of Postgres, while something goes wrong. */
export interface Scene extends Trial {
  readonly server: PostgresServer
  readonly talkers: readonly Child<number>[]
}

/** A fault on Postgres: what is done to the scene, and how it is counted. */
export function onPostgres(
  told: Pick<Fault, 'name' | 'about'>,
  harm: (scene: Scene) => Promise<Record<string, number>>,
): Fault {
  return { ...told, lacks, try: (trial) => tryOnServer(trial, harm) }
}

async function lacks(): Promise<string | null> {
  const testing = await import('@keepsake/postgres/testing').catch(() => null)
  return testing === null ? 'the package @keepsake/postgres is not installed' : testing.whyNoServer()
}

async function tryOnServer(
  trial: Trial,
  harm: (scene: Scene) => Promise<Record<string, number>>,
): Promise<Outcome> {
  const [{ PostgresServer }, { openPostgresStore }] = await Promise.all([
    import('@keepsake/postgres/testing'),
    import('@keepsake/postgres'),
  ])
  const { folder, seed } = trial
  const notes = join(folder, 'acknowledged.jsonl')
  const server = await PostgresServer.start()
  const connectionString = server.address()
  try {
    const talkers = ['one', 'two'].map((name, index) => {
      const own = { name, users: ['ana', 'ben'], rounds: ROUNDS, seed: seed + 7_919 * index }
      return new Child<number>(POSTGRES_TALKER, {
        address: connectionString,
        notes,
        ...own,
      } satisfies PostgresTalkRequest)
    })
    for (const talker of talkers) talker.started.catch(() => undefined)
    const tried = await harm({ ...trial, server, talkers })
    const promised = readNotes(notes)
    const openStore = () => openPostgresStore({ connectionString, patienceMs: 30_000 })
    return {
      tried: { ...tried, acknowledged: promised.size },
      broken: await findBroken({ openStore, promised }),
    }
  } finally {
    await server.stop()
  }
}

/** Waits until those who talk are through. */
export async function letTalk(talkers: readonly Child<number>[]): Promise<void> {
  for (const talker of talkers) {
    await talker.started
    await talker.release()
  }
}
