import { AsyncLocalStorage } from 'node:async_hooks'
import { openMemory, type Store } from 'keepsake'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makePostgresStore } from '../src/postgres-store.ts'
import { PGlite } from '@electric-sql/pglite'
import { PgliteSessions } from '../src/connection/pglite-sessions.ts'
import type { Session, Sessions } from '../src/connection/session.ts'
import type { SqlPart } from '../src/connection/sql-part.ts'

const TALK = [
  { role: 'user', text: 'I moved to Lyon with my two cats, and I work as a baker.' },
  { role: 'agent', text: 'How lovely! What are they called?' },
] as const

/** Whose ways are counted: those of a call alone, not what a worker looks for meanwhile. */
const calls = new AsyncLocalStorage<{ ways: number }>()

/** Counts how often somebody waits for an answer: what is asked without waiting in between goes together. */
class CountedSessions implements Sessions {
  readonly #sessions: PgliteSessions
  readonly name = 'counted'

  constructor(database: PGlite) {
    this.#sessions = new PgliteSessions(database)
  }

  use<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    return this.#sessions.use((session) => {
      let isGathering = false
      const count = <Asked>(ask: () => Promise<Asked>): Promise<Asked> => {
        if (!isGathering) {
          const call = calls.getStore()
          if (call !== undefined) call.ways += 1
          isGathering = true
          // As the connection to a server does: what is given until then is sent at once.
          process.nextTick(() => (isGathering = false))
        }
        return ask()
      }
      return work({
        ask: (statement: SqlPart) => count(() => session.ask(statement)),
        command: (text) => count(() => session.command(text)),
        life: () => session.life(),
      })
    })
  }

  listen: Sessions['listen'] = (channel, hear) => this.#sessions.listen(channel, hear)
  close = (): Promise<void> => this.#sessions.close()
}

const OPTIONS = {
  schema: 'ways',
  partitions: 0,
  scrub: 'vacuum',
  mustExist: false,
  lockTimeoutMs: 1_000,
} as const

let database: PGlite
beforeAll(async () => void (database = await PGlite.create()))
afterAll(() => database.close())

async function open() {
  const sessions = new CountedSessions(database)
  const store: Store = await makePostgresStore(sessions, OPTIONS)
  const keepsake = await openMemory({ store })
  await keepsake.drain()
  const ada = keepsake.scope({ user: 'ada' })
  const waysOf = async (work: () => Promise<unknown>): Promise<number> => {
    const call = { ways: 0 }
    await calls.run(call, work)
    return call.ways
  }
  return { keepsake, ada, waysOf }
}

it('asks the server as seldom as it can: a way there and back is what a call waits for', async () => {
  const first = await open()
  const { keepsake, ada, waysOf } = first
  for (let round = 0; round < 3; round += 1) {
    await ada.remember([...TALK], { session: 's1' })
    await keepsake.drain()
  }
  await ada.recall('Where do I live?')
  await keepsake.drain()
  const remember = await waysOf(() => ada.remember([...TALK], { session: 's1' }))
  await keepsake.drain()
  const learned = await waysOf(async () => {
    await ada.remember([...TALK], { session: 's1' })
    await keepsake.drain()
  })
  await ada.recall('Where do I live?')
  await keepsake.drain()
  const warm = await waysOf(() => ada.recall('Where do I live?'))
  await keepsake.close()

  const second = await open()
  const cold = await second.waysOf(() => second.ada.recall('Where do I live?'))
  await second.keepsake.close()
  expect(remember).toBeLessThanOrEqual(4)
  // Each step of consolidation asks for the user's revision before it decides, and commits by itself: some 34 round trips in the background.
  // It was 6 while steps were gathered into one commit, which the plain write path gave up.
  expect(learned - remember).toBeLessThanOrEqual(40)
  expect(warm).toBeLessThanOrEqual(1)
  // The scopes and the revision, then the rows, turns, sessions and progress of the user, one after another. It was 5 with images.
  expect(cold).toBeLessThanOrEqual(12)
})
