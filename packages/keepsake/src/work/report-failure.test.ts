import { describe, expect, it } from 'vitest'
import { ClosedError, StoreError } from '../errors/errors.ts'
import { ModelError } from '@keepsake/text'
import type { JobChange, NewJob } from '../store/store.ts'
import { withMethod, listen, openEngine, type TestScope } from './engine-fixture.ts'
import { asError, recordFailure, reportFailure } from './jobs.ts'
import { decideAndCommit } from './unit-of-work.ts'

/** A person with a job that waits, and how each job is changed. */
async function open(job: Partial<NewJob> = {}) {
  const changes: JobChange[] = []
  const place = await openEngine({
    wrapStore: (store) =>
      withMethod(store, 'updateJob', (user, id, change) => {
        changes.push(change)
        return store.updateJob(user, id, change)
      }),
  })
  await queue(place, { id: 'j1', ...job })
  return { ...place, changes }
}

async function queue({ engine, row }: TestScope, job: Partial<NewJob> & Pick<NewJob, 'id'>) {
  const blank = { kind: 'consolidate', scope: row.scope, session: null, at: 1 } as const
  await decideAndCommit(engine, row, () => undefined, { queueJobs: [{ ...blank, ...job }] })
}

/** Notes a failure. @returns after how long the job is due again */
async function note(place: Awaited<ReturnType<typeof open>>, cause: unknown, epoch = 0) {
  const jobs = await place.engine.store.listJobs()
  await recordFailure(place.engine, place.row, cause, { revision: epoch, jobs })
  return place.changes.at(-1)?.delayMs
}

describe('whatever was thrown', () => {
  it('is an error', () => {
    const fault = new Error('a fault')
    expect([asError(fault), asError('words').message, asError(undefined).message]).toEqual([
      fault,
      'words',
      'undefined',
    ])
    expect(asError('words')).toBeInstanceOf(Error)
  })
})

describe('a job that failed', () => {
  it.each([
    [0, 1_000],
    [1, 2_000],
    [2, 4_000],
    [3, 8_000],
  ])('after %d tries waits %d ms', async (attempts, expected) => {
    expect(await note(await open({ attempts }), new Error('a fault'))).toBe(expected)
  })

  it('waits as long as the model asks for, a day at most, and no shorter than it would', async () => {
    const away = (retryAfterMs: number | null) =>
      new ModelError('spent', { code: 'model-budget', retryAfterMs })
    expect(await note(await open(), away(90_000))).toBe(90_000)
    expect(await note(await open(), away(10))).toBe(1_000)
    expect(await note(await open(), away(null))).toBe(1_000)
    expect(await note(await open(), away(30 * 3_600_000))).toBe(24 * 3_600_000)
  })

  it.each([
    [500, 1_000],
    [90_000, 90_000],
    [9 * 3_600_000, 4 * 3_600_000],
  ])('of a model that has been away for %d ms waits %d ms, and is no failed try', async (since, expected) => {
    const place = await open({ attempts: 4 })
    await queue(place, { id: 'j2', session: 's', kind: 'end-session', at: place.engine.now() - since })
    const wait = await note(place, new ModelError('away', { isRetryable: true }))
    expect(wait).toBe(expected)
    expect((await place.engine.store.listJobs()).map(({ state }) => state)).toEqual(['queued', 'queued'])
  })

  it.each(['store-busy', 'store-full'] as const)(
    'has not been tried when the store was away (%s), however often: it is never parked for that',
    async (code) => {
      const place = await open({ attempts: 4 })
      expect(await note(place, new StoreError(code, 'away'))).toBe(8_000)
      expect(await place.engine.store.listJobs()).toMatchObject([
        { state: 'queued', attempts: 4, reason: 'away' },
      ])
    },
  )

  it('is parked all the same when the store will not do better the next time', async () => {
    const place = await open({ attempts: 4 })
    await note(place, new StoreError('store-corrupt', 'damaged'))
    expect(await place.engine.store.listJobs()).toMatchObject([{ state: 'parked' }])
  })

  it.each<[string, Error, number]>([
    ['something was erased since', new ModelError('a poem', { answer: 'Roses are red' }), -1],
    ['it answered nothing', new ModelError('away'), 0],
    ['the fault is another', new Error('a fault'), 0],
  ])('keeps no answer when %s', async (_, fault, epoch) => {
    const place = await open()
    await note(place, fault, epoch)
    expect(await place.engine.store.listJobs()).toMatchObject([{ answer: null }])
  })
})

describe('the jobs that a failure is noted with', () => {
  it('are those of the scope that wait, all of them', async () => {
    const place = await open()
    const { engine } = place
    const row = await engine.store.ensureScope({ tenant: 'default', user: 'ana', agent: 'bot', app: null })
    await queue({ engine, row }, { id: 'theirs', scope: row.scope })
    await queue(place, { id: 'j2', kind: 'end-session', session: 's1' })
    await queue(place, { id: 'j3', kind: 'end-session', session: 's2', state: 'parked', attempts: 5 })
    await note(place, new Error('a fault'))
    const attempts = Object.fromEntries((await engine.store.listJobs()).map((job) => [job.id, job.attempts]))
    expect(attempts).toEqual({ j1: 1, j2: 1, j3: 5, theirs: 0 })
  })

  it('are none of those that were queued since', async () => {
    const place = await open()
    const { engine, row } = place
    const jobs = await engine.store.listJobs()
    await queue(place, { id: 'later', kind: 'end-session', session: 's1' })
    await recordFailure(engine, row, new Error('a fault'), { revision: 0, jobs })
    const attempts = Object.fromEntries((await engine.store.listJobs()).map((job) => [job.id, job.attempts]))
    expect(attempts).toEqual({ j1: 1, later: 0 })
  })

  it('stay as they are when closing interrupted the work', async () => {
    const place = await open()
    const events = listen(place, 'job-failed')
    await note(place, new ClosedError())
    expect([events, await place.engine.store.listJobs()]).toMatchObject([[], [{ attempts: 0 }]])
  })
})

describe('a failure that belongs to no job', () => {
  it('is told, as an error', async () => {
    const place = await open()
    const events = listen(place, 'background-failed')
    reportFailure(place.engine, 'a fault')
    expect(events).toEqual([{ error: new Error('a fault') }])
    expect(await place.engine.store.listJobs()).toMatchObject([{ attempts: 0 }])
  })

  it('is not told when closing interrupted the work', async () => {
    const place = await open()
    const events = listen(place, 'background-failed')
    reportFailure(place.engine, new ClosedError())
    expect(events).toEqual([])
  })
})
