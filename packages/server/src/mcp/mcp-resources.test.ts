import { comedy, findPreset } from '@keepsake/papers'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { openMemory, type Keepsake } from 'keepsake'
import { MOOM_THRESHOLDS } from 'keepsake/preset'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { call, connectInProcess, grantOf } from './testing/connect-client.ts'
import { testMemory } from '../testing/test-memory.ts'

let keepsake: Keepsake
let client: Client

beforeEach(async () => {
  keepsake = await testMemory()
  client = await connectInProcess(keepsake, { user: 'maya' })
})

async function read(uri: string, from = client): Promise<{ mimeType: string; text: string }> {
  const { contents } = await from.readResource({ uri })
  const [content] = contents
  if (content === undefined || !('text' in content) || contents.length > 1) throw new Error('not one text')
  expect(content.uri).toBe(uri)
  return { mimeType: content.mimeType ?? '', text: content.text }
}

async function told(...texts: string[]): Promise<void> {
  for (const text of texts) await call(client, 'remember', { text })
  await keepsake.drain()
}

describe('resources', () => {
  it('are profile, persona, story, state, guidelines and portrait, in Markdown, and a template for JSON', async () => {
    const { resources } = await client.listResources()
    expect(resources.map(({ uri, mimeType }) => [uri, mimeType])).toEqual([
      ['keepsake://profile', 'text/markdown'],
      ['keepsake://persona', 'text/markdown'],
      ['keepsake://story', 'text/markdown'],
      ['keepsake://state', 'text/markdown'],
      ['keepsake://guidelines', 'text/markdown'],
      ['keepsake://portrait', 'text/markdown'],
    ])
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(['keepsake://{view}.json'])
    const { completion } = await client.complete({
      ref: { type: 'ref/resource', uri: 'keepsake://{view}.json' },
      argument: { name: 'view', value: 'p' },
    })
    expect(completion.values).toEqual(['profile', 'persona', 'portrait'])
  })

  it('say what its own keys and categories hold, and tools filter by category', async () => {
    const own = await openMemory({
      path: ':memory:',
      categories: { sport: 'Sport.' },
      keys: {
        distance: { description: 'How far.', schema: { type: 'number' }, unit: 'km', category: 'sport' },
      },
    })
    await own.scope({ user: 'maya' }).addFact('Maya runs 42 km.', { key: 'distance', value: 42 })
    await own.scope({ user: 'maya' }).addFact('Maya likes soup.')
    const host = await connectInProcess(own, { user: 'maya' })
    expect((await read('keepsake://state', host)).text).toBe(
      '# State\n\n- **distance**: 42 km\n- category **sport**: 1\n',
    )
    const listed = await call(host, 'list_memories', { categories: ['sport'] })
    expect(listed.structured).toMatchObject({ memories: [{ text: 'Maya runs 42 km.' }] })
    const recalled = await call(host, 'recall', { question: 'What does Maya do?', categories: ['sport'] })
    expect(recalled.structured).toMatchObject({ memories: [{ text: 'Maya runs 42 km.' }] })
    await host.close()
    await own.close()
  })

  it('say what the application keeps and never keeps', async () => {
    await keepsake.scope({ user: 'maya' }).setGuidelines({ keep: 'songs', never: ['<b>salary</b>'] })
    const { text } = await read('keepsake://guidelines')
    expect(text).toContain('## Keep\n\n- songs')
    expect(text).toContain('## Never keep\n\n- \\<b\\>salary')
    expect(JSON.parse((await read('keepsake://guidelines.json')).text)).toMatchObject({ keep: ['songs'] })
  })

  it('say when there is nothing yet', async () => {
    expect((await read('keepsake://profile')).text).toContain('Nothing is known of the user yet.')
    expect((await read('keepsake://persona')).text).toContain('Nothing is on the persona sheet yet.')
    expect((await read('keepsake://story')).text).toContain('There is no story yet')
    expect((await read('keepsake://portrait')).text).toContain('There is no portrait yet')
    expect((await read('keepsake://guidelines')).text).toContain('None are set.')
    expect((await read('keepsake://state')).text).toContain('no keys or categories of its own')
    expect(JSON.parse((await read('keepsake://portrait.json')).text)).toEqual({ current: null, versions: [] })
  })

  it('give the persona sheet as Markdown and as JSON, earlier values with it', async () => {
    await told('I live in Bristol.', 'I moved to Lisbon.', '我喜欢爬山。')
    const { mimeType, text } = await read('keepsake://persona')
    expect(mimeType).toBe('text/markdown')
    expect(text).toMatch(/^# Persona\n\n## maya\n/)
    expect(text).toMatch(/- \*\*residence\*\*: Lisbon \(since [\d-]+\); Bristol \(before, since/)
    expect(text).toContain('爬山')
    const json = await read('keepsake://persona.json')
    expect(json.mimeType).toBe('application/json')
    const sheet = JSON.parse(json.text) as { subjects: { subject: string }[] }
    expect(sheet.subjects[0]?.subject).toBe('user')
  })

  it('give the story of sessions that ended, and the portrait where the preset draws one', async () => {
    const drawing = await openMemory({ path: ':memory:', preset: comedy })
    const maya = drawing.scope({ user: 'maya' })
    await maya.remember({ role: 'user', text: 'I moved to Lisbon with my sister Ada last week.' })
    await maya.endSession()
    await maya.drain()
    const other = await connectInProcess(drawing, { user: 'maya' })
    expect((await read('keepsake://portrait', other)).text).toMatch(
      /^# Portrait\n\nSince [\d-]+\.\n\n.*Lisbon/s,
    )
    await other.close()
    await drawing.close()

    // Rules write no story of their own, so the preset gets one.
    const plain = findPreset('keepsake')
    const story = { kind: 'story', thresholds: MOOM_THRESHOLDS } as const
    const branches = [...plain.branches, story, { kind: 'summaries' } as const]
    const telling = await openMemory({ path: ':memory:', preset: { ...plain, branches } })
    const scope = telling.scope({ user: 'maya' })
    await scope.remember({ role: 'user', text: 'I moved to Lisbon with my sister Ada last week.' })
    await scope.endSession()
    await scope.drain()
    const reader = await connectInProcess(telling, { user: 'maya' })
    expect((await read('keepsake://story', reader)).text).toContain('## Sessions')
    const { levels } = JSON.parse((await read('keepsake://story.json', reader)).text) as { levels: object[] }
    expect(levels).toMatchObject([{ level: 0, units: [{}] }])
    await reader.close()
    await telling.close()
  })

  it('turn nothing that was said into markup', async () => {
    await told('I live in Bristol.')
    const maya = keepsake.scope({ user: 'maya' })
    const [fact] = await maya.memories({ forms: ['fact'] })
    await maya.edit(fact?.id ?? '', { value: '![x](http://127.0.0.1/a.png)\n# <img src=x> [Rome](y)' })
    const { text } = await read('keepsake://persona')
    expect(text).toContain('127.0.0.1/a.png')
    expect(text).not.toMatch(/(?<!\\)!|(?<!\\)\[|(?<!\\)<img|^# </m)
  })

  it('of another user and of other names are not there', async () => {
    await told('I live in Bristol.')
    const tom = await connectInProcess(keepsake, { user: 'tom' })
    expect((await read('keepsake://persona', tom)).text).not.toContain('Bristol')
    await expect(client.readResource({ uri: 'keepsake://diary' })).rejects.toThrow(/keepsake:\/\/diary/)
    await expect(client.readResource({ uri: 'keepsake://diary.json' })).rejects.toThrow(
      /There are: keepsake:/,
    )
    await expect(client.readResource({ uri: 'file:///etc/passwd' })).rejects.toThrow(/not found/)
    await expect(client.subscribeResource({ uri: 'keepsake://diary' })).rejects.toThrow(/no such resource/)
  })

  it('fail in a sentence', async () => {
    await keepsake.close()
    await expect(client.readResource({ uri: 'keepsake://persona' })).rejects.toThrow(/shutting down/)
  })
})

describe('subscriptions', () => {
  const updates = (of: Client): string[] => {
    const seen: string[] = []
    of.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void seen.push(params.uri))
    return seen
  }
  const aWhile = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 250))

  it('tell once of a run of changes to what is subscribed, and of nothing else', async () => {
    const seen = updates(client)
    await client.subscribeResource({ uri: 'keepsake://persona' })
    await client.subscribeResource({ uri: 'keepsake://portrait' })
    await told('I live in Bristol.', 'I am a nurse.', 'I have a cat.')
    await expect.poll(() => seen).toContain('keepsake://persona')
    await aWhile()
    expect(new Set(seen)).toEqual(new Set(['keepsake://persona']))
    const before = seen.length
    await client.unsubscribeResource({ uri: 'keepsake://persona' })
    await told('I moved to Lisbon.')
    await aWhile()
    expect(seen.length).toBe(before)
  })

  it('tell of many changes at once, not of each', async () => {
    await told('I live in Bristol.')
    const maya = keepsake.scope({ user: 'maya' })
    const [fact] = await maya.memories({ forms: ['fact'] })
    const seen = updates(client)
    await client.subscribeResource({ uri: 'keepsake://persona' })
    // By a clock of the test's own, for a slow machine takes longer over a change than the server waits for more.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      for (let index = 0; index < 50; index += 1) await maya.pin(fact?.id ?? '', index % 2 === 0)
      vi.advanceTimersByTime(1_000)
    } finally {
      vi.useRealTimers()
    }
    await expect.poll(() => seen).not.toEqual([])
    await aWhile()
    expect(seen).toEqual(['keepsake://persona'])
  })

  it("tell nobody of another's, and everybody of an erasure", async () => {
    const tom = await connectInProcess(keepsake, { user: 'tom' })
    const seen = updates(tom)
    await tom.subscribeResource({ uri: 'keepsake://persona' })
    await told('I live in Bristol.')
    await aWhile()
    expect(seen).toEqual([])
    await keepsake.scope({ user: 'maya' }).erase({ everything: true })
    await expect.poll(() => seen).not.toEqual([])
    await aWhile()
    expect(seen).toEqual(['keepsake://persona'])
    await tom.close()
  })

  it('end with the connection', async () => {
    const failures: unknown[] = []
    const note = (error: unknown): void => void failures.push(error)
    process.on('unhandledRejection', note)
    await client.subscribeResource({ uri: 'keepsake://persona' })
    await call(client, 'remember', { text: 'I live in Bristol.' })
    await client.close()
    await keepsake.drain()
    await aWhile()
    process.off('unhandledRejection', note)
    expect(failures).toEqual([])
  })
})

describe('the prompt use-memory', () => {
  const teach = async (from: Client, args: Record<string, string> = {}): Promise<string> => {
    const { messages } = await from.getPrompt({ name: 'use-memory', arguments: args })
    const [message] = messages
    expect(message?.role).toBe('user')
    return message?.content.type === 'text' ? message.content.text : ''
  }

  it('is listed with its argument', async () => {
    const { prompts } = await client.listPrompts()
    expect(prompts).toMatchObject([
      { name: 'use-memory', arguments: [{ name: 'language', required: false }] },
    ])
  })

  it('teaches in English and Chinese, naming every tool there is', async () => {
    const { tools } = await client.listTools()
    for (const language of ['', 'en', 'English', 'en-GB']) {
      const text = await teach(client, language === '' ? {} : { language })
      expect(text).toMatch(/^You have a long-term memory/)
      for (const { name } of tools) expect(text).toContain(name)
    }
    for (const language of ['zh', 'zh-CN', '中文', 'Chinese']) {
      const text = await teach(client, { language })
      expect(text).toMatch(/^你对用户有一份长期记忆/)
      for (const { name } of tools) expect(text).toContain(name)
    }
    await expect(teach(client, { language: 'tlh' })).rejects.toThrow(/en and zh/)
  })

  it('says after that who the user is, as data, where anything is known', async () => {
    expect(await teach(client)).not.toContain('Profile')
    await told('I live in Bristol.', 'I am allergic to peanuts.')
    const text = await teach(client)
    expect(text).toMatch(/It is data, quoted.*\n\n# Profile\n\n.*peanuts.*\n.*Bristol/s)
    expect((await read('keepsake://profile')).text).toContain('Bristol')
  })

  it('teaches a connection that only reads nothing about writing; hosts are told the same when they connect', async () => {
    const reader = await connectInProcess(keepsake, { user: 'maya' }, { grant: grantOf(null, ['read']) })
    const text = await teach(reader)
    expect(text).toContain('recall')
    expect(text).not.toMatch(/\b(?:remember|edit_memory|forget_memory|undo)\b/)
    expect(reader.getInstructions()).toBe(text)
    expect(client.getInstructions()).toContain('forget_memory')
  })
})
