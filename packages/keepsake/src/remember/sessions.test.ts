import { describe, expect, it } from 'vitest'
import { NotFoundError } from '../errors/errors.ts'
import { NOW, openEngine, storeTurns } from '../work/engine-fixture.ts'
import { decideAndCommit } from '../work/unit-of-work.ts'
import { endSession } from './sessions.ts'

/** Two sessions, of which the first has ended. */
async function open() {
  const { engine, row } = await openEngine()
  await storeTurns({ engine, row }, { session: 's1' }, { session: 's2' })
  await decideAndCommit(engine, row, () => undefined, { endSessions: [{ session: 's1', at: 1 }] })
  return { engine, row, end: (session?: string) => endSession(engine, row, session) }
}

describe('ending a session', () => {
  it('queues its end, which the worker then comes to', async () => {
    const { engine, row, end } = await open()
    await end('s2')
    expect(await engine.store.listJobs()).toMatchObject([
      { kind: 'end-session', scope: row.scope, session: 's2', at: NOW, state: 'queued' },
    ])
    await engine.worker.drain()
    expect(await engine.store.listJobs()).toEqual([])
    expect(
      (await engine.store.listSessions({ userId: row.owner, scopes: [row.scope] })).at(-1),
    ).toMatchObject({
      id: 's2',
      endedAt: NOW,
    })
  })

  it('ends the latest where none is named', async () => {
    const { engine, end } = await open()
    await end()
    expect(await engine.store.listJobs()).toMatchObject([{ session: 's2' }])
  })

  it('does nothing to one that has ended', async () => {
    const { engine, end } = await open()
    await end('s1')
    expect(await engine.store.listJobs()).toEqual([])
  })

  it('does nothing where there is none and none is named', async () => {
    const { engine, row } = await openEngine()
    await endSession(engine, row, undefined)
    await endSession(engine, null, undefined)
    expect(await engine.store.listJobs()).toEqual([])
  })

  it('needs the session that is named', async () => {
    const { engine, end } = await open()
    await expect(end('s3')).rejects.toThrow(new NotFoundError('session', 's3'))
    await expect(endSession(engine, null, 's1')).rejects.toThrow(new NotFoundError('session', 's1'))
  })
})
