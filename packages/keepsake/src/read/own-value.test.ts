import { keyTable } from '@keepsake/text'
import { afterEach, describe, expect, it } from 'vitest'
import { openMemory, type Keepsake } from '../index.ts'
import { readOwnKey } from './add-answers.ts'

describe('a question for a value of one’s own', () => {
  it.each([
    ["What's my name?", 'name'],
    ['Do you remember my birthday?', 'birthday'],
    ['so what is my job again?', 'occupation'],
    ['Where do I live?', 'residence'],
    ['What do I do?', 'occupation'],
    ['What’s my favourite film?', 'favourite-film'],
    ['我叫什么名字？', 'name'],
    ['你还记得我的生日吗？', 'birthday'],
    ['我的工作是什么？', 'occupation'],
    ['我今年多大了？', 'age'],
    ['我现在干什么工作？', 'occupation'],
    ['我是做什么的？', 'occupation'],
  ])('%s', (question, key) => {
    expect(readOwnKey(question, keyTable())?.id).toBe(key)
  })

  it.each([
    'What is my sister’s name?',
    'Why did my parents choose my name?',
    'Where does Ana live?',
    'What did my boss say about my job?',
    '我姐姐叫什么名字？',
    '我的猫叫什么？',
    '我为什么换工作？',
  ])('is not: %s', (question) => {
    expect(readOwnKey(question, keyTable())).toBeUndefined()
  })
})

describe('what was stated of oneself', () => {
  let open: Keepsake | undefined
  afterEach(() => open?.close())

  const SAID = [
    "hey, I'm Noor. just got a new phone so setting things up again",
    'it fell in the lake while I was kayaking with my brother',
    'he is called Tariq and laughed for an hour',
    "we're thinking of moving, my wife got an offer from the university",
    'the children love their school, and the name of the new teacher is Ines',
    'can you suggest something for dinner, maybe a curry',
    "I've got an appointment at three, and I'm dreading it",
  ]

  it('is known and comes first, whatever else was talked of', async () => {
    open = await openMemory({ path: ':memory:' })
    const noor = open.scope({ user: 'u1' })
    for (const [at, text] of SAID.entries())
      await noor.remember({ role: 'user', text }, { session: `s${at}` })
    await noor.drain()
    const { known, confidence, memories } = await noor.recall("What's my name?")
    expect([known, memories[0]?.memory.text]).toEqual([true, "The user's name is Noor."])
    expect(confidence).toBeGreaterThanOrEqual(0.9)
    const { parts, score } = memories[0] ?? { parts: {}, score: 0 }
    expect(Object.values(parts).reduce((sum, one) => sum + one, 0)).toBeCloseTo(score)
  })

  it('is known by the user’s name as by “my”, and a relative’s value is none of theirs', async () => {
    open = await openMemory({ path: ':memory:' })
    const noor = open.scope({ user: 'Noor' })
    await noor.remember({ role: 'user', text: 'I moved to Ghent last week.' })
    await noor.remember({ role: 'user', text: 'My brother Tariq works as a baker.' })
    await noor.drain()
    const answerable = async (question: string) => (await noor.recall(question)).answerable
    expect(await answerable('Where does Noor live?')).toBe('yes')
    expect(await answerable('What is Noor’s job?')).not.toBe('yes')
    expect(await answerable("What is Tariq's job?")).toBe('yes')
  })

  it('is sure of no value that was never stated', async () => {
    open = await openMemory({ path: ':memory:' })
    const noor = open.scope({ user: 'u1' })
    for (const text of SAID.slice(1)) await noor.remember({ role: 'user', text })
    await noor.drain()
    expect((await noor.recall("What's my name?")).confidence).toBeLessThan(0.9)
  })

  it('is known of a third person where their job was named, and not where they only did something', async () => {
    open = await openMemory({ path: ':memory:' })
    const noor = open.scope({ user: 'u1' })
    for (const text of ['Tom works as a baker.', 'We went out with Ben.', 'Ben likes beer.'])
      await noor.remember({ role: 'user', text })
    await noor.drain()
    expect((await noor.recall('What does Tom do?')).answerable).toBe('yes')
    expect((await noor.recall('What does Ben do?')).answerable).not.toBe('yes')
  })

  it.each([
    ['Where does your sister live?', 'In Ghent.', true],
    ['Where does your sister live?', 'Never mind her.', false],
    ['你妹妹住在哪里？', '南京。', true],
    ['你妹妹住在哪里？', '不告诉你。', false],
  ])('is what answers a question, and not all that follows it: %s %s', async (asked, reply, isKnown) => {
    open = await openMemory({ path: ':memory:' })
    const noor = open.scope({ user: 'u1' })
    await noor.remember([
      { role: 'assistant', text: asked },
      { role: 'user', text: reply },
    ])
    await noor.drain()
    const question = asked.replace('your', 'my').replace('你', '我')
    expect((await noor.recall(question)).known).toBe(isKnown)
  })
})
