import { describe, expect, test } from 'vitest'
import { benchMem0, as, ValidationError, say } from './testing/mem0-client.ts'

const bench = benchMem0()

describe('add', () => {
  test('takes roles and fields of other libraries, and leaves out results of functions', async () => {
    const messages = [
      { role: 'Human', content: 'I like jazz.', id: '7', timestamp: 'now' },
      { role: 'ai', content: 'Noted.' },
      { role: 'function', name: 'f', content: 'y' },
    ]
    await bench.add(messages as never, { userId: 'ana', infer: false })
    expect((await bench.textsOf('ana')).toSorted()).toEqual(['I like jazz.', 'Noted.'])
  })

  test('remembers messages and says what was made of them', async () => {
    const results = await bench.add(say('I live in Lyon and I love climbing.'), { userId: 'ana' })
    expect(results.every((one) => one.event === 'ADD' && one.id.length > 10)).toBe(true)
    const texts = results.map((one) => one.data.memory)
    expect(texts).toContain('I live in Lyon and I love climbing.')
    expect(texts).toContain('The user lives in Lyon.')
  })

  test('says what is no longer so, and does not list it any more', async () => {
    await bench.add(say('I live in Lyon.'), { userId: 'ana' })
    const results = await bench.add(say('I moved to Paris.'), { userId: 'ana' })
    expect(results.find((one) => one.event === 'DELETE')?.data.memory).toBe('The user lives in Lyon.')
    expect(await bench.textsOf('ana')).not.toContain('The user lives in Lyon.')
    const everything = await bench.client.getAll({ ...as('ana'), showExpired: true })
    const over = everything.results.find((one) => one.memory === 'The user lives in Lyon.')
    expect(over?.expirationDate).not.toBeNull()
  })

  test('with infer: false keeps each message as it is and draws nothing from it', async () => {
    const results = await bench.add(
      [
        { role: 'user', content: 'I live in Lyon.' },
        { role: 'assistant', content: 'Lyon is lovely.' },
      ],
      { userId: 'ana', infer: false },
    )
    expect(results.map((one) => one.data.memory)).toEqual(['I live in Lyon.', 'Lyon is lovely.'])
    expect((await bench.textsOf('ana')).sort()).toEqual(['I live in Lyon.', 'Lyon is lovely.'])
  })

  test('with infer: false states something about the user, which is listed and goes when all is forgotten', async () => {
    await bench.add(say('Ana takes window seats.'), { userId: 'ana', infer: false })
    const scope = bench.server.keepsake.scope({ user: 'ana' })
    expect((await scope.memories()).map(({ text }) => text)).toEqual(['Ana takes window seats.'])
    const { turns } = await scope.remember({ role: 'user', text: 'Forget everything you know about me.' })
    await scope.drain()
    await scope.confirmRequest(turns[0] ?? '')
    expect(await bench.textsOf('ana')).toEqual([])
  })

  test('with infer: false keeps nothing of what a model thought aloud', async () => {
    const thought = '<think>She lives in Nice.</think>'
    const messages = ['Lyon is lovely.', ''].map((said) => ({
      role: 'assistant' as const,
      content: `${thought}${said}`,
    }))
    const results = await bench.add(messages, { userId: 'ana', infer: false })
    expect(results.map((one) => one.data.memory)).toEqual(['Lyon is lovely.'])
  })

  test('with infer: false has a memory at once, though an answer before it waits', async () => {
    await bench.add([...say('Hello.'), { role: 'assistant', content: 'Hello Ana.' }], {
      userId: 'ana',
      runId: 'one',
    })
    const results = await bench.add(say('Ana takes window seats.'), {
      userId: 'ana',
      runId: 'one',
      infer: false,
    })
    expect(results.map((one) => one.data.memory)).toContain('Ana takes window seats.')
  })

  test('does not double what equal requests add at the same time', async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => bench.add(say('My sister Mia lives in Bergen.'), { userId: 'ana' })),
    )
    const [first] = answers
    const idsOf = (answer: typeof first) => answer?.map(({ id }) => id).toSorted()
    for (const one of answers) expect(idsOf(one)).toEqual(idsOf(first))
    // Statements come before the message, which lists show on request only.
    const statements = await bench.textsOf('ana')
    const said = 'My sister Mia lives in Bergen.'
    expect(first?.map(({ data }) => data.memory)).toEqual([...statements.toReversed(), said])
    const asked = { filters: { user_id: 'ana', memory_type: 'utterance' } }
    expect((await bench.client.getAll(asked)).results.map(({ memory }) => memory)).toEqual([said])
  })

  test('takes a boolean that is sent as a string', async () => {
    await bench.add(say('I keep bees in Ghent.'), { userId: 'ana', infer: 'false' as never })
    expect(await bench.textsOf('ana')).toEqual(['I keep bees in Ghent.'])
    await expect(bench.add(say('I live in Lyon.'), { userId: 'ana', infer: 'no' as never })).rejects.toThrow(
      /infer: must be true or false/,
    )
  })

  test('takes an equal request for a new one after what it added is gone', async () => {
    const given = { userId: 'ana', infer: false }
    const [first] = await bench.add(say('Ana keeps bees.'), given)
    await bench.client.delete(first?.id ?? '')
    await bench.add(say('Ana keeps bees.'), given)
    expect(await bench.textsOf('ana')).toEqual(['Ana keeps bees.'])
    await bench.client.deleteUsers({ userId: 'ana' })
    await bench.add(say('Ana keeps bees.'), given)
    expect(await bench.textsOf('ana')).toEqual(['Ana keeps bees.'])
  })

  test('with a timestamp is idempotent, and says when it was', async () => {
    const given = { userId: 'ana', timestamp: 1_700_000_000, infer: false }
    const [first] = await bench.add(say('Ana keeps bees.'), given)
    const again = await bench.add(say('Ana keeps bees.'), { ...given, metadata: { again: true } })
    expect(again).toEqual([{ ...first, event: 'NOOP' }])
    const [memory] = (await bench.client.getAll(as('ana'))).results
    expect(memory?.createdAt).toBe(new Date(1_700_000_000_000).toISOString())
  })

  test('refuses what it cannot do instead of leaving it out', async () => {
    const refused: [object, RegExp][] = [
      [{ expirationDate: '2030-01-01' }, /expiration_date.*retention/],
      [{ agentCustomInstructions: 'Only food.' }, /custom_instructions.*preset/],
      [{ customCategories: [{ food: 'Food' }] }, /custom_categories.*no category of this server/],
      [{ inferr: false }, /inferr: is not known/],
      [{ timestamp: 1_700_000_000_000 }, /timestamp.*seconds/],
      [{ metadata: 'x' as never }, /metadata: must be an object/],
    ]
    for (const [options, message] of refused) {
      const adding = bench.client.add(say('I live in Lyon.'), { userId: 'ana', ...options })
      await expect(adding).rejects.toThrow(message)
      await expect(adding).rejects.toBeInstanceOf(ValidationError)
    }
    await expect(bench.client.add(say('Hi'), {})).rejects.toThrow(/user_id, agent_id, app_id and run_id/)
    const misspelt = [{ role: 'user' as const, contents: 'x' } as never]
    await expect(bench.client.add(misspelt, { userId: 'ana' })).rejects.toThrow(/messages/)
    expect(await bench.server.keepsake.scopes()).toEqual([])
  })

  test('keeps pictures as references and the words beside a tool call, and leaves out results of tools and empty messages', async () => {
    const picture = { type: 'image_url' as const, image_url: { url: 'x' } }
    const call = { id: 'c', type: 'function', function: { name: 'weather', arguments: '{}' } }
    const messages = [
      { role: 'user', content: picture },
      { role: 'user', content: [{ type: 'text', text: 'I sail a dinghy.' }, picture] },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c', content: '12 knots' },
      { role: 'assistant', content: 'Good wind today.', refusal: null, annotations: [] },
      { role: 'assistant', content: [] },
      { role: 'user' },
    ] as never
    const results = await bench.add(messages, { userId: 'ana', infer: false })
    expect(results.map(({ data }) => data.memory)).toEqual([
      '[image; url "x"]',
      'I sail a dinghy.\n[image; url "x"]',
      'Good wind today.',
    ])
    expect(await bench.add([{ role: 'user', content: [] }] as never, { userId: 'ben' })).toEqual([])
  })

  test('answers with an event to ask about when asked not to wait', async () => {
    const answer = (await bench.client.add(say('I live in Lyon.'), {
      userId: 'ana',
      async_mode: true,
    })) as unknown as {
      eventId: string
      status: string
    }
    expect(answer.status).toBe('PENDING')
    const event = async (key: string) =>
      fetch(`${bench.server.host}/v1/event/${answer.eventId}/`, {
        headers: { Authorization: `Token ${key}` },
      })
    await expect
      .poll(async () => ((await (await event('all')).json()) as { status: string }).status)
      .toBe('SUCCEEDED')
    const { results } = (await (await event('all')).json()) as { results: { event: string }[] }
    expect(results.map(({ event: what }) => what)).toEqual(['ADD', 'ADD'])
    expect((await event('reader')).status).toBe(404)
  })
})
