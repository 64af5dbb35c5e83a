import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openMemory, type Keepsake, type Memory, type ScopedMemory } from 'keepsake'

const DAY = 86_400_000

/** Each case is a user of it. */
let keepsake: Keepsake
let users = 0
beforeAll(async () => {
  keepsake = await openMemory({ path: ':memory:' })
})
afterAll(() => keepsake.close())

const openUser = (): ScopedMemory => keepsake.scope({ user: `u${(users += 1)}` })

async function talk(...days: readonly (readonly string[])[]): Promise<{ user: ScopedMemory }> {
  const user = openUser()
  for (const [day, texts] of days.entries()) {
    const at = Date.UTC(2024, 0, 1, 18) + day * 30 * DAY
    await user.remember(
      texts.map((text, index) => ({ role: 'user', text, id: `t${day}.${index}`, at: at + index * 60_000 })),
      { session: `s${day}` },
    )
    await user.endSession(`s${day}`)
    await keepsake.drain()
  }
  return { user }
}

/** One session of turns by role. */
async function converse(
  turns: readonly (readonly ['user' | 'assistant', string])[],
): Promise<{ user: ScopedMemory }> {
  const user = openUser()
  const at = Date.UTC(2024, 0, 1, 18)
  await user.remember(
    turns.map(([role, text], index) => ({ role, text, id: `c${index}`, at: at + index * 60_000 })),
    { session: 'c' },
  )
  await user.endSession('c')
  await keepsake.drain()
  return { user }
}

async function everything(user: ScopedMemory, question: string, options = {}): Promise<string> {
  const { memories, context } = await user.recall(question, {
    limit: 50,
    tokens: 10_000,
    reinforce: false,
    ...options,
  })
  return JSON.stringify([memories, context.text])
}

async function facts(user: ScopedMemory, key: string): Promise<readonly Memory[]> {
  return (await user.memories({ forms: ['fact'] })).filter((memory) => memory.key === key)
}

describe('a request to forget', () => {
  it.each([
    [
      'in English',
      ['I have a parrot named Kiwi.', 'I work as a baker.'],
      'Please forget that I have a parrot named Kiwi.',
      'Kiwi',
      'baker',
    ],
    [
      'about a name',
      ['My cousin Wilhelmina is a pilot.', 'I work as a baker.'],
      'Delete what I said about Wilhelmina.',
      'Wilhelmina',
      'baker',
    ],
    ['in Chinese', ['我有一只猫叫小白。', '我在医院工作。'], '请忘掉我说的关于小白的事。', '小白', '医院'],
  ])(
    'drops what it names %s, the request included, and nothing else',
    async (_, said, request, dropped, kept) => {
      const { user } = await talk(said, [request])
      const found = await everything(user, `${dropped} ${kept}`)
      expect(found).not.toContain(dropped)
      expect(found).toContain(kept)
    },
  )

  it.each([
    'Forget what I just said.',
    'Vergiss, was ich gerade gesagt habe.',
    'Olvida lo que acabo de decir.',
    '今言ったことは忘れて',
    '방금 한 말은 잊어줘',
  ])('drops what was said just before: %s', async (asked) => {
    const { user } = await talk(['I work as a baker.'], ['I once stole a bicycle.', asked])
    const found = await everything(user, 'bicycle baker')
    expect(found).not.toContain('bicycle')
    expect(found).toContain('baker')
  })

  it.each([
    "Don't forget that I have a parrot named Kiwi.",
    "I'll never forget my parrot Kiwi.",
    '别忘了我有一只鹦鹉叫Kiwi。',
  ])('is not seen in "%s"', async (text) => {
    const { user } = await talk(['I have a parrot named Kiwi.'], [text])
    expect(await everything(user, 'parrot Kiwi')).toContain('Kiwi')
    expect((await user.memories({ statuses: ['deleted'] })).length).toBe(0)
  })

  it('drops all that tells of a person: facts, what the agent said, and what goes on by a pronoun', async () => {
    const { user } = await converse([
      ['user', 'My colleague Tom is interviewing at another hospital.'],
      ['assistant', 'Big step for him.'],
      ['user', 'He is nervous about the panel.'],
      ['assistant', 'Tom must trust you a lot. Anyway, lunch was served.'],
      ['user', 'I work as a baker in Porto.'],
      ['assistant', 'Nice.'],
      ['user', "Please forget what I said about Tom, it isn't mine to tell."],
      ['assistant', 'Of course, I have forgotten all about Tom.'],
      ['user', 'I have a parrot named Kiwi.'],
    ])
    const found = await everything(user, 'Tom colleague interviewing hospital nervous panel baker parrot')
    for (const gone of ['Tom', 'interviewing', 'nervous', 'Big step']) expect(found).not.toContain(gone)
    for (const kept of ['I work as a baker in Porto', 'Kiwi']) expect(found).toContain(kept)
    const told = await user.memories({ forms: ['summary', 'story'] })
    expect(JSON.stringify(told)).not.toMatch(/Tom|nervous/)
  })

  it('leaves another that a pronoun may mean, and what shares only a common word', async () => {
    const { user } = await converse([
      ['user', 'I had lunch with Rose and my brother.'],
      ['user', 'He is a pilot.'],
      ['user', 'I rose early to water a rose.'],
      ['user', 'Please forget what I said about Rose.'],
    ])
    const found = await everything(user, 'lunch Rose brother pilot rose early')
    expect(found).not.toContain('lunch with Rose')
    expect(found).toContain('He is a pilot')
    expect(found).toContain('water a rose')
  })

  it('means only what was said before it', async () => {
    const { user } = await converse([
      ['user', 'My cousin Wilhelmina is a pilot.'],
      ['user', 'Forget what I said about Wilhelmina; I mixed it up.'],
      ['user', 'My cousin Wilhelmina is a surgeon.'],
    ])
    const found = await everything(user, 'Wilhelmina pilot surgeon')
    expect(found).not.toContain('pilot')
    expect(found).toContain('Wilhelmina is a surgeon')
  })

  it('keeps a fact of the same turn about something else', async () => {
    const { user } = await talk([
      'My sister Wilhelmina called me, and I work as a baker.',
      'Please forget what I said about Wilhelmina.',
    ])
    expect((await facts(user, 'occupation')).map((memory) => memory.value)).toEqual(['baker'])
    expect(await facts(user, 'siblings')).toEqual([])
  })

  it('does not take the turn before for what was just said when its own turn says something', async () => {
    const { user } = await talk([
      'I work as a baker.',
      'I once stole a bicycle from a shop. Forget what I just said.',
    ])
    const found = await everything(user, 'bicycle baker')
    expect(found).not.toContain('bicycle')
    expect(found).toContain('baker')
  })

  it('follows a name in Chinese, with what leads in and what gives the reason', async () => {
    const { user } = await talk([
      '我前男友王敏突然给我发消息了。',
      '我在医院工作。',
      '算了,请忘掉我刚才说的关于王敏的事,我不想再提他。',
    ])
    const found = await everything(user, '王敏 前男友 消息 医院')
    expect(found).not.toContain('王敏')
    expect(found).toContain('医院')
  })

  it('takes its words out of the quotes of facts that stay', async () => {
    const { user } = await talk(
      ['My sister Wilhelmina called me and I work as a baker.'],
      ['Please forget what I said about Wilhelmina.'],
    )
    const found = await everything(user, 'What do I work as? baker')
    expect(found).not.toContain('Wilhelmina')
  })

  it('can be explained and undone', async () => {
    const { user } = await talk(
      ['I have a parrot named Kiwi.'],
      ['Please forget that I have a parrot named Kiwi.'],
    )
    const [gone] = await user.memories({ statuses: ['deleted'], forms: ['fact'] })
    const explanation = await user.explain(gone?.id ?? '')
    expect(explanation.sentences.join(' ')).toContain('asked to be forgotten')
    const deletion = explanation.history.find((operation) => operation.kind === 'delete')
    await user.undo(deletion?.id ?? '')
    expect(await everything(user, 'parrot Kiwi')).toContain('Kiwi')
  })
})

describe('what is said to have changed', () => {
  it('answers both where somebody lives and where they lived', async () => {
    const { user } = await talk(['I live in Porto.'], ['Actually, I moved to Lyon.'])
    const residence = await facts(user, 'residence')
    const now = residence.filter((memory) => memory.validUntil === null)
    expect(now.map((memory) => memory.value)).toEqual(['Lyon'])
    const values = residence.flatMap((memory) => [
      memory.value,
      ...memory.past.map((version) => version.value),
    ])
    expect(values).toContain('Porto')
    const then = await user.recall('Where do I live?', {
      asOf: '2024-01-15T00:00:00Z',
      forms: ['fact'],
      reinforce: false,
    })
    expect(then.memories.map((recalled) => recalled.memory.value)).toEqual(['Porto'])
  })

  it('closes what somebody no longer does, and keeps that it was so', async () => {
    const { user } = await talk(['I work as a baker.'], ['I no longer work as a baker.'])
    const [job] = await facts(user, 'occupation')
    expect(job).toMatchObject({
      value: expect.stringContaining('baker'),
      validUntil: Date.UTC(2024, 0, 31, 18),
    })
    expect(job?.evidence.map((evidence) => evidence.turn)).toEqual(['t0.0', 't1.0'])
  })

  it.each([
    ['I love coffee.', "Funny you ask, I don't like coffee anymore."],
    ['我喜欢咖啡。', '说来好笑,我现在已经不喜欢咖啡了。'],
  ])('closes a liking that has ended, with its evidence: “%s” – “%s”', async (said, ended) => {
    const { user } = await talk([said], [ended])
    const [liking] = await facts(user, 'likes')
    expect(liking?.validUntil).toBe(Date.UTC(2024, 0, 31, 18))
    expect(liking?.evidence.map((evidence) => evidence.turn)).toEqual(['t0.0', 't1.0'])
  })

  it('does not end what only shares a word with what was given up', async () => {
    const { user } = await talk(['I work at a coffee shop.'], ['I gave up coffee.'])
    for (const fact of await facts(user, 'employer')) expect(fact.validUntil).toBeNull()
  })

  it('lets a new liking delete the dislike it contradicts', async () => {
    const { user } = await talk(['I hate olives.'], ['I love olives now.'])
    expect((await facts(user, 'dislikes')).length).toBe(0)
    expect((await facts(user, 'likes')).map((memory) => memory.value)).toEqual(['olives'])
  })

  it.each([
    ['I work at Siemens.', 'I got laid off.', 'employer'],
    ['I work as a baker.', 'I quit my job today.', 'occupation'],
    ['My husband is Tom.', 'We broke up.', 'partner'],
    ['我在银行上班。', '我辞职了。', 'employer'],
    ['我女朋友叫小雅。', '我们分手了。', 'partner'],
  ])('ends whatever it was: “%s” – “%s”', async (said, ended, key) => {
    const { user } = await talk([said], [ended])
    const [fact] = await facts(user, key)
    expect(fact?.validUntil).toBe(Date.UTC(2024, 0, 31, 18))
  })

  it('leaves a new job where an old loss is looked back at', async () => {
    const { user } = await talk(
      ['I lost my job.'],
      ['I work at Siemens.'],
      ['Since I lost my job, I sleep badly.'],
    )
    expect((await facts(user, 'employer'))[0]?.validUntil).toBeNull()
  })

  it('works in Chinese', async () => {
    const { user } = await talk(['我住在上海。'], ['我搬到北京了。'])
    const now = (await facts(user, 'residence')).filter((memory) => memory.validUntil === null)
    expect(now.map((memory) => memory.value)).toEqual(['北京'])
  })
})

describe('what only the agent says', () => {
  it('never becomes a fact about the user', async () => {
    const user = openUser()
    await user.remember([
      { role: 'assistant', text: 'You live in Reykjavik and you love herring, right?' },
      { role: 'user', text: 'Hm, why do you ask?' },
    ])
    await user.endSession()
    await keepsake.drain()
    expect((await user.memories({ forms: ['fact'] })).filter((memory) => memory.subject === 'user')).toEqual(
      [],
    )
  })

  it('becomes one, labelled as such, when the user confirms it', async () => {
    const user = openUser()
    await user.remember([
      { role: 'assistant', text: 'So you live in Reykjavik?' },
      { role: 'user', text: 'Yes.' },
    ])
    await user.endSession()
    await keepsake.drain()
    const [fact] = await facts(user, 'residence')
    expect(fact).toMatchObject({ value: 'Reykjavik', label: 'user-confirmed' })
  })
})

describe('somebody who introduces themself', () => {
  it.each([
    [
      "I'm Bo, 29, a carpenter from Malmö.",
      { name: 'Bo', age: '29', occupation: 'carpenter', origin: 'Malmö' },
    ],
    ['tunde here, second year nursing student', { name: 'Tunde', education: 'second year nursing student' }],
    ['hi im leila and im from tabriz', { name: 'Leila', origin: 'Tabriz' }],
    ["I'm Priya, I'm 34.", { name: 'Priya', age: '34' }],
    ['我叫林小禾，今年二十六，在广州做会计', { name: '林小禾', age: '二十六', occupation: '会计' }],
  ])('is known by what stands between the commas: “%s”', async (text, expected) => {
    const { user } = await talk([text])
    const found = await user.memories({ forms: ['fact'] })
    const values = Object.fromEntries(found.map(({ key, value }) => [key, value]))
    expect(values).toMatchObject(expected)
  })

  it.each(["I'm done, here is the list.", "I'm sorry, 29 is too many.", 'Same here, a nurse from Leeds.'])(
    'is nobody named in “%s”',
    async (text) => {
      const { user } = await talk([text])
      expect(await facts(user, 'name')).toEqual([])
    },
  )
})

describe('that there was a request to forget', () => {
  const REQUESTS = [
    [
      'en',
      'My sister Wilhelmina owes me 900 euros.',
      'Please forget that my sister Wilhelmina owes me money.',
      'What does Wilhelmina owe?',
    ],
    [
      'en',
      'I once stole a bicycle in Delft.',
      'Please forget the bicycle in Delft.',
      'Which secret did I tell about Delft?',
    ],
    ['zh', '我姐姐小兰欠我九百块。', '请忘掉小兰欠我钱的事。', '小兰欠了多少？'],
    ['zh', '我在大理偷过一辆自行车。', '请忘掉大理自行车的事。', '大理发生过什么？'],
  ] as const
  const listed = async (user: ScopedMemory): Promise<string[]> =>
    (await user.memories({ forms: ['fact'] })).map(({ text }) => text)

  it.each(REQUESTS)(
    'is in the log, and neither among the memories nor in an answer (%s): %s',
    async (_, said, asked, fishing) => {
      const { user } = await talk([said], [asked])
      expect(await listed(user)).toEqual([])
      const found = await user.recall(fishing, { limit: 50, tokens: 10_000 })
      expect(JSON.stringify([found.memories, found.context.text])).not.toMatch(/900|bicycle|九百|自行车/)
      const log = await user.log({ kinds: ['delete'] })
      expect(log.length).toBeGreaterThan(0)
    },
  )
})

describe('a request that may mean something else', () => {
  it('waits for a yes where memories hold only a part of it', async () => {
    const { user } = await talk(['I dropped out of art school.', 'My sister is a nurse.'])
    const asked = await user.remember({
      role: 'user',
      text: 'Please forget the art school scandal.',
      id: 'asked',
    })
    expect(asked.pendingRequests).toMatchObject([{ turn: 'asked', about: 'the art school scandal' }])
    await keepsake.drain()
    expect(await everything(user, 'art school')).toContain('dropped out')
    const { id } = await user.confirmRequest('asked')
    expect(await everything(user, 'art school')).not.toContain('dropped out')
    expect(await everything(user, 'sister')).toContain('nurse')
    await user.undo(id)
    expect(await everything(user, 'art school')).toContain('dropped out')
  })

  it.each([
    'Section 4. Forget what I said about penicillin. Section 5. Liability.',
    'Step 1. Rinse the rice. Step 2. Forget what I said about penicillin. Step 3. Serve it.',
    '第三条 价格。忘掉我说的关于penicillin的事。第四条 责任。',
  ])('waits for a yes in a line that addresses nobody: %s', async (text) => {
    const { user } = await talk(["I'm allergic to penicillin."])
    const { pendingRequests } = await user.remember({ role: 'user', text, id: 'pasted' })
    expect(pendingRequests).toMatchObject([{ turn: 'pasted' }])
    await keepsake.drain()
    expect((await facts(user, 'allergies')).length).toBe(1)
  })

  it.each(['Delete the photos of Porto.', 'Take the tram to Porto.', 'Forget Porto, we fly to Rome.'])(
    'removes nothing by a verb that may mean something else: %s',
    async (text) => {
      const { user } = await talk(['I live in Porto.'], [text])
      expect((await facts(user, 'residence')).length).toBe(1)
    },
  )

  it('is said to be unheard where the caller can see it', async () => {
    const { user } = await talk(['I live in Porto.'])
    const asked = await user.remember([
      { role: 'user', text: 'Please forget what I said about zebras.', id: 'z' },
      { role: 'user', text: 'That goes no further, it stays between us.', id: 'u' },
      { role: 'user', text: 'I had soup.', id: 's' },
      { role: 'user', text: 'I was in rehab in May.', id: 'r' },
      { role: 'user', text: 'Plz forget what I said about rehab.', id: 'f' },
    ])
    expect(asked.unheardRequests).toMatchObject([
      { turn: 'z', why: 'nothing-found' },
      { turn: 'u', why: 'not-understood' },
    ])
  })
})

describe('what a request names', () => {
  it.each([
    [
      'a thing and not what shares its stem',
      ['I got a job at the bakery.', 'My mum Inge bakes for every birthday.'],
      'forget the bakery thing',
      ['job at the bakery'],
      ['Inge bakes'],
    ],
    [
      'one of two people of one name',
      ['My ex Tom lives in Leeds.', 'My brother Tom is a vet.'],
      'Please forget about my ex.',
      ['Leeds'],
      ['vet'],
    ],
    [
      'what is not to be remembered',
      ['I had a miscarriage in May.', 'I like tea.'],
      "don't remember the miscarriage thing please",
      ['miscarriage'],
      ['tea'],
    ],
    [
      'something in Spanish',
      ['Mi hermano Nil toca el piano.', 'Vivo en Lugo.'],
      'Olvida lo de mi hermano.',
      ['piano'],
      ['Lugo'],
    ],
    [
      'something in German',
      ['Ich habe Schulden bei der Bank.', 'Ich wohne in Kiel.'],
      'Vergiss bitte das mit den Schulden.',
      ['Schulden'],
      ['Kiel'],
    ],
    [
      'something in French',
      ['Mon fils a raté son permis.', "J'habite à Nantes."],
      'Oublie cette histoire de permis.',
      ['permis'],
      ['Nantes'],
    ],
    [
      'something in Portuguese',
      ['Tenho medo de avião.', 'Moro em Braga.'],
      'Esquece essa coisa do avião.',
      ['avião'],
      ['Braga'],
    ],
    [
      'something in Japanese',
      ['糖尿病と診断されました。', '犬を飼っています。'],
      '糖尿病のことは忘れてください。',
      ['糖尿病'],
      ['犬'],
    ],
    [
      'something in Korean',
      ['저는 우울증이 있어요.', '저는 부산에 살아요.'],
      '우울증 얘기는 잊어 주세요.',
      ['우울증'],
      ['부산'],
    ],
    [
      'a state of the speaker and not of another',
      ["I'm diabetic.", 'My mother is diabetic too.'],
      "Please don't store that I'm diabetic.",
      ["I'm diabetic"],
      ['mother'],
    ],
    [
      'an address in Korean',
      ['저는 마포구에 살아요.', '마포대교가 막혀요.'],
      '주소는 잊어 주세요',
      ['마포구'],
      ['마포대교'],
    ],
    [
      'a value by its kind',
      ['I turned 47 in March.', 'My aunt is 47.'],
      'forget how old I am',
      ['turned 47'],
      ['aunt'],
    ],
    [
      'a person asked about in Spanish',
      ['Raúl me debe dinero.', 'Vivo en Lugo.'],
      '¿Puedes olvidar lo de Raúl?',
      ['Raúl'],
      ['Lugo'],
    ],
    [
      'an address that is not to be kept in German',
      ['Ich wohne in der Gartenstraße 5.', 'Der Garten ist schön.'],
      'Ich möchte nicht, dass du dir meine Adresse merkst.',
      ['Gartenstraße'],
      ['schön'],
    ],
    [
      'a name behind a Korean particle',
      ['민수한테 돈을 빌려줬어.', '저는 부산에 살아요.'],
      '민수에 대해 말한 건 잊어 줘.',
      ['민수한테'],
      ['부산'],
    ],
    [
      'one of two brothers',
      ['My brother Aldo sells boats.', 'My brother Vito farms pigs.'],
      'Keep Vito, but forget my other brother.',
      ['Aldo'],
      ['Vito farms'],
    ],
  ] as const)('goes: %s', async (_, said, request, gone, kept) => {
    const { user } = await talk(said, [request])
    const found = JSON.stringify(await user.memories({ forms: ['utterance', 'fact'] }))
    for (const text of gone) expect(found).not.toContain(text)
    for (const text of kept) expect(found).toContain(text)
  })

  it.each([
    ['Meine Knie-OP ist im Mai', 'Vergiss nicht, mich nach dem Knie zu fragen'],
    ['Je me fais opérer du genou en mai', "N'oublie pas mon genou !"],
    ['Vou operar o joelho em maio', 'Não esquece do meu joelho'],
    ['Me operan de la rodilla en mayo', 'no te olvides de mi rodilla'],
    ['前男友亨利又给我发消息了', '我真想忘掉亨利'],
    ['我的生日是六月四号。', '你忘了我的生日吗？'],
    ["Luc me doit de l'argent.", "Luc m'a demandé d'oublier l'argent."],
    ['Marta me debe dinero.', 'Marta me pidió que olvidara el dinero.'],
    ["Mia's birthday is tomorrow.", "Forgetting Mia's birthday was awful."],
    ['My dog Biscuit loves the beach', "Did I delete the photos of Biscuit? I can't remember"],
  ])('stays where nothing is asked: %s – %s', async (said, told) => {
    const { user } = await talk([said], [told])
    const texts = JSON.stringify(await user.memories({ forms: ['utterance', 'fact'] }))
    expect(texts).toContain(said)
    expect(texts).toContain(told)
    expect(texts).not.toMatch(/waits for a yes|等待确认/)
  })

  it.each([
    [
      'religion',
      'I sing in the choir of the church at Orte.',
      "Don't hold on to anything about my religion.",
      'Yes.',
    ],
    ['illness', '我有甲状腺炎。', '身体上的毛病不想让你留着，抹掉吧', '是的'],
  ])('is asked about where it is a part of life: %s', async (_, said, request, yes) => {
    const other = 'My brother Vito farms pigs.'
    const { user } = await talk([said, other], [request])
    expect(await everything(user, said)).toContain(said)
    await user.remember({ role: 'user', text: yes, at: Date.UTC(2024, 1, 1) })
    await keepsake.drain()
    const left = JSON.stringify(await user.memories({ forms: ['utterance', 'fact'] }))
    expect(left).not.toContain(said)
    expect(left).toContain(other)
  })

  it('is forgotten by a topic, too, after a preview', async () => {
    const { user } = await talk(['I have a parrot named Kiwi.', 'I work as a baker.'])
    const seen = await user.forgetAbout('my parrot', { dryRun: true })
    expect(seen.memories.map(({ text }) => text)).toContain('I have a parrot named Kiwi.')
    expect(seen.operations).toEqual([])
    expect(await everything(user, 'parrot')).toContain('Kiwi')
    const { operations } = await user.forgetAbout('my parrot')
    expect(await everything(user, 'parrot baker')).not.toContain('Kiwi')
    expect(await everything(user, 'parrot baker')).toContain('baker')
    const [id = '', ...others] = operations.flatMap(({ id, parent }) => (parent === null ? [id] : []))
    expect(others).toEqual([])
    await user.undo(id)
    expect(await everything(user, 'parrot')).toContain('Kiwi')
  })

  it.each([
    ['I have a dog named Bo.', 'Bo chewed my shoes.', 'Please forget everything about Bo.'],
    ['I was in rehab in May.', 'The rehab was hard.', 'Please forget what I said about rehab.'],
    ['My boss Vera shouts.', 'Vera fired a colleague.', 'Please forget everything I said about Vera.'],
    ['我养了一只狗叫豆豆。', '豆豆昨天咬坏了我的鞋。', '请忘掉豆豆的事。'],
    ['Mein Hund heißt Waldi.', 'Waldi hat meine Schuhe zerbissen.', 'Vergiss bitte alles über Waldi.'],
    ['Mi perro se llama Toto.', 'Toto rompió mis zapatos.', 'Olvida todo lo de Toto, por favor.'],
  ])('is one change, which one undo takes back: %s', async (...texts) => {
    const [first, second, request] = texts
    const { user } = await converse([
      ['user', 'I work as a baker.'],
      ['user', first],
      ['user', second],
    ])
    const live = async () => (await user.memories({ forms: ['utterance', 'fact'] })).map(({ text }) => text)
    const before = await live()
    await user.remember(
      { role: 'user', text: request, id: 'r', at: Date.UTC(2024, 0, 1, 19) },
      { session: 'd' },
    )
    await user.endSession('d')
    await user.drain()
    expect(await live()).not.toContain(second)
    const removals = (await user.log()).filter(({ kind, parent }) => kind === 'delete' && parent === null)
    expect(removals).toHaveLength(1)
    await user.undo(removals[0]?.id ?? '')
    expect(await live()).toEqual(expect.arrayContaining(before))
  })
})

describe('one of two with the same name', () => {
  it.each([
    ['My aunt Vera paints.', 'My landlady Vera raised the rent.', 'Please forget my landlady Vera.', /rent/],
    ['My supervisor Kai shouts.', 'Kai, my cousin, surfs.', 'Please forget my boss Kai.', /shouts/],
    ['我表哥李航在学医。', '我室友李航弹吉他。', '请忘掉我室友李航', /吉他/],
  ])('is forgotten by relation, and the other stays: “%s” / “%s”', async (first, second, request, gone) => {
    const { user } = await talk([first], [second], [request])
    const texts = (await user.memories({ forms: ['utterance', 'fact'] })).map(({ text }) => text).join('\n')
    expect(texts).not.toMatch(gone)
    expect(texts).toMatch(/paints|surfs|学医/)
  })

  it('waits for a yes where no relation is named', async () => {
    const { user } = await talk(
      ['My aunt Vera paints.'],
      ['My landlady Vera sings.'],
      ['Please forget Vera.'],
    )
    const texts = async () =>
      (await user.memories({ forms: ['utterance', 'fact'] })).map(({ text }) => text).join('\n')
    expect(await texts()).toMatch(/paints[^]*sings/)
    await user.remember({ role: 'user', text: 'Yes.' })
    await user.drain()
    expect(await texts()).not.toMatch(/paints|sings/)
  })
})
