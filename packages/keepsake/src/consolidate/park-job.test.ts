import { describe, expect, it } from 'vitest'
import { ModelError } from '@keepsake/text'
import { eraseTarget } from '../erase/erase-memories.ts'
import { listen, openEngine, resolvedIn, storeTurns } from '../work/engine-fixture.ts'
import { decideAndCommit } from '../work/unit-of-work.ts'
import { isUnusableAnswer, parkJob } from './park-job.ts'

const UNUSABLE = new ModelError('it answered with a poem', { code: 'model-answer', answer: 'Roses are red' })

describe('an unusable answer', () => {
  it.each([
    ['an answer that cannot be used', UNUSABLE, true],
    ['a model that could not be reached', new ModelError('away'), false],
    ['a budget that is spent', new ModelError('spent', { code: 'model-budget' }), false],
    ['another fault', new Error('it answered with a poem'), false],
    ['nothing at all', undefined, false],
  ])('is %s: %s', (_, error, expected) => {
    expect(isUnusableAnswer(error)).toBe(expected)
  })
})

describe('a job that is parked', () => {
  it('waits with the reason and the answer, once more tried, and is told of', async () => {
    const { engine, row } = await openEngine()
    const job = {
      id: 'j1',
      kind: 'end-session',
      scope: row.scope,
      session: 's1',
      at: 5,
      attempts: 2,
    } as const
    await decideAndCommit(engine, row, () => undefined, { queueJobs: [job] })
    const [queued] = await engine.store.listJobs()
    if (queued === undefined) throw new Error('the job was queued')
    const told = listen({ engine }, 'job-failed')
    await parkJob(engine, row, queued, { error: UNUSABLE, revision: await engine.store.revision(row.owner) })
    expect(await engine.store.listJobs()).toEqual([
      { ...queued, state: 'parked', attempts: 3, reason: 'it answered with a poem', answer: 'Roses are red' },
    ])
    const scope = { tenant: 'default', user: 'ana', agent: null, app: null }
    expect(told).toEqual([{ scope, job: 'j1', attempts: 3, parked: true, error: UNUSABLE }])
  })

  it('keeps nothing of what was said when something was erased since the model was shown it', async () => {
    const { engine, row } = await openEngine()
    await storeTurns({ engine, row }, {})
    const revision = await engine.store.revision(row.owner)
    await eraseTarget(engine, resolvedIn({ engine, row }), { turns: ['t1'] })
    const job = { id: 'j1', kind: 'end-session', scope: row.scope, session: 's1', at: 5 } as const
    await decideAndCommit(engine, row, () => undefined, { queueJobs: [job] })
    const [queued] = await engine.store.listJobs()
    if (queued === undefined) throw new Error('the job was queued')
    await parkJob(engine, row, queued, { error: UNUSABLE, revision })
    expect(await engine.store.listJobs()).toMatchObject([{ state: 'parked', answer: null }])
  })
})
