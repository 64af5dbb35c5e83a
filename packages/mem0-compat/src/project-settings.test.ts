import { afterEach, describe, expect, it } from 'vitest'
import { readInstructions } from './project-settings.ts'
import { MemoryClient, say, ValidationError, type Client } from './testing/mem0-client.ts'
import { grantOf, serveMem0, type Mem0Server, type ServeMem0 } from './testing/serve-mem0.ts'

let server: Mem0Server | null = null
afterEach(async () => {
  await server?.close()
  server = null
})

async function open(given: Partial<ServeMem0> = {}): Promise<{ server: Mem0Server; client: Client }> {
  const keys = { all: grantOf(), one: grantOf({ users: ['ana'] }) }
  server = await serveMem0({ keys, ...given })
  return { server, client: new MemoryClient({ apiKey: 'all', host: server.host }) }
}

const GUIDES = 'Extract only food and travel.\nExclude:\n- salary and debts\n- names of colleagues'

describe('instructions', () => {
  it.each([
    [GUIDES, ['Extract only food and travel.'], ['salary and debts', 'names of colleagues']],
    [
      'Keep goals. Do not store health details. Keep hobbies.',
      ['Keep goals.', 'Keep hobbies.'],
      ['health details.'],
    ],
    [
      'Information to include:\n1. symptoms\n2. diets\nExclude: names, salary',
      ['symptoms', 'diets'],
      ['names, salary'],
    ],
    ['只记学习目标。不要记录病情。', ['只记学习目标。'], ['病情。']],
    ['  \n', [], []],
  ])('are read as what to keep and what never to keep: %s', (text, keep, never) => {
    expect(readInstructions(text)).toEqual({ keep, never })
  })

  it('of an add become the guidelines of its user, and hold for what is drawn from it', async () => {
    const { server, client } = await open()
    const added = await client.add(say('I live in Lyon. My sister is called Mia.'), {
      userId: 'ana',
      customInstructions: 'Keep homes.\nNever mention sister.',
    })
    expect(JSON.stringify(added)).not.toContain('The user has a sister')
    const ana = server.keepsake.scope({ user: 'ana' })
    expect((await ana.guidelines()).own).toEqual({ keep: ['Keep homes.'], never: ['sister.'] })
    expect((await ana.memories({ forms: ['fact'] })).map(({ value }) => value)).toEqual(['Lyon'])
    // Those of an agent are its own; an add without any changes nothing.
    await client.add(say('Hello.'), { userId: 'ana', agentId: 'luna', excludes: 'salary' } as never)
    await client.add(say('Hello again.'), { userId: 'ana' })
    const luna = server.keepsake.scope({ user: 'ana', agent: 'luna' })
    expect((await luna.guidelines()).never).toEqual(['sister.', 'salary'])
    expect((await ana.guidelines()).never).toEqual(['sister.'])
  })

  it('of a project are for each of its users, from their next add on, and are read back', async () => {
    const { server, client } = await open()
    await client.updateProject({ customInstructions: GUIDES })
    expect(await client.getProject({ fields: ['customInstructions'] })).toMatchObject({
      customInstructions: GUIDES,
    })
    await client.add(say('My salary is 3,000. I live in Lyon.'), { userId: 'ben' })
    const ben = server.keepsake.scope({ user: 'ben' })
    expect((await ben.guidelines()).never).toEqual(['salary and debts', 'names of colleagues'])
    await client.updateProject({ customInstructions: '' })
    await client.add(say('Hello.'), { userId: 'ben' })
    expect((await ben.guidelines()).own).toEqual({ keep: [], never: [] })
    const narrow = new MemoryClient({ apiKey: 'one', host: server.host })
    await expect(narrow.updateProject({ customInstructions: 'x' })).rejects.toThrow(/opens all users/)
  })
})

describe('categories', () => {
  it('are those that the server was started with; others are refused', async () => {
    const { server, client } = await open({
      keys: { all: grantOf() },
      open: { categories: { food: 'What they eat.' } },
    })
    const categories = [{ food: 'What they eat.' }]
    expect(await client.getProject({ fields: [] })).toMatchObject({ customCategories: categories })
    await client.add(say('Hello.'), { userId: 'ana', customCategories: categories })
    const others = [{ sport: 'What they play.' }]
    await expect(client.add(say('Hello.'), { userId: 'ana', customCategories: others })).rejects.toThrow(
      ValidationError,
    )
    await expect(client.updateProject({ customCategories: others })).rejects.toThrow(
      /sport.*which is no category/,
    )
    await server.keepsake.scope({ user: 'ana' }).addFact('Ana eats rice.', { category: 'food' })
    const { results } = await client.getAll({
      filters: { AND: [{ user_id: 'ana' }, { categories: { contains: 'food' } }] },
    })
    expect(results.map(({ memory, categories: filed }) => [memory, filed])).toEqual([
      ['Ana eats rice.', ['food']],
    ])
  })
})
