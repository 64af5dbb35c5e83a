import { openMemory } from 'keepsake'
import { afterAll, expect, it } from 'vitest'

const START = Date.UTC(2026, 2, 2, 9)
const DAY_MS = 86_400_000

/** Each case is a tenant of it. */
const keepsake = await openMemory({ path: ':memory:', now: () => START + 60 * DAY_MS })
let cases = 0
afterAll(() => keepsake.close())

/** Remembers statements on days of their own, then a message. */
async function say(statements: readonly string[], message: string) {
  const scope = keepsake.scope({ tenant: `t${(cases += 1)}`, user: 'ana' })
  for (const [day, text] of [...statements, message].entries()) {
    await scope.remember({ role: 'user', text, at: START + day * DAY_MS })
    await scope.drain()
  }
  const left = (await scope.memories({ forms: ['utterance'] })).map(({ text }) => text)
  const isLeft = (words: string): boolean => left.some((text) => text.includes(words))
  return {
    gone: statements.filter((statement) => !isLeft(statement)),
    isKept: isLeft(message),
    waiting: (await scope.admin.pendingRequests()).length,
  }
}

it.each([
  ['You can forget about Lena ever giving the ladder back.', ['I live in Ulm.']],
  ['Please forget the ladder.', ['I live in Ulm.']],
  ['那个人记性差，忘了我的生日。', ['我住在成都。', '我的生日是三月五日。']],
  ['请忘掉梯子的事。', ['我住在成都。']],
])('a message stays if nothing is found, or if it is no request: %s', async (message, statements) =>
  expect(await say(statements, message)).toEqual({ gone: [], isKept: true, waiting: 0 }),
)

it.each([
  ['离婚的事翻篇了', '我离婚了，很难受。'],
  ['离婚这件事早就翻篇了。', '我离婚了，很难受。'],
  ['李航的事我已经忘了。', '李航是我的前男友。'],
  ['他的事是过去式了。', '李航是我的前男友。'],
  ['离婚的事已经过去了。', '我离婚了，很难受。'],
  ['The divorce is behind us.', 'My divorce was awful.'],
  ["I'm over the divorce.", 'My divorce was awful.'],
  ['Marek is a closed chapter.', 'Marek is my ex.'],
  ['That chapter is closed.', 'My divorce was awful.'],
  ['The divorce is water under the bridge.', 'My divorce was awful.'],
])('a remark that something is over is no request: %s', async (message, statement) =>
  expect(await say([statement], message)).toEqual({ gone: [], isKept: true, waiting: 0 }),
)

it.each([
  ['I sleepwalk.', 'My uncle sleepwalks every winter.', 'Please forget that I sleepwalk.'],
  ['I talk to myself.', 'Our parrot talks to himself.', 'Please forget that I talk to myself.'],
  ['我梦游。', '我家的猫也梦游。', '请忘掉我梦游的事。'],
])('what is said of another stays: %s %s', async (own, other, message) =>
  expect(await say([own, other], message)).toMatchObject({ gone: [own], waiting: 0 }),
)

it.each([
  ['My dentist Bruno is on strike.', 'My cousin Bruno brews beer.', 'Please forget about Bruno.'],
  ['我房东阿秀涨了租。', '我同事阿秀怀孕了。', '请忘掉阿秀的事。'],
])('a request by a name that two people have waits for a yes: %s %s', async (first, second, message) =>
  expect(await say([first, second], message)).toMatchObject({ gone: [], waiting: 1 }),
)

it('a message that names its own words is forgotten with them', async () => {
  const message = 'I have psoriasis. Please forget the psoriasis.'
  expect(await say(['I live in Ulm.'], message)).toMatchObject({ gone: [], isKept: false })
})

it.each([
  ['My boss is called Bill Gray.', 'The bill was 40 euros.', 'Please forget the bill.'],
  ['I live in Reading.', 'The reading on my scale was bad.', 'Please forget the reading.'],
  ['I run a business club in Ulm.', 'My running clubs meet on Mondays.', 'Please forget my running club.'],
  ['I read a lot with the group at work.', 'I lead a reading group.', 'Please forget my reading group.'],
  ['I cook for my class every Friday.', 'My cooking class was dear.', 'Forget about my cooking class.'],
  ['I drive a test car for work.', 'I hate my driving test.', 'forget my driving test'],
  ['I save on my account with Tesco.', 'My savings account is empty.', 'Please forget my savings account.'],
  ['I hear the aid worker daily.', "My hearing aid's battery is low.", 'Please forget my hearing aid.'],
  ['I like tea.', 'I broke my arm in May.', 'Please forget my broken arm.'],
  ['I like tea.', 'I was quitting my job in May.', 'Please forget that I quit my job.'],
  ['My aunt plays the harp.', 'I saw a sad play about war.', 'Please forget the play.'],
  [
    'My brother works as a cook in Rome.',
    'I hate my work at Tesco.',
    'Please forget what I said about my work.',
  ],
  ['My mum has depression too.', 'I was told I have depression.', 'Please forget my depression.'],
  ['My cat is called Oscar.', 'My ex Oscar owes me rent.', 'forget what I said about my ex'],
  ['We won a goldfish, I named it Basil.', 'My boss Basil shouts.', 'Please forget about my boss.'],
  ["my stepson's name is Hugh", 'My landlord Hugh is rude.', 'forget what i said about my landlord'],
  ['I adopted a greyhound called Ada.', 'My therapist Ada is kind.', 'please forget my therapist'],
  ['I have a parrot named Nils.', 'My ex Nils lied to me.', 'Please forget my ex Nils.'],
  ['我在小美容店上班。', '小美是我的同桌。', '请忘掉关于小美的事。'],
  ['我姐姐有抑郁症。', '我有抑郁症。', '请忘掉我的抑郁症。'],
  ['王伟民是我的老板。', '王伟是我的同事。', '请忘掉王伟。'],
  ['我老板叫王伟凯。', '王伟昨天请我吃饭。', '请忘掉关于王伟的事。'],
  ['我和张晓明去爬山了。', '张晓是我的前男友。', '忘掉张晓。'],
  ['刘洋洋喜欢画画。', '刘洋喜欢打篮球。', '请忘记刘洋。'],
  ['小美丽是我的猫。', '小美超喜欢唱歌。', '请忘掉小美。'],
  ['阿强生是我的表哥。', '阿强刚到家。', '请忘掉阿强。'],
  ['李娜是我的室友。', '李娜娜是我的妹妹。', '请忘掉李娜娜。'],
])('a request takes what it names and no more: %s %s', async (kept, dropped, request) =>
  expect(await say([kept, dropped], request)).toEqual({ gone: [dropped], isKept: false, waiting: 0 }),
)

it.each([
  ['请忘掉王伟。', ['王伟平时很忙。', '王伟也是我的同学。', '王伟生了个女儿。', '我喜欢王伟明天来。']],
  ['请忘掉小美。', ['小美姐是我的同桌。', '小美雨天不来。', '我跟小美去看海。']],
])('words behind a Chinese name are no part of it: %s', async (request, statements) =>
  expect((await say(statements, request)).gone).toEqual(statements),
)

it.each([
  ['我在上海上班。', '我整过容。', '请删除关于整容的记忆'],
  ['我花了生活费买书。', '我对花生过敏。', '忘掉花生的事'],
  ['我喜欢无花果。', '小王说我胖。', '小王说我胖的事，忘了吧'],
  ['Ich mag Feigen.', 'Ich war in Therapie.', 'Lösch bitte alles über die Therapie.'],
  ['Me gustan los higos.', 'Estuve en terapia.', 'Borra todo sobre la terapia.'],
  ['이사장님이 전화했어요.', '저는 이사했어요.', '이사 얘기 지워 줘.'],
  ['무화과 좋아해요.', '성형했어요.', '성형 얘기는 지워 주세요.'],
])('a plain request of one matter is carried out: %s %s', async (kept, dropped, request) =>
  expect(await say([kept, dropped], request)).toEqual({ gone: [dropped], isKept: false, waiting: 0 }),
)

it.each([
  ['Ich war in Therapie.', 'Lösche die Therapie.', 1],
  ['我和小李吵了一架。', '把吵架的事忘了吧', 1],
  ['我欠小王二十块。', '小王说那二十块就算了，忘了吧', 0],
  ['我妈住院了。', '我妈说住院的事就忘了吧', 0],
  ['Meine Scheidung war hart.', 'Mein Bruder sagt, vergiss die Scheidung.', 0],
  ['Mi divorcio fue duro.', 'Mi hermano me dijo: olvida el divorcio.', 0],
  ['Meine Scheidung war hart.', 'Vergiss die Scheidung, reden wir über den Urlaub.', 1],
  ['我离婚了，很难受。', '离婚的事就别提了', 0],
  ['My cousin Olaf is in rehab.', "please don't ever bring up Olaf again", 0],
  ['My cousin Olaf is in rehab.', 'I never want to hear about Olaf again.', 0],
  ['My cousin Olaf is in rehab.', "let's never talk about him again", 0],
  ['我表哥俊杰赌博。', '以后别再提俊杰了', 0],
  ['我表哥俊杰赌博。', '俊杰的事不要再跟我提了', 0],
  ['Mein Vetter Olaf ist in Haft.', 'Sprich bitte nie wieder von Olaf', 0],
  ['いとこの太郎は入院中です。', '太郎の話は二度としないで', 0],
] as const)(
  'a doubtful request waits, others’ words and a wish about talk forget nothing: %s %s',
  async (kept, message, waiting) => expect(await say([kept], message)).toMatchObject({ gone: [], waiting }),
)

it('a wish about talk ends no fact', async () => {
  const scope = keepsake.scope({ tenant: `t${(cases += 1)}`, user: 'ana' })
  for (const text of ['我离婚了。', '离婚的事就别提了']) await scope.remember({ role: 'user', text })
  await scope.drain()
  const facts = await scope.memories({ forms: ['fact'] })
  expect(facts.find(({ key }) => key === 'marital-status')?.validUntil).toBeNull()
})

it('of a person who is named, all is forgotten', async () => {
  const statements = ['My mum has depression too.', 'I have depression.']
  expect((await say(statements, "Please forget my mum's depression.")).gone).toEqual([statements[0]])
})

it.each([
  ['Please forget the bath.', 'My sister lives in Bath.', 1],
  ['Please forget the play.', 'I am playing in a band.', 1],
  ['Please forget the lie.', 'I lied to my landlord.', 1],
  ['Please forget my running club.', 'I run a business club in Ulm.', 1],
  ['Please forget my painting job.', 'I paint after my job.', 1],
  ['Please forget my dining table.', 'We dine at a table by the window.', 1],
])(
  'another form of the word, or a name of the same letters, waits for a yes: %s',
  async (request, statement, waiting) =>
    expect(await say([statement], request)).toMatchObject({ gone: [], waiting }),
)

it.each([
  ['忘了高血压，今晚吃火锅！', '我有高血压。', [0, 1]],
  ['忘掉周杰，我要去旅行！', '周杰是我的前男友。', [0, 1]],
  ['我该忘了阿强吗？', '阿强是我的前男友。', [0]],
  ['Oh, forget the Norway thing, what did you think of Spain?', 'I went to Norway last year.', [0, 1]],
  ['Forget the driving test for now.', 'I have a driving test.', [0, 1]],
] as const)(
  'a plan or a question beside it makes a request unsure: %s',
  async (request, statement, waits) => {
    const { gone, waiting } = await say([statement], request)
    expect({ gone, isAllowed: waits.some((number) => number === waiting) }).toEqual({
      gone: [],
      isAllowed: true,
    })
  },
)

it.each([
  ['My ex May cheated on me.', "I'm going to Rome in May.", 'Delete everything about my ex May.'],
  ['May stole my bike.', 'May I ask you something about bikes?', 'Please forget May.'],
  ['June is my boss and she shouts.', 'We moved here on June 3.', 'Please forget my boss June.'],
  ['I had lunch with April.', 'The course runs from March to April.', 'Please forget April.'],
  ['My nephew August bites.', 'we go camping in august', 'Please forget my nephew August.'],
  ['Grace stole my bike.', 'we say grace before dinner', 'Please forget Grace.'],
  ['my friend grace stole my bike', 'say grace before dinner', 'Please forget Grace.'],
  ['Will lied to me.', 'Will you help with the garden?', 'Please forget everything about Will.'],
  ['小雪甩了我', '昨天下小雪了', '把小雪的事都忘了吧'],
  ['我和小雪吵架了', '今天转小雪，路很滑', '请忘掉小雪的事'],
])('a name that is also a common word means the person only: %s', async (gone, kept, message) =>
  expect(await say([gone, kept], message)).toMatchObject({ gone: [gone], waiting: 0 }),
)

it.each([
  ['내 상사 이름은 김과장이야', '김과장 얘기는 잊어 주세요'],
  ['어제 병원에 갔어, 위염이래', '위염에 대해 말한 거 잊어줘'],
])('a Korean name is met behind its particles: %s', async (gone, message) =>
  expect(await say([gone, '나는 등산을 좋아해'], message)).toMatchObject({ gone: [gone], waiting: 0 }),
)

it.each([
  ['我爸坐过牢', '我爸爱下棋', '我爸坐牢的事，请你忘记'],
  ['我借了网贷', '我妈借了网贷公司的传单', '我借网贷的事，请你忘记'],
  ['我欠了五万块信用卡', '我欠姐姐一顿饭', '麻烦你把我欠信用卡的事忘掉'],
  ['我得過憂鬱症', '我媽媽喜歡跳舞', '幫我刪掉憂鬱症那件事，謝謝'],
  ['我同事阿強很煩', '我喜歡喝茶', '阿強的事你就當沒聽過吧'],
])(
  'a polite request is carried out where the words of the matter are divided or traditional: %s',
  async (gone, kept, message) =>
    expect(await say([gone, kept], message)).toMatchObject({ gone: [gone], waiting: 0 }),
)

it.each(['真想忘了小美', '好想忘了小美啊', '想忘了小美'])('a sigh is no request: %s', async (message) =>
  expect(await say(['我和小美吵架了'], message)).toEqual({ gone: [], isKept: true, waiting: 0 }),
)

it.each([
  ['I once stole a sheep.', "Let's forget the last thing I said."],
  ['I once stole a sheep.', 'No need to remember my previous remark.'],
  ['I once stole a sheep.', 'My last comment, please forget it.'],
  ['I once stole a sheep.', 'what i said a moment ago, please forget it'],
  ['我偷过一只羊。', '请不要记住我刚刚说的那件事。'],
  ['我偷过一只羊。', '最后那句别记下来。'],
  ['我偷过一只羊。', '刚刚说的那些都别留。'],
])('one’s last words are the statement before the request: %s – %s', async (statement, message) => {
  const scope = keepsake.scope({ tenant: `t${(cases += 1)}`, user: 'ana' })
  for (const text of [statement, message]) await scope.remember({ role: 'user', text, at: START })
  await scope.drain()
  expect(await scope.memories({ forms: ['utterance'] })).toEqual([])
})

it.each([
  ['My cousin Olaf fixes clocks.', 'Please forget what I said about my ex Olaf.'],
  ['My sister Ida lives in Ulm.', 'Please forget my boss Ida.'],
  ['My neighbour Kai plays drums.', 'Please forget about my dentist Kai.'],
  ['My son Nils is four.', 'Please forget what I said about my dog Nils.'],
  ['My son Emil starts school in June.', 'Please forget about my old school friend Emil.'],
  ['我弟弟小明在北京工作。', '请忘掉我同事小明的事。'],
  ['Emil is also my nephew, he is four.', 'Please forget about my colleague Emil.'],
  ['老秦是我家的狗。', '请忘掉我同事老秦的事。'],
])('a person of another relation is another person: %s – %s', async (statement, message) =>
  expect((await say([statement], message)).gone).toEqual([]),
)

it.each([
  ['My ex Olaf fixes clocks.', 'Please forget what I said about my ex Olaf.'],
  ['Ida yells a lot.', 'Please forget my boss Ida.'],
  ['My old school friend Emil moved away.', 'Please forget about my friend Emil.'],
])('a person without another relation is meant: %s – %s', async (statement, message) =>
  expect((await say([statement], message)).gone).toEqual([statement]),
)

it.each([
  ['My cousin Olaf fixes clocks.', 'Please forget about Olaf. Actually no, keep it.'],
  ['My cousin Olaf fixes clocks.', "Please forget about Olaf. Wait, don't forget him."],
  ['我表哥李航修钟表。', '请忘掉李航的事。算了，还是留着吧。'],
])('a request that the next sentence takes back changes nothing: %s – %s', async (statement, message) =>
  expect((await say([statement], message)).gone).toEqual([]),
)

it.each([
  ['My cousin Olaf fixes clocks.', 'Please forget about Olaf. Actually, keep him out of it.'],
  ['My cousin Olaf fixes clocks.', 'Please forget about Olaf. And remember that I live in Ely.'],
])('a request stays one beside other wishes: %s – %s', async (statement, message) =>
  expect((await say([statement], message)).gone).toEqual([statement]),
)

it.each([
  ["please don't keep the rehab stuff", 'I was in rehab in May.', 'I keep bees.'],
  ['delete my allergy info', 'I am allergic to latex.', 'I keep bees.'],
  ['keep the bees, but forget the rehab', 'I was in rehab in May.', 'I keep bees.'],
])('a request forgets what it names, or waits for a yes: %s', async (request, named, other) => {
  const { gone, waiting } = await say([named, other], request)
  expect(gone.length + waiting).toBe(1)
  expect(gone).not.toContain(other)
})

it.each([
  ['离婚的事', '我2019年离婚了。'],
  ['我打胎这件事', '我十九岁打过胎。'],
])('the application forgets a topic that it calls a matter: %s', async (topic, text) => {
  const scope = keepsake.scope({ tenant: `t${(cases += 1)}`, user: 'ana' })
  await scope.remember([
    { role: 'user', text },
    { role: 'user', text: '我养蜂。' },
  ])
  await scope.drain()
  const { memories } = await scope.forgetAbout(topic, { dryRun: true })
  expect(memories.map((memory) => memory.text)).toEqual([text])
})
