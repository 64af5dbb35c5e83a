import { openMemory, type Keepsake, type ScopedMemory } from 'keepsake'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const MONDAY = Date.parse('2026-03-02T10:00:00Z')
const at = (day: string): number => Date.parse(`${day}T10:00:00Z`)

let now = MONDAY
let keepsake: Keepsake
let ana: ScopedMemory

beforeEach(async () => {
  now = MONDAY
  keepsake = await openMemory({ path: ':memory:', now: () => now })
  ana = keepsake.scope({ user: 'ana' })
})

afterEach(() => keepsake.close())

async function say(...texts: string[]): Promise<void> {
  for (const text of texts) await ana.remember({ role: 'user', text, at: now })
  await ana.drain()
}

const profile = async (): Promise<string> => (await ana.profile()).lines.map(({ text }) => text).join('; ')
const day = (time: number | null | undefined): string | null =>
  time === null || time === undefined ? null : new Date(time).toISOString().slice(0, 10)

describe('an end that rules read', () => {
  it.each([
    ["I'm in Lisbon until Friday.", 'whereabouts', '2026-03-07'],
    ["We're staying with my sister until Sunday.", 'whereabouts', '2026-03-09'],
    ['My parking permit is valid till 3 March.', 'possessions', '2026-03-04'],
    ['My passport expires on 12 May 2027.', 'possessions', '2027-05-13'],
    ["I'm living in Porto until the end of August.", 'residence', '2026-09-01'],
    ['我在里斯本待到周五。', 'whereabouts', '2026-03-07'],
    ['我的停车证有效期到3月3日。', 'possessions', '2026-03-04'],
    ['我的签证2027年6月30日到期。', 'possessions', '2027-07-01'],
    ['我休假到下周三。', 'whereabouts', '2026-03-12'],
    ['我在上海住到月底。', 'whereabouts', '2026-04-01'],
  ])('%s', async (text, key, end) => {
    await say(text)
    const facts = await ana.memories({ forms: ['fact'] })
    expect(facts.map((fact) => [fact.key, day(fact.validUntil)])).toEqual([[key, end]])
  })

  it.each([
    'I was in Rome until May.',
    "I'm in two minds until I hear from him.",
    'My patience runs out.',
    "I'm at home until next week.",
    '我到3月3日就工作三年了。',
    '我在等周五。',
  ])('is none in “%s”', async (text) => {
    await say(text)
    expect((await ana.memories({ forms: ['fact'] })).map(({ validUntil }) => validUntil)).toEqual([])
  })

  it('is of its own clause alone', async () => {
    await say('I live in Porto, but my permit is valid until June.')
    const [home] = await ana.memories({ key: 'residence' })
    expect(home?.validUntil).toBeNull()
  })
})

describe('a memory with an end', () => {
  it('is current before it and not after it, and still so as of an earlier time', async () => {
    await say("I'm in Lisbon until Friday.")
    expect(await profile()).toContain('is in Lisbon until Friday')
    const question = 'Where is Ana staying?'
    expect((await ana.recall(question)).context.text).toContain('until 2026-03-06] "The user is in Lisbon')
    now = at('2026-03-09')
    expect(await profile()).toBe('')
    expect((await ana.recall(question)).context.text).toContain('no longer current as of 2026-03-07')
    expect((await ana.memories({ validAt: now })).length).toBe(0)
    const before = await ana.recall(question, { asOf: '2026-03-04T00:00:00Z' })
    expect(before.context.text).toContain('until 2026-03-06]')
  })

  it('leaves the profile at its very moment, though the profile stands for an hour', async () => {
    await ana.addFact('The user lives in Porto.', {
      key: 'residence',
      value: 'Porto',
      until: MONDAY + 60_000,
    })
    expect(await profile()).toContain('Porto')
    now += 60_000
    expect(await profile()).toBe('')
    now -= 60_000
    expect(await profile()).toContain('Porto')
  })

  it('has its end moved and lifted by edit, which undo takes back', async () => {
    const permit = await ana.addFact('The user has a parking permit.', { until: '2026-03-03T23:00:00Z' })
    expect(day(permit.validUntil)).toBe('2026-03-03')
    await ana.edit(permit.id, { until: '2026-06-30T00:00:00Z' })
    const lifted = await ana.edit(permit.id, { until: null })
    const read = async () => (await ana.memories({ ids: [permit.id] }))[0]?.validUntil
    expect(await read()).toBeNull()
    await ana.undo(lifted.id)
    expect(day(await read())).toBe('2026-06-30')
    await expect(ana.edit(permit.id, { until: '2020-01-01' })).rejects.toThrow(
      /edit.until must not be before/,
    )
    await expect(ana.edit(permit.id, { until: 'soon' })).rejects.toThrow(/edit.until must be a Date/)
  })

  it('takes a later end, ends early, and is so again after its end', async () => {
    await say("I'm in Lisbon until Friday.")
    now = at('2026-03-04')
    await say("I'm in Lisbon until Sunday.")
    const ends = async () => (await ana.memories({ key: 'whereabouts' })).map((one) => day(one.validUntil))
    expect(await ends()).toEqual(['2026-03-09'])
    now = at('2026-03-20')
    await say("I'm in Lisbon until Monday.")
    expect(await profile()).toContain('is in Lisbon until Monday')
    now = at('2026-03-21')
    await say('I live in Porto.', 'I moved to Lyon.')
    expect(await profile()).toContain('Lyon')
  })

  it('gives place to a new value at once', async () => {
    await ana.addFact('The user works at Acme.', { key: 'employer', value: 'Acme', until: '2026-12-31' })
    await say('I work at Siemens.')
    const line = await profile()
    expect(line).toContain('Siemens')
    expect(line).not.toContain('Acme')
  })
})

describe('spans', () => {
  beforeEach(async () => {
    now = at('2026-01-10')
    await say('I live in Bristol. I have a cat called Milo.')
    now = at('2026-03-02')
    await say('I moved to Lisbon. My brother is called Tom.')
    now = at('2026-05-01')
  })

  it('narrow a recall to when it was said, and to when it was so', async () => {
    const said = await ana.recall('Where does Ana live?', { said: { from: '2026-03', to: '2026-03' } })
    expect(said.context.text).toContain('Lisbon')
    expect(said.memories.map(({ memory }) => memory.text).join()).not.toContain('Milo')
    const during = await ana.recall('Where did Ana live?', { during: { to: '2026-02-15' } })
    expect(during.memories.map(({ memory }) => memory.text).join()).toContain('Bristol')
    expect(during.memories.map(({ memory }) => memory.text).join()).not.toContain('Tom')
    const whole = await ana.recall('What do you know about me?', { said: { to: '2026-01-31' } })
    expect(whole.context.text).not.toContain('"I moved to Lisbon')
  })

  it('narrow lists and counts, with open sides and whole days', async () => {
    const texts = async (filter: Parameters<ScopedMemory['memories']>[0]) =>
      (await ana.memories({ forms: ['fact'], ...filter })).map(({ key }) => key)
    expect(await texts({ said: { from: '2026-03-02', to: '2026-03-02' } })).toEqual(['residence', 'siblings'])
    expect(await texts({ said: { from: '2026-03-03' } })).toEqual([])
    expect(await texts({ during: { to: '2026-01-31' } })).toEqual(['residence', 'pets'])
    expect(await texts({ during: { from: '2026-04' } })).toEqual(['pets', 'residence', 'siblings'])
    expect(await ana.admin.countMemories({ forms: ['fact'], during: { from: '2026-04' } })).toBe(3)
    const utterances = await ana.memories({
      forms: ['utterance'],
      during: { from: '2026-02', to: '2026-04' },
    })
    expect(utterances.map(({ text }) => text)).toEqual(['I moved to Lisbon. My brother is called Tom.'])
  })

  it.each([
    [{}, /during names neither from nor to/],
    [{ from: '2026-03-02', to: '2026-03-01' }, /during ends before it begins/],
    [{ from: 'spring' }, /during.from must be a Date/],
    [{ form: '2026' }, /during has no field "form". Did you mean "from"\?/],
    ['2026', /during must be a span such as/],
  ])('are refused when they are %j', async (during, message) => {
    await expect(ana.recall('Where?', { during: during as object })).rejects.toThrow(message)
    await expect(ana.memories({ during: during as object })).rejects.toThrow(message)
  })
})

describe('what falls due', () => {
  const lines = async (span: Parameters<ScopedMemory['due']>[0]) =>
    (await ana.due(span)).map(({ kind, at: time, memory }) => `${day(time)} ${kind} ${memory.key}`)

  it('is listed with its day and its evidence, in English', async () => {
    await say(
      'I have a dentist appointment on Friday at 3.',
      'My flight to Rome is on 3 April.',
      'My birthday is on 9 August.',
      "My sister's birthday is on 4 May.",
      "I'm in Lisbon until Friday.",
      'I moved to Leeds on Friday.',
    )
    expect(await lines({ from: '2026-03-01', to: '2026-12-31' })).toEqual([
      '2026-03-06 plan plans',
      '2026-03-06 end whereabouts',
      '2026-04-03 plan plans',
      '2026-05-04 yearly anniversaries',
      '2026-08-09 yearly birthday',
    ])
    const [dentist] = await ana.due({ from: '2026-03-06', to: '2026-03-06' })
    expect(dentist?.isWholeDay).toBe(true)
    expect(dentist?.memory.evidence[0]?.quote).toBe('I have a dentist appointment on Friday at 3.')
    expect(await lines({ from: '2028-08', to: '2029-08' })).toEqual([
      '2028-08-09 yearly birthday',
      '2029-05-04 yearly anniversaries',
      '2029-08-09 yearly birthday',
    ])
    expect(await ana.due({ from: '2026-03-01', limit: 2 })).toHaveLength(2)
  })

  it('is listed in Chinese', async () => {
    await say(
      '我下周二有个面试。',
      '我周五下午约了牙医。',
      '我的生日是8月9日。',
      '我的停车证有效期到3月3日。',
    )
    expect(await lines({ from: '2026-03-01', to: '2026-12-31' })).toEqual([
      '2026-03-03 end possessions',
      '2026-03-06 plan plans',
      '2026-03-10 plan plans',
      '2026-08-09 yearly birthday',
    ])
  })

  it('is from now on without a span, and leaves out what was dropped', async () => {
    await expect(ana.due({ from: '2026-05', to: '2026-04' })).rejects.toThrow(/ends before it begins/)
    await say('My birthday is on 9 August.')
    expect((await lines({}))[0]).toBe('2026-08-09 yearly birthday')
    const [birthday] = await ana.due({ from: '2026-08', to: '2026-08' })
    await ana.forget(birthday?.memory.id ?? '')
    expect(await ana.due({ from: '2026-08', to: '2026-08' })).toEqual([])
  })
})
