import { describe, expect, it } from 'vitest'
import { scriptedModel } from 'keepsake/model'
import type { ProblemBody } from '../../problem.ts'
import { first } from '../../testing/routes-app.ts'
import { RouteAsker, type ChangeAnswer, type MemoryList } from '../../testing/routes-asker.ts'

describe('quarantine', () => {
  it('is listed with reasons, and what is in it can be believed after all', async () => {
    const invented = {
      changes: null,
      text: 'The user sells honey to Mr Okafor.',
      type: 'persona',
      subject: 'user',
      word: 'user',
      key: null,
      value: null,
      when: null,
      until: null,
      importance: 6,
      evidence: ['1: I sell honey'],
    }
    const model = scriptedModel((request) =>
      request.schemaName === 'segment'
        ? JSON.stringify({ summary: 'Bees.', memories: [invented], forget: [] })
        : 'They are on your roof.',
    )
    const asker = await RouteAsker.open({ model, exchangesPerExtraction: 1 })
    const turns = [{ role: 'user', text: 'I keep bees on the roof, four hives of them.' }]
    await asker.ask('POST', '/v1/scopes/ana/turns', { turns, session: 'one' })
    await asker.ask('POST', '/v1/scopes/ana/sessions/end', {})
    await asker.server.keepsake.drain()
    const { body } = await asker.ask<MemoryList>('GET', '/v1/scopes/ana/quarantine')
    expect(body.memories).toHaveLength(1)
    expect(body.memories[0]).toMatchObject({ status: 'quarantined', text: invented.text })
    expect(first(body.memories).reason).not.toBeNull()
    const at = `/v1/scopes/ana/quarantine/${first(body.memories).id}/release`
    expect((await asker.ask<ChangeAnswer>('POST', at)).body.kind).toBe('restore')
    expect((await asker.ask<ProblemBody>('POST', at)).body.code).toBe('not-possible')
    expect((await asker.ask<MemoryList>('GET', '/v1/scopes/ana/quarantine')).body.memories).toEqual([])
  })
})
