import { afterEach, describe, expect, it } from 'vitest'
import { openMemory, type Keepsake, type Recall, type ScopedMemory } from 'keepsake'

const DAY = 86_400_000
const START = Date.UTC(2026, 2, 2, 18)

let keepsake: Keepsake | undefined
afterEach(async () => {
  await keepsake?.close()
  keepsake = undefined
})

/** A talk of sessions, a fortnight apart; what begins with `>` the agent said. */
async function talk(sessions: readonly (readonly string[])[], user = 'ana'): Promise<ScopedMemory> {
  let now = START
  keepsake = await openMemory({ path: ':memory:', now: () => now })
  const scope = keepsake.scope({ user })
  for (const [index, lines] of sessions.entries()) {
    const at = START + index * 14 * DAY
    now = at + lines.length * 60_000
    const turns = lines.map((line, place) => ({
      id: `s${index}t${place}`,
      role: line.startsWith('>') ? ('assistant' as const) : ('user' as const),
      text: line.replace(/^> /, ''),
      at: at + place * 60_000,
    }))
    await scope.remember(turns, { session: `s${index}` })
    await scope.endSession(`s${index}`)
    await keepsake.drain()
  }
  now += 2 * DAY
  return scope
}

const ENGLISH = [
  [
    'Evening! I work nights at the post depot, so forgive my spelling.',
    '> No need. How was the weekend?',
    'My sister Ines came over with the twins, and we burnt the paella.',
    '> You must be from Valencia, then.',
    'Not at all, we grew up in Cork. My mother still lives there.',
  ],
  [
    'Doctor says I have asthma after all. I have to carry an inhaler.',
    '> That is good to know.',
    'And the landlord sold the house, we have to be out by June.',
    'I broke my wrist as well, on the stairs of that very house.',
  ],
  [
    'We moved to Galway on Friday! The flat has a tiny garden.',
    '> Wonderful. And the depot?',
    'I gave notice there. I am training as a baker now.',
    '> Shall I remind you to book the dentist?',
    'Please do. My son Milo starts school in autumn, imagine.',
  ],
]

const CHINESE = [
  [
    '我在邮局上夜班，写得乱别介意。',
    '> 没事。周末过得好吗？',
    '我妹妹带着双胞胎来了，我们把饭烧糊了。',
    '我妈还住在老家绍兴。',
  ],
  [
    '医生说我有哮喘，得随身带喷雾。',
    '> 记住了。',
    '房东把房子卖了，六月前要搬走。',
    '我在楼梯上把手腕摔骨折了。',
  ],
  [
    '我们礼拜五搬到宁波了！有个小院子。',
    '> 太好了，邮局呢？',
    '我辞职了，现在在学烘焙。',
    '我儿子小满秋天上小学，时间真快。',
  ],
]

const lines = ({ context }: Recall): string[] => context.text.split('\n')

describe('a question for the whole of a person', () => {
  it('is told from everywhere: work, home, family, health, in the order it happened', async () => {
    const ana = await talk(ENGLISH)
    const recall = await ana.recall('Tell me about myself.')
    expect(recall.known).toBe(true)
    for (const told of ['post depot', 'Cork', 'asthma', 'Galway', 'baker', 'Milo'])
      expect(recall.context.text).toContain(told)
    const days = lines(recall).filter((line) => /^\[\d{4}/.test(line))
    expect(days).toEqual(days.toSorted())
    expect(new Set(recall.memories.map(({ memory }) => memory.id))).toEqual(new Set(recall.context.shown))
  })

  it('is the same asked by name', async () => {
    const ana = await talk(ENGLISH)
    const [byName, bySelf] = [await ana.recall('Tell me about Ana.'), await ana.recall('Tell me about me.')]
    expect(byName.context.text).toBe(bySelf.context.text)
  })

  it('keeps to the matter that it names', async () => {
    const ana = await talk(ENGLISH)
    const { context } = await ana.recall('What should you know about my health?')
    expect(context.text).toContain('asthma')
    expect(context.text).toContain('wrist')
    expect(context.text).not.toContain('paella')
    const people = await ana.recall('Who matters in my life?')
    for (const name of ['Ines', 'mother', 'Milo']) expect(people.context.text).toContain(name)
  })

  it('is told in Chinese', async () => {
    const lan = await talk(CHINESE, 'lan')
    const whole = await lan.recall('说说你了解的我吧。')
    for (const told of ['邮局', '绍兴', '哮喘', '宁波', '小满']) expect(whole.context.text).toContain(told)
    // What is of the topic comes first; what the search finds beside it follows where there is room.
    const health = await lan.recall('关于我的身体，你得知道些什么？', { profile: false, tokens: 60 })
    expect(health.context.text).toMatch(/哮喘.*骨折/s)
    expect(health.context.text).not.toMatch(/绍兴|小满|宁波/)
  })

  it('takes as many memories as were asked for at most', async () => {
    const ana = await talk(ENGLISH)
    const { memories, context } = await ana.recall('Tell me about myself.', { limit: 3 })
    expect(memories).toHaveLength(3)
    expect(context.memories).toBeLessThanOrEqual(3)
  })
})

describe('a question for a talk or a time', () => {
  it('is told of the last talk, in its order', async () => {
    const ana = await talk(ENGLISH)
    const { context, known } = await ana.recall('What did we talk about last time?')
    expect(known).toBe(true)
    expect(context.text).toMatch(/Galway.*baker.*Milo/s)
    expect(context.text).not.toMatch(/asthma"|paella/)
    const lan = await talk(CHINESE, 'lan')
    expect((await lan.recall('我们上次聊了什么？')).context.text).toMatch(/宁波.*烘焙.*小满/s)
  })

  it('does not take the talk under way for the last one', async () => {
    const ana = await talk(ENGLISH)
    await ana.remember({ role: 'user', text: 'Hello again, the bread is in the oven.' }, { session: 'now' })
    expect((await ana.recall('What did we talk about last time?')).context.text).toContain('Galway')
  })

  it('is told of a month', async () => {
    const ana = await talk(ENGLISH)
    const { context } = await ana.recall('What happened in the middle of March?')
    expect(context.text).toContain('asthma')
    const lan = await talk(CHINESE, 'lan')
    expect((await lan.recall('三月份发生了什么？')).context.text).toContain('哮喘')
  })

  it('is told of the time before something, found by what it was', async () => {
    const ana = await talk(ENGLISH)
    const { context } = await ana.recall('What happened just before we moved to Galway?')
    expect(context.text).toContain('landlord sold the house')
    const lan = await talk(CHINESE, 'lan')
    expect((await lan.recall('搬到宁波之前那阵子发生了什么？')).context.text).toContain('房东')
  })
})

describe('the context of a question', () => {
  it('shows no more than what is returned where most likely nothing is known, and shows it whole', async () => {
    const ana = await talk(ENGLISH)
    const { answerable, context } = await ana.recall('Is helium denser than argon?')
    expect(answerable).toBe('no')
    expect(context.memories).toBeLessThanOrEqual(10)
    expect(context.text).not.toContain('…')
  })

  it('leaves out what whoever reads it sees anyway', async () => {
    const ana = await talk(ENGLISH)
    const [text] = ENGLISH[2] ?? []
    const question = 'Does our flat have a garden?'
    expect((await ana.recall(question, { profile: false })).context.text).toContain(text)
    expect(
      (await ana.recall(question, { profile: false, excludeTexts: [text ?? ''] })).context.text,
    ).not.toContain(text)
  })

  it('marks what the agent guessed of the user', async () => {
    const ana = await talk([['I cook a lot.'], ['> Your brother Pau must be proud of you.']])
    const { context } = await ana.recall('What did you say about my brother?')
    expect(context.text).toMatch(/agent \(unconfirmed\): "Your brother Pau/)
    // A guess is no answer about the user.
    expect((await ana.recall('What is my brother called?')).context.text).not.toContain('Pau')
  })
})

describe('the profile', () => {
  it('says who somebody is and what to mind, and what each line rests on', async () => {
    const ana = await talk([
      ['My name is Ana. I am allergic to peanuts. I live in Lyon.', '> Noted!', 'I work as a baker.'],
    ])
    const { lines: told } = await ana.profile()
    expect(told.map(({ slot }) => slot)).toEqual(expect.arrayContaining(['name', 'health', 'home', 'work']))
    expect(told.find(({ slot }) => slot === 'health')).toMatchObject({
      text: expect.stringContaining('peanuts'),
      evidence: [{ turn: 's0t0' }],
    })
    const turns = new Set(['s0t0', 's0t2'])
    for (const { evidence } of told) for (const { turn } of evidence) expect(turns).toContain(turn)
  })

  it('stands ahead of what is found, and can be left out', async () => {
    const ana = await talk([
      ['My name is Ana. I am allergic to peanuts. I live in Lyon.'],
      ['I bought a red bicycle.'],
    ])
    const recall = await ana.recall('What colour is my bicycle?')
    expect(lines(recall)[0]).toContain('Ana')
    expect(recall.profile.lines.length).toBeGreaterThan(0)
    const without = await ana.recall('What colour is my bicycle?', { profile: false })
    expect(without.context.text).not.toContain('[about the user')
    expect(without.profile.lines).toEqual([])
  })

  it('costs at most 150 tokens, however much is known', async () => {
    const kin = ['Ann', 'Ben', 'Cleo', 'Dan', 'Eve', 'Finn', 'Gus', 'Hal'].map(
      (name) => `My cousin is called ${name}.`,
    )
    const ana = await talk([
      ['My name is Ana.', 'I live in Lyon.', 'I am allergic to peanuts and to kiwi.', ...kin],
    ])
    const [whole, without] = [
      await ana.recall('Where do I live?'),
      await ana.recall('Where do I live?', { profile: false }),
    ]
    expect(whole.profile.lines.length).toBeGreaterThan(2)
    expect(whole.context.tokens - without.context.tokens).toBeLessThanOrEqual(150)
  })

  it('holds nothing that was replaced, forgotten on request or removed', async () => {
    const ana = await talk([['I live in Porto.', 'I am allergic to peanuts.'], ['I moved to Lyon.']])
    expect(JSON.stringify(await ana.profile())).toContain('Lyon')
    expect(JSON.stringify(await ana.profile())).not.toContain('Porto')
    const [allergy] = (await ana.memories({ forms: ['fact'] })).filter(({ text }) => text.includes('peanuts'))
    await ana.forget(allergy?.id ?? '')
    expect(JSON.stringify(await ana.profile())).not.toContain('peanuts')
    await ana.remember({ role: 'user', text: 'Please forget that I live in Lyon.' })
    await keepsake?.drain()
    expect(JSON.stringify(await ana.profile())).not.toContain('Lyon')
  })

  it('says what is known in plain words, and quotes no talk', async () => {
    const ana = await talk([
      ['My name is Ana. I live in Lyon. My sister is called Ines. I work as a nurse.'],
      ['Ugh. I was told something about my blood that the consultant could not spell.'],
    ])
    expect((await ana.profile()).lines.map(({ text }) => text)).toEqual([
      'is called Ana',
      'lives in Lyon',
      'works as a nurse',
      'sister Ines',
    ])
    expect(lines(await ana.recall('Where do I live?'))[0]).toMatch(/^- \[about the user\] "/)
  })

  it('leaves out what is pasted or put in doubt', async () => {
    const ana = await talk([
      ['Can you answer this mail? "I am allergic to nuts and I work as a lawyer. Yours, Tom"'],
      ['My husband is called Karl. We are going to see the sea.'],
      ['I said goodbye to Karl.'],
    ])
    expect((await ana.profile()).lines).toEqual([])
  })

  it('is there in Chinese', async () => {
    const lan = await talk([['我叫兰兰，我住在绍兴，我对花生过敏。']], 'lan')
    const told = (await lan.profile()).lines.map(({ text }) => text).join('\n')
    for (const known of ['绍兴', '花生']) expect(told).toContain(known)
  })

  it('is empty for somebody who is not known', async () => {
    keepsake = await openMemory({ path: ':memory:' })
    expect(await keepsake.scope({ user: 'nobody' }).profile()).toEqual({ lines: [] })
  })

  it('is of the one who talks also where their turns carry a name', async () => {
    keepsake = await openMemory({ path: ':memory:' })
    const ana = keepsake.scope({ user: 'u-17' })
    const said = (text: string) => ({ role: 'user' as const, speaker: 'Ana', text })
    await ana.remember([said('I live in Galway.'), said('My sister is called Ines.')], { session: 's1' })
    await ana.endSession('s1')
    await keepsake.drain()
    const told = (await ana.profile()).lines
    expect(told.find(({ slot }) => slot === 'home')).toMatchObject({ text: 'lives in Galway' })
    expect(told.map(({ text }) => text).join()).toMatch(/Galway.*Ines/)
  })
})
