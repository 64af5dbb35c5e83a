import { describe, expect, it } from 'vitest'
import { ModelError, openMemory } from 'keepsake'
import { scriptedModel } from 'keepsake/model'
import { openForTest } from './open-for-test.ts'
import { temporaryFile } from './temporary-file.ts'

describe('a session that is not to be remembered', () => {
  it('is stored nowhere from then on, by any process, until it is again', async () => {
    const path = temporaryFile()
    const keepsake = await openForTest({ path })
    const ana = keepsake.scope({ user: 'ana' })
    await ana.remember({ role: 'user', text: 'I keep bees.' }, { session: 'monday' })
    expect(await ana.admin.isRemembered('monday')).toBe(true)
    await ana.admin.setRemembered('monday', false)
    const left = await ana.remember({ role: 'user', text: 'I owe Bob money.' }, { session: 'monday' })
    expect(left).toEqual({ turns: [], added: 0, session: 'monday', lastOperation: 0, maskedSecrets: [] })
    const other = await openForTest({ path })
    await other.scope({ user: 'ana' }).remember({ role: 'user', text: 'A lot.' }, { session: 'monday' })
    await ana.remember({ role: 'user', text: 'I play chess.' }, { session: 'tuesday' })
    expect((await ana.turns()).map(({ text }) => text)).toEqual(['I keep bees.', 'I play chess.'])
    expect((await ana.recall('Whom does Ana owe money?')).context.text).not.toContain('Bob')
    await ana.admin.setRemembered('monday', true)
    await ana.remember({ role: 'user', text: 'I sell honey.' }, { session: 'monday' })
    expect((await ana.turns('monday')).map(({ text }) => text)).toEqual(['I keep bees.', 'I sell honey.'])
  })

  it('is of one scope, and is answered from memory all the same', async () => {
    const model = scriptedModel(() => ({ text: 'On the roof.', usage: { input: 90, output: 4 } }))
    const keepsake = await openForTest({ model, exchangesPerExtraction: 100 })
    const ana = keepsake.scope({ user: 'ana' })
    await ana.remember({ role: 'user', text: 'My bees are on the roof.' }, { session: 'one' })
    await ana.admin.setRemembered('two', false)
    expect(await keepsake.scope({ user: 'ben' }).admin.isRemembered('two')).toBe(true)
    const reply = await ana.reply({ role: 'user', text: 'Where are my bees?' }, { session: 'two' })
    expect(await reply.text).toBe('On the roof.')
    expect(await reply.usage).toEqual({ input: 90, output: 4 })
    expect((await reply.remembered)?.added).toBe(0)
    expect(reply.recall.context.text).toContain('roof')
    expect(await ana.turns('two')).toEqual([])
  })
})

describe('what a model cost a person', () => {
  it('is added up by task, outlives the process, and goes with the person', async () => {
    const path = temporaryFile()
    let fails = false
    const model = scriptedModel(() =>
      fails
        ? new ModelError('away', { code: 'model-failed' })
        : { text: 'On the roof.', usage: { input: 90, output: 4 } },
    )
    const first = await openMemory({ path, model, exchangesPerExtraction: 100, modelOptions: { retries: 0 } })
    const ana = first.scope({ user: 'ana' })
    const ask = async (): Promise<void> => {
      const reply = await ana.reply({ role: 'user', text: 'Where are my bees?' }, { session: 'one' })
      await reply.text.catch(() => undefined)
      await reply.remembered.catch(() => undefined)
    }
    await Promise.all([ask(), ask()])
    fails = true
    await ask()
    await first.drain()
    await first.close()
    const second = await openForTest({ path })
    const again = second.scope({ user: 'ana' })
    expect((await again.admin.stats()).models.filter(({ task }) => task === 'reply')).toEqual([
      { task: 'reply', model: model.id, calls: 3, failed: 1, inputTokens: 180, outputTokens: 8 },
    ])
    expect((await second.scope({ user: 'ben' }).admin.stats()).models).toEqual([])
    await again.erase({ everything: true })
    expect((await again.admin.stats()).models).toEqual([])
  })
})

describe('a statement said twice', () => {
  it('is one memory with two pieces of evidence, by rules', async () => {
    const keepsake = await openForTest()
    const ana = keepsake.scope({ user: 'ana' })
    for (const id of ['t1', 't2'])
      await ana.remember({ role: 'user', text: 'My dog is called Rex.', id }, { session: id })
    await ana.drain()
    const facts = await ana.memories({ forms: ['fact'], contains: 'Rex' })
    expect(facts.map(({ evidence }) => evidence.map(({ turn }) => turn))).toEqual([['t1', 't2']])
  })

  it('is one with a model too, which is asked no more for it', async () => {
    const statement = {
      changes: null,
      text: 'The user has a dog called Rex.',
      type: 'persona',
      subject: 'user',
      word: 'user',
      key: null,
      value: null,
      when: null,
      until: null,
      importance: 6,
      evidence: ['1: My dog is called Rex'],
    }
    const model = scriptedModel((request) =>
      request.schemaName === 'segment'
        ? JSON.stringify({ summary: 'A dog.', memories: [statement], forget: [] })
        : '{}',
    )
    const keepsake = await openForTest({ model, exchangesPerExtraction: 1 })
    const ana = keepsake.scope({ user: 'ana' })
    for (const id of ['t1', 't2']) {
      await ana.remember({ role: 'user', text: 'My dog is called Rex.', id }, { session: id })
      await ana.endSession(id)
      await ana.drain()
    }
    const facts = await ana.memories({ forms: ['fact'], contains: 'Rex' })
    expect(facts.map(({ evidence }) => evidence.map(({ turn }) => turn))).toEqual([['t1', 't2']])
    expect(model.requests.filter(({ schemaName }) => schemaName === 'segment')).toHaveLength(2)
  })
})
