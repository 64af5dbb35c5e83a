import { describe, expect, it } from 'vitest'
import { InvalidInputError, openMemory, TurnConflictError } from 'keepsake'
import { openForTest } from './open-for-test.ts'
import { temporaryFile } from './temporary-file.ts'

const USER = { role: 'user' } as const

describe('remember', () => {
  it('keeps turns across a close and a reopening', async () => {
    const path = temporaryFile()
    const first = await openMemory({ path })
    await first.scope({ user: 'ana' }).remember({ ...USER, text: 'My bike is a green Peugeot.', id: 't1' })
    await first.close()
    const second = await openForTest({ path })
    const recall = await second.scope({ user: 'ana' }).recall('What bike is it?')
    expect(recall.memories[0]?.evidence[0]).toMatchObject({ turn: 't1', text: 'My bike is a green Peugeot.' })
  })

  it('stores what the assistant says without what it thinks, and no turn that is a thought alone', async () => {
    const ana = (await openForTest()).scope({ user: 'ana' })
    const stored = await ana.remember([
      { ...USER, text: 'What is <think> for?' },
      { role: 'assistant', text: '<thinking>She lives in Oslo.</thinking>A tag.' },
      { role: 'agent', text: '<think>And she keeps bees' },
    ])
    expect(stored.added).toBe(2)
    expect((await ana.turns()).map(({ text }) => text)).toEqual(['What is <think> for?', 'A tag.'])
    expect(await ana.remember({ role: 'assistant', text: '<think>Hm.</think>' })).toMatchObject({ added: 0 })
  })

  it('does not store a turn twice whose id is known', async () => {
    const keepsake = await openForTest()
    const ana = keepsake.scope({ user: 'ana' })
    const turn = { ...USER, text: 'I play the oboe.', id: 't1' }
    expect((await ana.remember(turn)).added).toBe(1)
    expect((await ana.remember(turn)).added).toBe(0)
    expect((await keepsake.stats()).turns).toBe(1)
  })

  it('of a message that comes again sees what another process stored in between', async () => {
    const path = temporaryFile()
    const [here, there] = [await openForTest({ path }), await openForTest({ path })]
    const hello = { ...USER, text: 'Hello.', id: 't1' } as const
    const ana = here.scope({ user: 'ana' })
    await ana.remember(hello)
    await ana.drain()
    await ana.recall('What do I keep?')
    // Agents' words wait for an answer, so that nothing but the turn itself is written.
    const bees = { role: 'assistant', text: 'You keep bees on the roof.', id: 't2' } as const
    await there.scope({ user: 'ana' }).remember(bees)
    await ana.remember(hello)
    const { memories } = await ana.recall('What do I keep?')
    expect(memories.flatMap(({ evidence }) => evidence.map(({ turn }) => turn))).toContain('t2')
  })

  it('gives the turns of a call with an id their own ids, so that the call can be repeated', async () => {
    const keepsake = await openForTest()
    const ana = keepsake.scope({ user: 'ana' })
    const turns = [
      { ...USER, text: 'Hello' },
      { role: 'assistant', text: 'Hi Ana' },
    ] as const
    expect((await ana.remember(turns, { id: 'call-1' })).turns).toEqual(['call-1/0', 'call-1/1'])
    expect((await ana.remember(turns, { id: 'call-1' })).added).toBe(0)
    await expect(ana.remember(turns, { id: ' ' })).rejects.toThrow(InvalidInputError)
  })

  it('refuses a known id with other words, keeps the first, and stores nothing of the call', async () => {
    const keepsake = await openForTest()
    const ana = keepsake.scope({ user: 'ana' })
    await ana.remember({ ...USER, text: 'I have a cat.', id: 't1' })
    const call = ana.remember([
      { ...USER, text: 'I have a parrot.', id: 't2' },
      { ...USER, text: 'I have a dog.', id: 't1' },
    ])
    await expect(call).rejects.toThrow(TurnConflictError)
    await expect(call).rejects.toMatchObject({ code: 'turn-conflict', details: { turn: 't1' } })
    expect((await keepsake.stats()).turns).toBe(1)
  })

  it.each<readonly [string, unknown, RegExp]>([
    ['an unknown role', { role: 'narrator', text: 'x' }, /turn\.role must be one of user, assistant/],
    ['no text', { role: 'user' }, /turn\.text must be a string/],
    ['a time that is none', { role: 'user', text: 'x', at: 'soon' }, /turn\.at must be a Date/],
    ...['02/11/2026', '7', 'May 5, 2025', '2025-05-05 or so', '12:30'].map(
      (at) => [`the time ${at}`, { role: 'user', text: 'x', at }, /ISO 8601 string, but it is/] as const,
    ),
    ['an unknown time zone', { role: 'user', text: 'x', timeZone: 'Mars/Olympus' }, /not a time zone/],
    ['an empty id', { role: 'user', text: 'x', id: ' ' }, /turn\.id must be a non-empty string/],
    ['no turn at all', null, /pass messages like/],
    ['an empty text', { role: 'user', text: '' }, /turn\.text is empty: leave out turns without words/],
    ['a text of blanks', { role: 'user', text: ' \n\t ' }, /turn\.text is empty/],
    ['a role of another library', { role: 'human', text: 'x' }, /but it is "human"/],
    ...['time', 'ts', 'timestamp', 'createdAt', 'created_at', 'date'].map(
      (name) => [name, { role: 'user', text: 'x', [name]: 5 }, /Did you mean "at"\?/] as const,
    ),
  ])('refuses %s and says what is wrong', async (_, turn, message) => {
    const keepsake = await openForTest()
    const call = keepsake.scope({ user: 'ana' }).remember(turn as never)
    await expect(call).rejects.toThrow(InvalidInputError)
    await expect(call).rejects.toThrow(message)
    expect((await keepsake.stats()).turns).toBe(0)
  })

  it.each([
    ['a megabyte', 'lorem ipsum dolor '.repeat(58_000)],
    ['right to left', 'גרתי בתל אביב לפני שעברתי לברלין'],
    ['emoji', '👩‍👩‍👧‍👦🏳️‍🌈🇫🇷 I ❤️ 🍜'],
    ['mixed scripts', 'I live in 北京 with Ωmega и кот 🐈'],
  ])('takes a turn that is %s, and gives it back as it was', async (_, text) => {
    const keepsake = await openForTest()
    const ana = keepsake.scope({ user: 'ana' })
    await ana.remember({ ...USER, text, id: 't1' }, { session: 's' })
    await ana.endSession()
    await keepsake.drain()
    const [utterance] = await ana.memories({ forms: ['utterance'] })
    expect(utterance?.text).toBe(text)
  })

  it('drops control characters but tabs and ends of lines, and composes what was typed in pieces', async () => {
    const keepsake = await openForTest()
    const ana = keepsake.scope({ user: 'ana' })
    const controls = String.fromCharCode(...Array.from({ length: 32 }, (_, code) => code))
    await ana.remember({ ...USER, text: `a cafe\u0301${controls}\u007f\u0085\u009fin Lyon` })
    expect((await ana.recall('café')).memories[0]?.memory.text).toBe('a café\t\n\v\f\r\u0085in Lyon')
  })

  it('makes lone surrogates, which no file can hold, into replacement characters', async () => {
    const keepsake = await openForTest()
    const ana = keepsake.scope({ user: 'ana' })
    await ana.remember({ ...USER, text: 'half \ud83d emoji' })
    expect((await ana.recall('emoji')).memories[0]?.memory.text).toBe('half \ufffd emoji')
  })

  it('takes turns out of order of time', async () => {
    const keepsake = await openForTest()
    const ana = keepsake.scope({ user: 'ana' })
    await ana.remember([
      { ...USER, text: 'The comet comes.', at: '2022-01-01T00:00:00Z' },
      { ...USER, text: 'The comet went.', at: '1986-02-09T00:00:00Z' },
    ])
    const { memories } = await ana.recall('comet')
    expect(
      memories
        .map((recalled) => new Date(recalled.memory.validFrom).getUTCFullYear())
        .sort((one, other) => one - other),
    ).toEqual([1986, 2022])
  })

  it('takes 3,000 turns in one call', async () => {
    const keepsake = await openForTest({ preset: 'naive-rag' })
    const ana = keepsake.scope({ user: 'ana' })
    const turns = Array.from({ length: 3_000 }, (_, n) => ({
      ...USER,
      text: `Note ${n}: all is well.`,
      id: `t${n}`,
    }))
    expect((await ana.remember(turns)).added).toBe(3_000)
    expect((await keepsake.stats()).turns).toBe(3_000)
  })

  it('stores nothing of turns and sessions that are not to be remembered', async () => {
    const keepsake = await openForTest()
    const ana = keepsake.scope({ user: 'ana' })
    await ana.remember([
      { ...USER, text: 'Between us: I hate my boss.', remember: false },
      { ...USER, text: 'I like rain.' },
    ])
    await keepsake.drain()
    const nothing = { turns: [], added: 0, session: null, lastOperation: 0, maskedSecrets: [] }
    expect(await ana.remember({ ...USER, text: 'A secret.' }, { remember: false })).toEqual(nothing)
    expect([(await keepsake.stats()).turns, await keepsake.jobs()]).toEqual([1, []])
  })

  it('masks secrets before they are stored, and says how many', async () => {
    const keepsake = await openForTest()
    const ana = keepsake.scope({ user: 'ana' })
    const result = await ana.remember({ ...USER, text: 'My card is 4242 4242 4242 4242, please book it.' })
    expect(result.maskedSecrets).toEqual([{ kind: 'card number', count: 1 }])
    const { memories } = await ana.recall('card')
    expect(memories[0]?.memory.text).not.toContain('4242 4242')
    expect(memories[0]?.memory.text).toContain('please book it')
  })

  it('starts a new session after a long silence, where none is named', async () => {
    const keepsake = await openForTest()
    const ana = keepsake.scope({ user: 'ana' })
    await ana.remember({ ...USER, text: 'Good morning.', at: '2024-03-04T08:00:00Z' })
    await ana.remember({ ...USER, text: 'Still here.', at: '2024-03-04T08:10:00Z' })
    await ana.remember({ ...USER, text: 'Next day.', at: '2024-03-05T09:00:00Z' })
    await keepsake.drain()
    const sessions = await ana.sessions()
    expect(sessions.map((session) => [session.number, session.endedAt !== null])).toEqual([
      [1, true],
      [2, false],
    ])
  })

  it('stores nothing when it is aborted before', async () => {
    const keepsake = await openForTest()
    const call = keepsake
      .scope({ user: 'ana' })
      .remember({ ...USER, text: 'x' }, { abortSignal: AbortSignal.abort() })
    await expect(call).rejects.toThrow(/abort/i)
    expect((await keepsake.stats()).turns).toBe(0)
  })

  it('keeps every turn of 200 calls made at once, none twice', async () => {
    const keepsake = await openForTest()
    const ana = keepsake.scope({ user: 'ana' })
    const calls = Array.from({ length: 200 }, (_, n) =>
      ana.remember({ ...USER, text: `Fact ${n % 100}.`, id: `t${n % 100}` }),
    )
    const results = await Promise.all(calls)
    expect(results.reduce((sum, result) => sum + result.added, 0)).toBe(100)
    expect((await keepsake.stats()).turns).toBe(100)
  })
})
