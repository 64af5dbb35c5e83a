import { afterEach, describe, expect, it } from 'vitest'
import { openMemory, type Keepsake, type ScopedMemory } from '../index.ts'

/** A first chat of a few turns, in which little can have been said. */
const CHATS = {
  en: [
    ['Hi! My name is Tamsin, I am 34 and I repair clocks in Lincoln.', 'Nice to meet you, Tamsin!'],
    ['My daughter is called Wren, she just turned six.', 'Wren is a lovely name.'],
    ['My husband Idris teaches geography at a secondary school.', 'He must know a lot about maps.'],
    ["We're flying to Lisbon in June, I already booked the hotel.", 'Lisbon is wonderful in June.'],
    ["I'm not going to Lisbon after all, Idris has to invigilate exams.", "Oh no, I'm sorry."],
    ['My mum lives in Whitby and sends us smoked kippers.', 'Lucky you!'],
    ['I cycle to the workshop, takes me a quarter of an hour.', 'Great exercise.'],
  ],
  zh: [
    ['你好，我叫林筱晴，今年三十一岁，在宁波一家造船厂做焊工。', '你好筱晴！焊工很辛苦吧？'],
    ['我女儿叫小满，今年五岁，上幼儿园中班。', '小满这个名字真好听。'],
    ['我老公是中学老师，教物理的，姓顾。', '那家里辅导功课不愁了。'],
    ['最近在学游泳，每周三晚上去体育馆。', '坚持下去！'],
    ['我打算五一去苏州玩三天。', '苏州园林很美。'],
    ['唉，苏州不去了，老公要带学生比赛。', '太遗憾了，下次再去。'],
    ['我妈住在绍兴，每个月给我们寄霉干菜。', '妈妈真好。'],
    ['我每天骑电动车上班，大概二十分钟。', '骑车注意安全。'],
  ],
} as const

/** Short questions of which one word stands near another of the talk, and such as ask for a property by its name. */
const SHORT = {
  en: {
    turns: [
      ["I'm Odile, I drive a bus in Hull, mostly nights.", 'How long have you done that?'],
      ['My nephew Rhys turned four on Sunday, chocolate everywhere.', 'Happy birthday to Rhys!'],
      ['My neighbour gave me a parrot. He bites.', 'Parrots do!'],
      ["My aunt sends us smoked haddock, she can't sing but she can cook.", 'Lucky you!'],
    ],
    said: ['What do I do for work?', 'What is my nephew called?'],
    never: ['Do I have kids?', 'Do I smoke?', 'What is my neighbour called?', 'How many sisters do I have?'],
  },
  zh: {
    turns: [
      ['我是贺东川，在一家船厂做焊工。', '焊工很辛苦吧？'],
      ['我家的猫叫墨墨，黑的，八岁了。', '墨墨真可爱。'],
      ['孙女九月上小学，一家人都愁。', '确实让人操心。'],
    ],
    said: ['我叫什么名字？', '我做什么工作？', '猫是什么颜色？'],
    never: ['我有女儿吗？', '我有没有弟弟？', '我抽烟吗？'],
  },
} as const

describe('a first chat', () => {
  let keepsake: Keepsake | undefined
  afterEach(() => keepsake?.close())

  async function chat(turns: readonly (readonly [string, string])[]): Promise<ScopedMemory> {
    let now = Date.parse('2026-03-02T10:00:00Z')
    keepsake = await openMemory({ path: ':memory:', now: () => now })
    const scope = keepsake.scope({ user: 'new' })
    for (const [user, agent] of turns) {
      now += 60_000
      await scope.remember([
        { role: 'user', text: user, at: now },
        { role: 'assistant', text: agent, at: now },
      ])
    }
    await scope.endSession()
    await scope.drain()
    now += 86_400_000
    return scope
  }

  async function known(scope: ScopedMemory, questions: readonly string[]): Promise<string[]> {
    const answers: string[] = []
    for (const question of questions) if ((await scope.recall(question)).known) answers.push(question)
    return answers
  }

  it('in English knows what was said, and not what is a thing or a person told of nowhere', async () => {
    const scope = await chat(CHATS.en)
    const said = [
      'Do you know my name?',
      'What is my daughter called?',
      'Where does my mum live?',
      'How old am I?',
    ]
    expect(await known(scope, said)).toEqual(said)
    const never = [
      'What car do I drive?',
      'What does my brother do?',
      'Where does my dad live?',
      'Where did I go to university?',
      "What's my favourite film?",
      'Do I have a dog?',
    ]
    expect(await known(scope, never)).toEqual([])
  })

  it('in Chinese knows what was said, and not what is a thing or a person told of nowhere', async () => {
    const scope = await chat(CHATS.zh)
    const said = [
      '女儿叫什么？',
      '你知道我的名字吗？',
      '我什么时候去游泳？',
      '我妈住哪儿？',
      '我老公教什么？',
    ]
    expect(await known(scope, said)).toEqual(said)
    const never = [
      '我有狗吗？',
      '我开什么车？',
      '我最喜欢的电影是什么？',
      '我哥哥做什么工作？',
      '我爸爸住哪儿？',
      '我大学在哪儿读的？',
    ]
    expect(await known(scope, never)).toEqual([])
  })

  it.each(['en', 'zh'] as const)('in %s takes short questions for what they ask', async (language) => {
    const { turns, said, never } = SHORT[language]
    const scope = await chat(turns)
    expect(await known(scope, said)).toEqual(said)
    expect(await known(scope, never)).toEqual([])
  })

  it.each([
    ['en', 'Lisbon'],
    ['zh', '苏州'],
  ] as const)('in %s holds no plan that was given up for what goes on now', async (language, place) => {
    const scope = await chat(CHATS[language])
    const { lines } = await scope.profile()
    expect(lines.map(({ text }) => text).join()).not.toContain(place)
  })
})

describe('how much a context shows', () => {
  let open: Keepsake | undefined
  afterEach(() => open?.close())

  it('is the whole budget where the answer may be known, and a few lines where nothing near was found', async () => {
    open = await openMemory({ path: ':memory:' })
    const scope = open.scope({ user: 'u1' })
    for (let number = 0; number < 30; number++)
      await scope.remember({ role: 'user', text: `The boat number ${number} needs paint on its mast.` })
    await scope.drain()
    const ask = async (question: string) => {
      const { answerable, context } = await scope.recall(question)
      return [answerable, context.shown.length]
    }
    expect(await ask('What did the harbour master say about the mast?')).toEqual(['maybe', 30])
    expect(await ask('Who sold me the harmonica?')).toEqual(['no', 10])
  })
})
