import { expect, it } from 'vitest'
import { openMemory } from '../index.ts'

/** Turns, a minute apart, and questions that are known and that are not. The agent's turns begin with “agent:”. */
type Talk = readonly [lines: readonly string[], known: readonly string[], never: readonly string[]]

const TALKS: readonly Talk[] = [
  [
    [
      'My cousin Ivan got divorced in 2019.',
      'My flatmate Bea is allergic to wasps.',
      'I play squash on Tuesdays.',
    ],
    [
      'When did Ivan get divorced?',
      'What is Bea allergic to?',
      'What is my flatmate allergic to?',
      'Is Ivan divorced?',
      'When do I play squash?',
    ],
    [
      'What is Ivan allergic to?',
      'Is Bea divorced?',
      'When did Bea get divorced?',
      'When did I get divorced?',
      'What am I allergic to?',
      'What is my cousin allergic to?',
    ],
  ],
  [
    [
      'My brother Ravi lives in Leuven.',
      'agent: How nice! What does he do?',
      "He's a carpenter, and his wife Elke teaches maths.",
      'My neighbour Oskar broke his arm in May.',
    ],
    [
      'Where does Ravi live?',
      'Where does my brother live?',
      'What does Ravi do for work?',
      'Who broke his arm?',
      'When did Oskar break his arm?',
    ],
    [
      'Where does Oskar live?',
      'What is my job?',
      'When did Ravi break his arm?',
      'When did I break my arm?',
      'Where do I live?',
    ],
  ],
  [
    [
      'We adopted a daughter, Fenna, in 2015. She swims for a club in Breda.',
      'My sister got married in June.',
      'I sometimes think about buying a canoe.',
      "I'm thinking of getting a piercing, maybe.",
    ],
    ['When did we adopt Fenna?', 'When did my sister get married?', 'What am I thinking of getting?'],
    [
      'When did I get married?',
      'When did we get married?',
      'Do I have a canoe?',
      'Do I have a piercing?',
      'What canoe do I own?',
      'Does my sister swim?',
    ],
  ],
  [
    [
      'My boss Hilde plays the harp.',
      'Joris got a job at Philips.',
      "I'd love to get a parrot one day.",
      'I keep thinking about adopting a greyhound.',
      'I have a tortoise called Bolt.',
    ],
    [
      'What does Hilde play?',
      'What does my boss play?',
      'Where did Joris get a job?',
      'What is my tortoise called?',
      'Do I have a tortoise?',
    ],
    [
      'Where did Hilde get a job?',
      'Where did I get a job?',
      'What instrument do I play?',
      'Do I have a parrot?',
      'Do I have a greyhound?',
      'What is my parrot called?',
    ],
  ],
  [
    [
      'My dad had a stroke in March.',
      "agent: I'm so sorry. How is he now?",
      'Better. Walks with a stick.',
      'My aunt Corrie sold her boat.',
    ],
    ['When did my dad have a stroke?', 'What does my father walk with?', 'What did Corrie sell?'],
    [
      'When did Corrie have a stroke?',
      'Does my mum walk with a stick?',
      'When did I have a stroke?',
      'What did my dad sell?',
    ],
  ],
  [
    [
      'My best friend Noa is a midwife in Ghent. Her husband Tim drives a tram.',
      'Lars from work collects stamps.',
      'Lars is diabetic.',
    ],
    [
      'What does Noa do for work?',
      "What does Noa's husband drive?",
      'What does Tim drive?',
      'What does Lars collect?',
      'Is Lars diabetic?',
    ],
    [
      'Does Noa collect stamps?',
      'Is Noa diabetic?',
      'Am I diabetic?',
      'What do I collect?',
      'Is Tim diabetic?',
    ],
  ],
  [
    [
      '我表弟在杭州当厨师。',
      '我同事老李对花生过敏。',
      '我想养一只鹦鹉。',
      '我最近在考虑买一辆摩托车。',
      '我养了一只乌龟。',
    ],
    ['我表弟做什么工作？', '我表弟在哪里当厨师？', '老李对什么过敏？', '我养了什么？', '我想养什么？'],
    [
      '我表弟结婚了吗？',
      '我表弟属什么？',
      '我对什么过敏？',
      '我表弟对什么过敏？',
      '我养鹦鹉了吗？',
      '我有摩托车吗？',
      '我的摩托车是什么牌子？',
    ],
  ],
  [
    ['我姐姐去年生了个女儿。她现在在家带孩子。', '我室友小何报了游泳班。', '我爸爸退休了，喜欢下象棋。'],
    [
      '我姐姐什么时候生的女儿？',
      '我姐姐现在做什么？',
      '小何报了什么班？',
      '我爸爸喜欢什么？',
      '我爸退休了吗？',
    ],
    [
      '我什么时候生的女儿？',
      '我报了什么班？',
      '我姐姐报了什么班？',
      '我妈妈退休了吗？',
      '我弟弟多大了？',
      '小何离婚了吗？',
    ],
  ],
  [
    ['我弟弟叫小峰。', 'agent: 小峰是做什么的？', '他在银行上班，去年买了房。', '我朋友阿玲养了两只猫。'],
    ['小峰在哪里上班？', '我弟弟在哪里上班？', '我弟弟什么时候买的房？', '阿玲养了几只猫？'],
    [
      '我在哪里上班？',
      '阿玲在哪里上班？',
      '我什么时候买的房？',
      '我养了几只猫？',
      '小峰养了几只猫？',
      '我弟弟离婚了吗？',
    ],
  ],
  [
    [
      'My nephew Sander started kickboxing in Zwolle.',
      'My hairdresser Gülay is from Izmir.',
      'I was hoping to get a sidecar for the scooter, someday.',
      'I broke my wrist in April.',
    ],
    [
      'Where did Sander start kickboxing?',
      'Where is Gülay from?',
      'When did I break my wrist?',
      'What does my nephew do in Zwolle?',
    ],
    [
      'When did Sander break his wrist?',
      'Does Gülay kickbox?',
      'Do I have a sidecar?',
      'Did my nephew break his wrist?',
    ],
  ],
  [
    [
      'agent: How are the kids?',
      'Milo is teething, Suze starts school on Monday.',
      'My mum has arthritis. She takes naproxen for it.',
      'Grandad Henk collects clocks.',
    ],
    [
      'When does Suze start school?',
      'What does my mum take for her arthritis?',
      'What does Henk collect?',
      'Does my mother have arthritis?',
      'Is Milo teething?',
    ],
    [
      'Does Henk have arthritis?',
      'Do I have arthritis?',
      'What does my dad collect?',
      'What do I collect?',
      'Am I on naproxen?',
    ],
  ],
  [
    [
      'Met up with Ines. She quit her job at the bank and opened a bakery.',
      'My ex Paul moved to Oslo.',
      'We might get a dishwasher.',
      'Thinking about learning Portuguese.',
    ],
    [
      'What did Ines open?',
      'Where did Paul move?',
      'Did Ines quit her job?',
      'What am I thinking about learning?',
    ],
    [
      'Did Paul quit his job?',
      'Where did I move?',
      'Where did Ines move?',
      'Do we have a dishwasher?',
      'What did I open?',
      'Do I speak Portuguese?',
    ],
  ],
  [
    ['my sis ella had twins last week', 'dan plays bass in a band called the moths', 'im allergic to latex'],
    ['When did Ella have twins?', 'What does dan play?', 'What am I allergic to?'],
    ['What is Ella allergic to?', 'what is dan allergic to?', 'Did I have twins?'],
  ],
  [
    [
      '我哥哥在部队当兵，去年立了功。',
      '我闺蜜小雪怀孕了。',
      '老王把车卖了。',
      '我打算买一架无人机。',
      '我和同事阿斌学潜水。',
    ],
    ['我哥哥在哪里当兵？', '小雪怀孕了吗？', '老王把什么卖了？', '我哥哥什么时候立的功？', '我和谁学潜水？'],
    [
      '我怀孕了吗？',
      '我哥哥怀孕了吗？',
      '老王怀孕了吗？',
      '我有无人机吗？',
      '我什么时候立的功？',
      '我的车卖了吗？',
      '小雪把车卖了吗？',
    ],
  ],
  [
    [
      'agent: 你爸妈身体还好吗？',
      '我妈高血压，每天吃氨氯地平。我爸还行。',
      '我堂妹考上了浙大。',
      '有时候想辞职去开民宿。',
      '陈浩在深圳送外卖。',
    ],
    ['我妈每天吃什么药？', '陈浩在哪里送外卖？', '我妈有高血压吗？'],
    [
      '我有高血压吗？',
      '陈浩考上了哪所大学？',
      '我考上了哪所大学？',
      '我堂妹有高血压吗？',
      '我在哪里送外卖？',
      '我开民宿了吗？',
      '我表妹考上了哪所大学？',
    ],
  ],
  [
    ['My girlfriend Lotte restores clocks.', 'My cousin Bram got engaged.', 'I bake on Sundays.'],
    ['Am I single?', 'Am I in a relationship?', 'Am I dating anyone?'],
    ['Am I engaged?', 'Is my cousin divorced?'],
  ],
  [['我老婆在银行上班。', '我堂哥离婚了。'], ['我单身吗？'], ['我离婚了吗？']],
  [['My sister has a new boyfriend.', 'I sing in a choir.'], [], ['Am I single?', 'Am I seeing someone?']],
  [
    ["I'm a welder at Kestrel Yards.", 'My brother is a baker at Lund & Sons.', 'I swim a lot.'],
    ['Where do I work?', 'Who is my employer?', 'Where does my brother work?'],
    ['Where does my sister work?', 'Where did I swim?'],
  ],
]

it.each(TALKS)('is known of the person asked about, and of no one else: %j', async (lines, known, never) => {
  const keepsake = await openMemory({ path: ':memory:' })
  const scope = keepsake.scope({ user: 'u' })
  const start = Date.UTC(2026, 2, 3)
  for (const [index, line] of lines.entries()) {
    const role = line.startsWith('agent:') ? 'assistant' : 'user'
    const at = new Date(start + index * 60_000).toISOString()
    await scope.remember({ role, text: line.replace('agent: ', ''), at })
  }
  await scope.drain()
  const answered: string[] = []
  for (const question of [...known, ...never])
    if ((await scope.recall(question)).answerable === 'yes') answered.push(question)
  await keepsake.close()
  expect(answered).toEqual(known)
})

it.each([
  ['We took our lab Biscuit to the beach.', 'Do I have a labrador?'],
  ['My border collie Jess hates fireworks.', 'Do I have a dachshund?'],
  ['Our old tabby Miso sleeps all day.', 'Do I have a siamese?'],
  ['我家的柯基豆豆拆了沙发。', '我养狗了吗？'],
])('leaves open whether a pet is of a breed: %s %s', async (line, question) => {
  const keepsake = await openMemory({ path: ':memory:' })
  const scope = keepsake.scope({ user: 'u' })
  await scope.remember({ role: 'user', text: line })
  await scope.drain()
  const { answerable } = await scope.recall(question)
  await keepsake.close()
  expect(answerable).toBe('maybe')
})
