import { openMemory, type Keepsake, type ScopedMemory } from 'keepsake'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { TWO_STEP_TALKS, type TwoStepTalk } from './two-step-questions.ts'

const DAY_MS = 86_400_000
const START = Date.parse('2026-03-02T10:00:00Z')

let now = START
let keepsake: Keepsake
let nora: ScopedMemory

beforeEach(async () => {
  now = START
  keepsake = await openMemory({ path: ':memory:', now: () => now })
  nora = keepsake.scope({ user: 'nora' })
})

afterEach(() => keepsake.close())

async function say(...texts: string[]): Promise<void> {
  for (const text of texts) await nora.remember({ role: 'user', text, at: now })
  await nora.drain()
}

const walk = async (name: string, depth: 1 | 2 = 1): Promise<string[]> =>
  (await nora.about(name, { depth })).edges.map(({ from, relation, to }) => `${from} ${relation} ${to}`)

describe('entities', () => {
  it('are those that the user’s own words relate, with evidence', async () => {
    await say(
      'My sister Mia is here.',
      "Mia's husband is called Paul. Paul works at Lufthansa.",
      'I like tea.',
    )
    const entities = await nora.entities()
    expect(entities.map(({ name, relations }) => [name, relations])).toEqual([
      ['Mia', ['sister']],
      ['Paul', []],
    ])
    const { edges, neighbours, statements } = await nora.about('mia', { depth: 2 })
    const sister = edges.find(({ relation }) => relation === 'sister')
    expect(sister?.evidence.map(({ quote }) => quote)).toContain('My sister Mia is here.')
    expect(neighbours.map(({ name, distance }) => [name, distance])).toEqual([
      ['user', 1],
      ['Paul', 1],
    ])
    expect(statements.length).toBeGreaterThan(1)
  })

  it('are those of a corrected fact, and no more those of the words that were wrong', async () => {
    await say('My aunt is called Rosalind.', 'My uncle is called Peter.', 'My cousin Kim is kind.')
    const facts = await nora.memories({ forms: ['fact'] })
    const factOf = (name: string) => facts.find(({ text }) => text.includes(name))
    const [aunt, uncle] = [factOf('Rosalind'), factOf('Peter')]
    now += DAY_MS
    await nora.edit(aunt?.id ?? '', { text: "The user's aunt is called Rosa.", at: aunt?.validFrom ?? 0 })
    await nora.edit(uncle?.id ?? '', { text: "The user's uncle is called Pete." })
    const names = (await nora.entities()).map(({ name }) => name)
    expect(names.toSorted()).toEqual(['Kim', 'Pete', 'Rosa'])
    expect((await nora.persona()).subjects.flatMap(({ entries }) => entries)).toSatisfy(
      (entries: unknown) => !JSON.stringify(entries).includes('aunt Rosalind'),
    )
    expect((await nora.about('my aunt')).entity.name).toBe('Rosa')
  })

  it('are counted by whole words', async () => {
    await say('My sister Mia is here.', 'Miami is hot.', "I like Mia's garden.")
    const named = (await nora.about('Mia')).statements.map(({ text }) => text)
    expect(named).toContain("I like Mia's garden.")
    expect(named).not.toContain('Miami is hot.')
  })

  it('are named without the ending of an owner', async () => {
    await say("My friend Omar's dog is called Bo.")
    expect((await walk('Omar')).toSorted()).toEqual(['Omar dog Bo', 'user friend Omar'])
    expect((await nora.entities()).map(({ name }) => name)).toEqual(['Omar', 'Bo'])
  })

  it('are walked to a depth of two, and no further', async () => {
    await say('My friend Omar has a sister called Leila.', "Leila's boss is Ada.", "Ada's dog is called Rex.")
    expect(await walk('Omar')).toEqual(['user friend Omar', 'Omar sister Leila'])
    expect(await walk('Omar', 2)).toEqual(['user friend Omar', 'Omar sister Leila', 'Leila boss Ada'])
  })

  it('are whom the facts of a model are about, and what their keys say, however a sentence is put', async () => {
    const added = [
      ['There is a younger one in Oslo.', { key: 'siblings', value: 'a brother named Leo' }],
      ['Leo and Nina are a couple.', { subject: 'Leo', key: 'partner', value: 'Nina' }],
      ['Karin sings.', { subject: 'Karin' }],
      ['Sleeps a lot.', { subject: 'The dog', key: 'pets', value: 'two dogs' }],
    ] as const
    for (const [text, options] of added) await nora.addFact(text, options)
    expect((await nora.entities()).map(({ name }) => name).toSorted()).toEqual(['Karin', 'Leo', 'Nina'])
    expect(await walk('Leo')).toEqual(['user brother Leo', 'Leo partner Nina'])
    const [brother] = (await nora.about('Leo')).edges
    expect(brother?.evidence.map(({ quote }) => quote)).toEqual(['There is a younger one in Oslo.'])
    const { edges, statements } = await nora.about('Karin')
    expect([edges, statements.map(({ text }) => text)]).toEqual([[], ['Karin sings.']])
  })

  it('merge a first name with the only full name that it begins', async () => {
    await say('My boss is Tom Miller.', "Tom's wife is Elena.")
    expect(await walk('Tom')).toEqual(['user boss Tom Miller', 'Tom Miller wife Elena'])
    expect((await nora.about('Tom')).entity.aliases).toEqual(['Tom'])
  })

  it.each([
    [
      ['My friend Eva from Delft has a boat.', 'My aunt Eva is a judge.', 'Eva from Delft sold her boat.'],
      ['aunt Eva', 'friend Eva'],
      ['What does my aunt Eva own?', 'judge', 'boat'],
    ],
    [
      ['我朋友叫王芳，她有一条船。', '我阿姨叫王芳，她是法官。'],
      ['朋友王芳', '阿姨王芳'],
      ['我阿姨王芳有什么？', '法官', '船'],
    ],
  ] as const)('of one name are apart where no one has both relations: %j', async (said, names, asked) => {
    await say(...said)
    expect((await nora.entities()).map(({ name }) => name).toSorted()).toEqual(names.toSorted())
    const [question, own, other] = asked
    const { text } = (await nora.recall(question)).context
    expect([text.includes(own), text.includes(other)]).toEqual([true, false])
    const statementsOf = await Promise.all(names.map(async (name) => (await nora.about(name)).statements))
    expect(statementsOf.map((statements) => statements.some(({ text }) => text.includes(other)))).toEqual(
      names.map((name) => /friend|朋友/.test(name)),
    )
  })

  it('of one name are one where one person may have both relations, and any of them by the bare name', async () => {
    await say(
      'My colleague Tom is nice.',
      'My friend Tom moved to Ulm.',
      'My dad is called Jan.',
      'My son is Jan.',
    )
    await say('My friend Ida Miller is a vet.', 'My cousin Ida is a cook.')
    const entities = await nora.entities()
    expect(Object.fromEntries(entities.map(({ name, relations }) => [name, relations]))).toEqual({
      Tom: ['colleague', 'friend'],
      'cousin Ida': ['cousin'],
      'dad Jan': ['dad'],
      'friend Ida Miller': ['friend'],
      'son Jan': ['son'],
    })
    expect((await nora.about('my son Jan')).entity.name).toBe('son Jan')
    const cook = (await nora.about('my cousin Ida')).statements.map(({ text }) => text).join()
    expect([cook.includes('cook'), cook.includes('vet')]).toEqual([true, false])
    const { text } = (await nora.recall('What do you know about Jan?')).context
    expect(text).toMatch(/dad[^]*son|son[^]*dad/)
    expect(text).not.toContain('Ulm')
  })

  it('are read in Chinese, and of an unnamed person as well', async () => {
    await say('我同事大刘的妹妹叫刘芳。', '我弟弟的女朋友叫小雯。')
    expect(await walk('大刘')).toEqual(expect.arrayContaining(['user 同事 大刘', '大刘 妹妹 刘芳']))
    expect(await walk('小雯', 2)).toEqual(expect.arrayContaining(['我弟弟 女朋友 小雯']))
  })

  it('are none of questions, of quoted words, of the assistant, or of what was dropped', async () => {
    await nora.remember({ role: 'assistant', text: 'Your sister Kim is nice. My sister is Ann.', at: now })
    await say('Is my sister called Mia?', 'She wrote: “my sister is called Eve”.', 'My sister is Zoe.')
    expect((await nora.entities()).map(({ name }) => name)).toEqual(['Zoe'])
    for (const { id } of await nora.memories({ forms: ['fact', 'utterance'] }))
      await nora.forget(id).catch(() => null)
    expect(await nora.entities()).toEqual([])
  })

  it('are as of a time', async () => {
    await say('My boss is Ada.')
    now += 30 * DAY_MS
    await say("Ada's dog is called Rex.")
    const early = await nora.about('Ada', { depth: 2, at: START + DAY_MS })
    expect(early.edges.map(({ to }) => to)).toEqual(['Ada'])
    expect(await walk('Ada', 2)).toHaveLength(2)
  })

  it('are refused where nothing names them', async () => {
    await expect(nora.about('Nobody')).rejects.toThrow(/There is no entity "Nobody"/)
    await expect(nora.about('Mia', { depth: 3 as 2 })).rejects.toThrow(/depth must be 1 or 2/)
  })
})

describe('a question for all about one person', () => {
  it.each([
    [
      ['I have asthma.', 'My sister Bo is a nurse.', 'She works nights.', 'My dad Jan had a stroke.'],
      'What do you know about Bo?',
      ['nurse', 'nights'],
      ['stroke'],
    ],
    [
      ['我怕打针。', '我妹妹小波是护士。', '她常上夜班。', '我爸爸中风了。'],
      '说说小波',
      ['护士', '夜班'],
      ['中风'],
    ],
  ] as const)('is answered by what concerns them: %j', async (said, question, own, others) => {
    await say(...said)
    const { text } = (await nora.recall(question)).context
    expect([...own, ...others].map((words) => text.includes(words))).toEqual([
      ...own.map(() => true),
      ...others.map(() => false),
    ])
  })
})

describe('a question by a chain of relations', () => {
  it('is answered by what is said of the last, the chain beside it', async () => {
    await say(
      'My sister Mia is here.',
      "Mia's husband is called Paul.",
      'Paul works at Lufthansa.',
      'I work at Bosch.',
    )
    const { memories, context, known } = await nora.recall("Who is my sister's husband's employer?")
    expect(known).toBe(true)
    expect(memories[0]?.memory.text).toContain('Lufthansa')
    expect(memories[0]?.parts).toHaveProperty('relation')
    expect(context.text).toContain("Mia's husband is called Paul.")
  })

  it('stays as it is where the chain leads to several, or to no one', async () => {
    await say('My sister is Mia.', 'My sister is Zoe.', "Mia's husband is Paul.", 'Paul works at Lufthansa.')
    const { memories } = await nora.recall("Where does my sister's husband work?")
    expect(memories[0]?.parts).not.toHaveProperty('relation')
  })

  it.each(
    TWO_STEP_TALKS.map((talk, place): [string, TwoStepTalk] => [`${talk.language} ${place + 1}`, talk]),
  )('is answered first in nine of ten talks’ questions: %s', async (_, { turns, questions }) => {
    for (const text of turns) {
      now += 3_600_000
      await nora.remember({ role: 'user', text, at: now })
    }
    await nora.drain()
    const wrong: string[] = []
    for (const { question, answer } of questions) {
      const [first] = (await nora.recall(question)).memories
      if (!(first?.memory.text.includes(answer) ?? false)) wrong.push(question)
    }
    expect(wrong.length, wrong.join(' ')).toBeLessThanOrEqual(1)
  })
})
