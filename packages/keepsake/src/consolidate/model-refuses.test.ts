import { expect, test } from 'vitest'
import { ModelError } from '@keepsake/text'
import { openMemory } from '../memory.ts'
import { scriptedModel } from '../models/adapters/scripted-language-model.ts'

// A key that is revoked or a model that is gone is a state of the model; what is refused is a fault of the request.
test.each([
  [401, 'queued', 0],
  [402, 'queued', 0],
  [403, 'queued', 0],
  [404, 'queued', 0],
  [null, 'queued', 0],
  [400, 'parked', 1],
  [413, 'parked', 1],
  [422, 'parked', 1],
])('where the model answers %s, rules stand in and the job is %s', async (status, state, attempts) => {
  const refusal = new ModelError('no', { details: { model: 'm', status } })
  const model = scriptedModel([refusal, refusal, refusal, refusal])
  const keepsake = await openMemory({ path: ':memory:', model, exchangesPerExtraction: 1 })
  const ana = keepsake.scope({ user: 'ana' })
  await ana.remember([
    { role: 'user', text: 'I live in Graz.' },
    { role: 'assistant', text: 'Nice.' },
  ])
  await ana.drain()
  expect((await ana.memories()).map(({ text }) => text)).toEqual(['The user lives in Graz.'])
  const jobs = await keepsake.jobs()
  expect(jobs.find(({ kind }) => kind === 'read-segment')).toMatchObject({ state, attempts })
  expect(jobs.filter((job) => job.state === 'parked')).toHaveLength(state === 'parked' ? 1 : 0)
  await keepsake.close()
})
