import { describe, expect, it, vi } from 'vitest'
import type { ModelCall } from '../models/ask-model.ts'
import { eventScope } from '../scopes/scope.ts'
import { openEngine } from './engine-fixture.ts'

describe('the account of what models cost', () => {
  async function open() {
    const { engine, row } = await openEngine({})
    const put = vi.spyOn(engine.store, 'putRecord')
    const call = (traits: Partial<ModelCall>): void =>
      engine.modelAccounts.note({
        scope: eventScope(row),
        task: 'extraction',
        model: 'test/model',
        outcome: 'answered',
        inputTokens: 10,
        outputTokens: 2,
        ...traits,
      } as ModelCall)
    return { engine, row, put, call }
  }

  it('writes many calls at once, and adds them to those before', async () => {
    const { engine, row, put, call } = await open()
    call({})
    call({ inputTokens: null, outcome: 'failed' })
    await engine.worker.drain()
    expect(put).toHaveBeenCalledTimes(1)
    call({})
    call({ task: 'reply' })
    const used = await engine.modelAccounts.read(row.owner)
    expect(put).toHaveBeenCalledTimes(3)
    expect(used).toEqual(
      expect.arrayContaining([
        { task: 'extraction', model: 'test/model', calls: 3, failed: 1, inputTokens: 20, outputTokens: 6 },
        { task: 'reply', model: 'test/model', calls: 1, failed: 0, inputTokens: 10, outputTokens: 2 },
      ]),
    )
  })

  it('is written of nobody who is gone', async () => {
    const { engine, put, call } = await open()
    call({ scope: { tenant: 'default', user: 'nobody', agent: null, app: null } })
    await engine.modelAccounts.write()
    expect(put).not.toHaveBeenCalled()
  })
})
