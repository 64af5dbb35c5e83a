import { describe, expect, it } from 'vitest'
import type { LanguageModel, OpenOptions, ScopedMemory } from 'keepsake'
import { PAPERS, type PaperName } from '@keepsake/papers'
import { openForTest, stoppedClock } from './open-for-test.ts'
import { someOf } from './some-of.ts'
import { answering, fact, segmentAnswer, shown } from './script-model.ts'

const DAY = 86_400_000

/** What somebody says and what is answered, in turns. */
type Session = readonly string[]

/** Sessions ten days apart, user and agent in turns, each ended and read to its end. */
async function told(sessions: readonly Session[], options: OpenOptions = {}): Promise<ScopedMemory> {
  const clock = stoppedClock()
  const keepsake = await openForTest({ ...options, now: clock.now })
  const user = keepsake.scope({ user: 'u' })
  for (const [place, texts] of sessions.entries()) {
    clock.forward(10 * DAY)
    const session = `s${place}`
    await user.remember(
      texts.map((text, at) => ({
        id: `${session}.${at}`,
        role: at % 2 === 0 ? ('user' as const) : ('assistant' as const),
        text,
        at: clock.now() + at * 60_000,
      })),
      { session },
    )
    await user.endSession(session)
    await keepsake.drain()
  }
  clock.forward(DAY)
  return user
}

/** All that a person can be shown: what questions find, and every live memory as it is listed. */
async function everythingShown(user: ScopedMemory, questions: readonly string[]): Promise<string> {
  const found: unknown[] = []
  for (const question of questions) {
    const { memories, context } = await user.recall(question, {
      limit: 50,
      tokens: 10_000,
      reinforce: false,
    })
    found.push(memories, context.text)
  }
  found.push(await user.memories(), await user.persona(), await user.portrait(), await user.story())
  found.push(await user.profile())
  return JSON.stringify(found)
}

const ENGLISH = {
  before: [
    [
      'I work as a baker in Porto.',
      'Lovely.',
      'My cousin Marek lent me four thousand for the van.',
      'When does he want it back?',
      'He wants it by June.',
      'That is soon.',
      'I have a parrot named Kiwi.',
      'Cute name.',
    ],
    [
      'Marek rang about the money again, I feel sick about it.',
      'That sounds stressful.',
      'We had pancakes for breakfast today.',
      'Yum.',
    ],
  ],
  after: ['Of course, I will not mention Marek again.', 'What a sunny day.', 'Indeed.'],
  fishing: [
    'Who lent me money?',
    'What is due in June?',
    'How much did the van cost?',
    'Who is my cousin?',
    'Do I owe anybody anything?',
    'What made me feel sick?',
    'Tell me about Marek.',
    'What did I ask you to forget?',
    'Where do I work, and do I have a pet?',
  ],
  gone: /marek|cousin|four thousand|by june|\bvan\b|want it back|feels? sick/i,
  kept: ['baker', 'Kiwi', 'pancakes'],
}

const CHINESE = {
  before: [
    [
      '我在医院上班。',
      '辛苦了。',
      '我跟王敏大吵了一架。',
      '他怎么说？',
      '他说再也不想见我了。',
      '别难过。',
      '我养了一只猫叫豆豆。',
      '真可爱。',
    ],
    ['王敏还是不肯回我消息,吵架以后我心里很难受。', '给彼此一点时间。', '今天早饭吃了煎饼。', '好吃吗？'],
  ],
  after: ['好的，我不再提王敏。', '今天天气不错。', '是的。'],
  fishing: [
    '我跟谁吵架了？',
    '谁不想见我？',
    '王敏怎么了？',
    '我为什么难受？',
    '我让你忘了什么？',
    '我在哪上班？养了什么？',
  ],
  gone: /王敏|吵|不想见我|难受/,
  kept: ['医院', '豆豆', '煎饼'],
}

async function afterRequest(
  { before, after, fishing }: typeof ENGLISH | typeof CHINESE,
  request: string,
  options: OpenOptions = {},
): Promise<string> {
  return everythingShown(await told([...before, [request, ...after]], options), fishing)
}

describe('a person that was asked to be forgotten', () => {
  it.each(
    someOf([
      'Please forget what I told you about Marek.',
      "I'd like you to forget about Marek.",
      'Can you delete everything you know about Marek?',
      'Take Marek out of your memory.',
      'Please forget about my cousin.',
      'Can we pretend I never told you about Marek?',
      'Pretend Marek never existed.',
      'You never heard a word about Marek.',
      "I don't want you to know about Marek.",
      "I'd rather you didn't know about my cousin.",
      "I wish I'd never told you about Marek.",
      'I take back everything I said about Marek.',
      'What I told you about Marek is off the record.',
      'that whole thing with Marek, please just forget it',
      "The thing with Marek, please just forget it, and don't keep it.",
      'do me a favour and forget about Marek',
    ]),
  )('is told in no form after “%s”, and all else is', async (request) => {
    const shownNow = await afterRequest(ENGLISH, request)
    expect(shownNow).not.toMatch(ENGLISH.gone)
    for (const kept of ENGLISH.kept) expect(shownNow).toContain(kept)
  })

  it.each(
    someOf([
      '请忘掉我说的关于王敏的事。',
      '帮我忘掉王敏的事吧',
      '忘了王敏这件事吧',
      '把王敏的事忘了吧',
      '王敏的事你就忘了吧',
      '就当我没提过王敏',
      '你就当没听过王敏的事',
      '我不想让你知道王敏的事',
      '我后悔告诉你王敏的事了',
      '请把王敏从你的记忆里删掉',
      '王敏的事不要留记录',
      '关于王敏的都删掉吧',
      '王敏那个事，你帮我删了吧，莫记了。',
      '王敏那件事，别记了',
      '王敏这件事帮我忘了吧',
      '王敏的事你帮我删掉。',
      '王敏那回事，抹了吧',
    ]),
  )('is told in no form after “%s”, and all else is', async (request) => {
    const shownNow = await afterRequest(CHINESE, request)
    expect(shownNow).not.toMatch(CHINESE.gone)
    for (const kept of CHINESE.kept) expect(shownNow).toContain(kept)
  })

  it.each([['Please forget about him.'], ["I don't want you to know about him anymore."]])(
    'is found by a pronoun: “%s”',
    async (request) => {
      const user = await told([
        ...ENGLISH.before,
        ['Marek again.', 'What about Marek?', request, ...ENGLISH.after],
      ])
      const shownNow = await everythingShown(user, ENGLISH.fishing)
      expect(shownNow).not.toMatch(ENGLISH.gone)
      for (const kept of ENGLISH.kept) expect(shownNow).toContain(kept)
    },
  )

  it.each<PaperName>(['moom', 'comedy', 'mmm', 'lufy', 'memory-bank', 'resum', 'memochat'])(
    'is told in no form by the preset %s',
    async (preset) => {
      const shownNow = await afterRequest(ENGLISH, 'Please forget what I told you about Marek.', {
        preset: PAPERS[preset],
      })
      expect(shownNow).not.toMatch(ENGLISH.gone)
    },
  )
})

describe('a matter between the user and somebody', () => {
  it.each([
    ['Please forget the money I owe Marek.', /four thousand|by June|\bvan\b|feels? sick|money/i, 'cousin'],
    ['Please forget that Marek lent me four thousand.', /four thousand|by June|\bvan\b/i, 'cousin'],
  ])('is told in no form after “%s”, and the person still is', async (request, gone, kept) => {
    const shownNow = await afterRequest(ENGLISH, request)
    expect(shownNow).not.toMatch(gone)
    expect(shownNow).toContain(kept)
    expect(shownNow).not.toContain('I will not mention Marek')
  })

  it.each(['忘了我跟王敏吵架的事吧', '帮我忘掉之前和王敏吵架的事吧', '把我和王敏吵架的事忘了吧'])(
    'is told in no form after “%s”',
    async (request) => {
      const shownNow = await afterRequest(CHINESE, request)
      expect(shownNow).not.toMatch(/吵|不想见我/)
      for (const kept of CHINESE.kept) expect(shownNow).toContain(kept)
    },
  )
})

describe('what was just said', () => {
  it.each(
    someOf([
      'You never heard that.',
      'Forget what I just said.',
      'Strike that from the record.',
      'This conversation never happened.',
      'Please just forget it.',
      "Let's pretend that never happened.",
      'I take back what I just said.',
      "That's private, please don't store it.",
    ]),
  )('is told in no form after “%s”', async (request) => {
    const user = await told([
      ['I work as a baker in Porto.', 'Lovely.'],
      [
        'I once stole a bicycle from a shop.',
        'Did they catch you?',
        request,
        'Understood.',
        'Nice weather.',
        'Yes.',
      ],
    ])
    const shownNow = await everythingShown(user, ['What did I steal?', 'Was I caught?', 'What is my job?'])
    expect(shownNow).not.toMatch(/stole|bicycle|catch/i)
    expect(shownNow).toContain('baker')
  })

  it.each([
    '就当我没说过',
    '这事别记了',
    '你就当没听过',
    '我收回刚才说的话',
    '别记这个。',
    '刚才说的都忘了吧。',
    '这是隐私，不要存下来。',
  ])('is told in no form after “%s”', async (request) => {
    const user = await told([
      ['我在医院上班。', '好。'],
      ['我以前偷过一辆自行车。', '被发现了吗？', request, '明白。', '天气真好。', '是。'],
    ])
    const shownNow = await everythingShown(user, ['我偷过什么？', '我被发现了吗？', '我在哪上班？'])
    expect(shownNow).not.toMatch(/偷|自行车|发现/)
    expect(shownNow).toContain('医院')
  })
})

describe('no request to forget', () => {
  it.each(
    someOf([
      'I forgot my keys, and Marek laughed.',
      "I'll never forget Marek.",
      "Don't forget that Marek is coming on Sunday.",
      'Did you forget about Marek?',
      "I wish I could forget Marek's face when he saw the van.",
      "I don't want you to worry about Marek.",
      'My boss told me to forget about Marek.',
      'Marek never mentioned it again.',
      'I should never have told my mum about Marek.',
      'You never heard of Marek?',
      "I can't get Marek's song out of my head.",
      "Let's not talk about Marek tonight.",
    ]),
  )('is “%s”', async (text) => {
    const user = await told([...ENGLISH.before, [text, 'I see.']])
    expect(await user.memories({ statuses: ['deleted'] })).toEqual([])
    expect(await everythingShown(user, ENGLISH.fishing)).toContain('four thousand')
  })

  it.each(
    someOf([
      '别忘了带伞去接王敏。',
      '我永远不会忘记王敏。',
      '我忘了带钥匙，还好王敏在家。',
      '我不想让你担心王敏。',
      '我妈叫我别再提王敏了。',
      '我不该告诉我妈王敏的事。',
      '你能跟我说说王敏的事吗？',
      '别提了，今天累死了。',
      '我后悔跟王敏分手。',
      '差点忘了告诉你，王敏回我消息了。',
      '忘了跟你说，王敏搬家了。',
    ]),
  )('is “%s”', async (text) => {
    const user = await told([...CHINESE.before, [text, '嗯。']])
    expect(await user.memories({ statuses: ['deleted'] })).toEqual([])
    expect(await everythingShown(user, CHINESE.fishing)).toContain('王敏')
  })
})

describe('a request that a language model understands', () => {
  const FIRM = [
    [
      'Halvorsen Shipping rang me in April, they want me as their head of accounts.',
      'That is big news.',
      'The interview is in Bergen and they would pay twice what I earn.',
      'Will you go?',
      'I work as a baker in Porto.',
      'I know.',
    ],
    ['I bought a suit for Bergen.', 'Nice.', 'I have a parrot named Kiwi.', 'Cute.'],
  ]
  const REQUEST =
    'That firm that called in spring: I would rather you never spoke of it. Please forget it ever came up.'

  /** A model that sees which lines are meant, and takes each turn of the user for a fact. */
  function understanding(
    meant: RegExp,
    names: readonly string[],
  ): LanguageModel & { requests: readonly unknown[] } {
    return answering({
      segment: (request) => {
        const lines = [...shown(request).matchAll(/^\[(\d+)\] .*?user: "(.*)"$/gm)]
        const isAsked = shown(request).includes('never spoke of it')
        const told = lines.filter(([, , text = '']) => !text.includes('never spoke'))
        return segmentAnswer(
          told.map(([, turn, text = '']) => fact(text, Number(turn), text)),
          {
            summary: told.map(([, , text]) => text).join(' '),
            forget: isAsked
              ? [
                  {
                    about: 'the firm',
                    turn: Number(lines.at(-1)?.[1]),
                    quote: 'Please forget it ever came up',
                  },
                ]
              : [],
          },
        )
      },
      choose_meant: (request) => {
        const [memories = '', turns = ''] = shown(request).split('</memories>')
        const numbers = (text: string, line: RegExp): number[] =>
          [...text.matchAll(line)].flatMap(([whole, number]) => (meant.test(whole) ? [Number(number)] : []))
        return {
          turns: numbers(turns, /^\[(\d+)\].*$/gm),
          memories: numbers(memories, /^\((\d+)\).*$/gm),
          names,
        }
      },
      text: 'I do not know.',
    })
  }

  const questions = [
    'Who called in spring?',
    'Why did I buy a suit?',
    'What would they pay me?',
    'Tell me about the firm.',
  ]
  const gone = /halvorsen|bergen|interview|accounts|spring|\bfirm\b|suit/i

  it('is carried out on all that it means, however it was told, and on nothing else', async () => {
    const model = understanding(/Halvorsen|Bergen|big news|Will you go/, ['Halvorsen'])
    const user = await told([...FIRM, [REQUEST, 'Of course.']], { model })
    const shownNow = await everythingShown(user, questions)
    expect(shownNow).not.toMatch(gone)
    expect(shownNow).toContain('baker')
    expect(shownNow).toContain('Kiwi')
  })

  it('leaves nothing of it in what a reply is made from, the running talk included', async () => {
    const model = understanding(/Halvorsen|Bergen|big news|Will you go/, [])
    const clock = stoppedClock()
    const keepsake = await openForTest({ model, now: clock.now })
    const user = keepsake.scope({ user: 'u' })
    const texts = [...FIRM.flat(), REQUEST, 'Of course.']
    await user.remember(
      texts.map((text, at) => ({
        role: at % 2 === 0 ? ('user' as const) : ('assistant' as const),
        text,
        at: clock.now() + at,
      })),
      { session: 'one' },
    )
    await keepsake.drain()
    clock.forward(60_000)
    await (
      await user.reply(
        { role: 'user', text: 'Who called me in spring?', at: clock.now() },
        { session: 'one' },
      )
    ).text
    const reply = shown(model.requests.at(-1) as Parameters<typeof shown>[0])
    expect(reply).toContain('Who called me in spring?')
    expect(reply.replace('Who called me in spring?', '')).not.toMatch(gone)
    expect(reply).toContain('Kiwi')
  })

  it('is carried out by its words where the answer cannot be used', async () => {
    const model = answering({
      segment: segmentAnswer([]),
      choose_meant: 'Sorry, I would rather not say.',
    })
    const request = 'Please forget about Marek.'
    const shownNow = await afterRequest(ENGLISH, request, { model })
    expect(shownNow).not.toMatch(/marek|four thousand/i)
    expect(shownNow).toContain('baker')
  })

  it('is not widened to names that are told of elsewhere as well', async () => {
    const model = understanding(/Bergen/, ['Porto'])
    const user = await told([...FIRM, [REQUEST, 'Of course.']], { model })
    expect(await everythingShown(user, questions)).toContain('baker in Porto')
  })
})
