import { describe, expect, it } from 'vitest'
import { makeFact } from '../memories/memory-fixture.ts'
import { scriptedModel } from '../models/adapters/scripted-language-model.ts'
import { NOW, openEngine, storeMemories, storeTurns } from './engine-fixture.ts'
import { memoriesOf, momentOf, originOf, viewScope } from './scope-view.ts'

describe('a scope', () => {
  it('sees its own memories, whatever their status, and no others of the person', async () => {
    const place = await openEngine()
    const { engine, row } = place
    const other = await engine.store.ensureScope({ tenant: 'default', user: 'ana', agent: 'bot', app: null })
    await storeMemories(place, makeFact({ id: 'a' }), makeFact({ id: 'b', status: 'deleted' }))
    await storeMemories({ engine, row: other }, makeFact({ id: 'theirs' }))
    const ids = async (of = row) => memoriesOf(await viewScope(engine, of)).map(({ id }) => id)
    expect([await ids(), await ids(other)]).toEqual([['a', 'b'], ['theirs']])
  })

  it('stands at its latest session and round, now', async () => {
    const place = await openEngine()
    const { engine, row } = place
    const moment = async () => momentOf(await viewScope(engine, row))
    const now = { scope: row.scope, at: NOW, now: NOW }
    expect(await moment()).toEqual({ ...now, session: 0, sessionNumber: 0, round: 0 })
    await storeTurns(place, {}, { session: 's2' }, { session: 's2', role: 'assistant' })
    expect(await moment()).toEqual({ ...now, session: 2, sessionNumber: 2, round: 2 })
  })
})

describe('the origin of what a step did', () => {
  it('names the model only where a prompt was asked', async () => {
    const { engine } = await openEngine({ model: scriptedModel([]) })
    const plain = { preset: 'keepsake', step: 'pair/1', promptVersion: null, model: null }
    expect(originOf(engine, 'pair/1')).toEqual(plain)
    expect(originOf(engine, 'pair/1', null)).toEqual(plain)
    expect(originOf(engine, 'segment', 'segment/3')).toEqual({
      preset: 'keepsake',
      step: 'segment',
      promptVersion: 'segment/3',
      model: 'scripted/model',
    })
  })

  it('names no model where there is none', async () => {
    const { engine } = await openEngine()
    expect(originOf(engine, 'segment', 'segment/3')).toMatchObject({
      promptVersion: 'segment/3',
      model: null,
    })
  })
})
