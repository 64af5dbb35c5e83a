import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { InvalidInputError, NotPossibleError, type GuidelinesInput } from 'keepsake'
import type { LanguageRequest, ScriptedAnswer } from 'keepsake/model'
import { openForTest } from '../open-for-test.ts'
import { answering, fact, segmentAnswer, shown, type Answers } from '../script-model.ts'
import { GUIDED_TALKS, type GuidedTalk } from './talks.ts'

const AT = Date.parse('2026-06-10T18:00:00Z')

/** Answers of a general-purpose reader to the very requests of these talks, and its verdicts on what a careless reader wrote. */
const ANSWERS = JSON.parse(readFileSync(new URL('answers.json', import.meta.url), 'utf8')) as {
  readonly followed: Readonly<Record<string, Readonly<Record<string, readonly object[]>>>>
  readonly ignored: Readonly<
    Record<string, { readonly verdicts: readonly { readonly never: number | null }[] }>
  >
}

async function hold(talk: GuidedTalk, answers: Answers) {
  const model = answering(answers)
  const keepsake = await openForTest({ model, guidelines: talk.guidelines, now: () => AT + 7_200_000 })
  const user = keepsake.scope({ user: 'u' })
  await user.remember(
    talk.turns.map((text, turn) => ({
      id: `t${turn + 1}`,
      role: turn % 2 === 0 ? ('user' as const) : ('assistant' as const),
      text,
      at: AT + turn * 60_000,
    })),
    { session: 'one' },
  )
  await user.endSession('one')
  await user.drain()
  expect(await keepsake.jobs()).toEqual([])
  return {
    model,
    user,
    kept: await user.memories({ statuses: ['live'], forms: ['fact', 'story', 'summary'] }),
  }
}

const textOf = (memories: readonly { readonly text: string }[]) => memories.map(({ text }) => text).join('\n')

/** Every statement of the request has words of the user's. */
const stated = (request: LanguageRequest): object => ({
  verdicts: [...shown(request).matchAll(/^\((\d+)\)/gm)].map(([, statement]) => ({
    statement: Number(statement),
    reason: 'said',
    verdict: 'stated-by-user',
  })),
})

describe.each(GUIDED_TALKS)('the guidelines of $name', (talk) => {
  it('are in the prompt, and what a reader writes under them holds what is wanted and nothing else', async () => {
    const recorded = ANSWERS.followed[talk.name] ?? {}
    const replayed = Object.entries(recorded).map(([prompt, answers]) => {
      const answer = (_: LanguageRequest, call: number): ScriptedAnswer | object => answers[call] ?? {}
      return [prompt, answer] as const
    })
    const { model, kept } = await hold(talk, Object.fromEntries(replayed))
    const [segment] = model.requests
    expect(segment?.prompt).toMatch(/^segment\/\d+\+guidelines\/1$/)
    for (const line of [talk.guidelines.keep ?? [], talk.guidelines.never ?? []].flat())
      expect(segment?.system).toContain(line)
    for (const word of talk.keep) expect(textOf(kept)).toContain(word)
    for (const word of talk.never) expect(textOf(kept)).not.toContain(word)
    expect(kept.some(({ form }) => form === 'story')).toBe(true)
  })

  it('are checked afterwards: of a reader that ignored them, nothing is kept that falls under them', async () => {
    const memories = talk.ignored.map(([text, turn, quote]) => fact(text, turn, quote))
    const summary =
      talk.name === 'a Spanish tutor' ? 'They studied with Oksana. They mix up fui and era.' : ''
    const { user, kept } = await hold(talk, {
      segment: segmentAnswer(memories, { summary }),
      ground: stated,
      screen: ANSWERS.ignored[talk.name] ?? {},
      settle: { verdicts: [] },
    })
    const { verdicts } = ANSWERS.ignored[talk.name] ?? { verdicts: [] }
    const lines = [talk.guidelines.never ?? []].flat()
    const lineOf = (place: number) => lines[(verdicts[place]?.never ?? 0) - 1]
    const statements = talk.ignored.map(([text]) => text)
    const facts = kept.flatMap(({ form, text }) => (form === 'fact' ? [text] : []))
    expect(new Set(facts)).toEqual(new Set(statements.filter((_, place) => lineOf(place) === undefined)))
    expect(textOf(kept)).not.toContain('Oksana')
    // The log says what was not kept and in which turn it was, and holds none of its words.
    const withheld = await user.memories({ statuses: ['quarantined'], forms: ['fact'] })
    expect(withheld.map(({ reason }) => reason)).toEqual(
      statements.flatMap((_, place) => {
        const line = lineOf(place)
        return line === undefined ? [] : [`the application never keeps “${line}”`]
      }),
    )
    const log = JSON.stringify(await user.log())
    for (const [place, text] of statements.entries())
      expect(log.includes(text)).toBe(lineOf(place) === undefined)
    for (const { id, evidence } of withheld) {
      expect(evidence).toMatchObject([{ turn: expect.stringMatching(/^t\d$/), quote: null }])
      await expect(user.restore(id)).rejects.toThrow(NotPossibleError)
    }
  })
})

/** What rules keep of these words. */
async function ruled(guidelines: GuidelinesInput, ...texts: readonly string[]) {
  const keepsake = await openForTest({ guidelines })
  const user = keepsake.scope({ user: 'u' })
  for (const text of texts) await user.remember({ role: 'user', text })
  await keepsake.drain()
  return user
}

describe('without a model', () => {
  it.each([
    ['allergies and health', "I'm allergic to peanuts.", 'I live in Lyon.', 'Lyon'],
    ['anything about their sister', 'My sister is called Mia.', 'I live in Lyon.', 'Lyon'],
    ['过敏、病情', '我对花生过敏。', '我住在上海。', '上海'],
  ])('the words and keys that a line names are withheld: %s', async (never, withheld, kept, value) => {
    const user = await ruled({ never }, withheld, kept)
    expect((await user.memories({ forms: ['fact'] })).map((one) => one.value)).toEqual([value])
    expect((await user.memories({ statuses: ['quarantined'] })).map(({ reason }) => reason)).toEqual([
      `the application never keeps “${never}”`,
    ])
    // Messages stay: the application erases them where it wants to.
    expect(await user.turns()).toHaveLength(2)
  })

  it('a correction in talk brings nothing back', async () => {
    const user = await ruled({ never: 'Porto' }, 'I live in Lyon.', 'Sorry, I meant Porto, not Lyon.')
    const kept = await user.memories({ statuses: ['live', 'quarantined', 'deleted'], forms: ['fact'] })
    expect(JSON.stringify(kept.map(({ text, value }) => [text, value]))).not.toMatch(/lives in Porto|"Porto"/)
  })

  it('a statement of the application is refused as well', async () => {
    const user = await ruled({ never: 'salary' }, 'I live in Lyon.')
    await expect(user.addFact('The salary of the user is 3,000.')).rejects.toThrow(/never keeps “salary”/)
    const [home] = await user.memories({ forms: ['fact'] })
    await expect(user.edit(home?.id ?? '', { text: 'The salary is 3,000.' })).rejects.toThrow(
      /The edit was not kept/,
    )
  })
})

describe('a block', () => {
  it('does not take what is never kept, however it is written', async () => {
    const user = (await openForTest()).scope({ user: 'u' })
    await user.writeBlock('tasks', 'ask about the salary\nwater the plants')
    await user.setGuidelines({ never: ['salary', '病情'] })
    const refused = [
      () => user.writeBlock('work', 'They are a baker. Their salary is 3,000.'),
      () => user.writeBlock('salary', '3,000'),
      () => user.writeBlock('notes', '记住她的病情。'),
      () => user.editBlock('tasks', { insert: 'compare his salary' }),
      () => user.editBlock('tasks', { find: 'water the plants', replace: 'her salary' }),
      () => user.editBlock('tasks', { rename: 'salary' }),
    ]
    for (const write of refused) {
      await expect(write()).rejects.toThrow(NotPossibleError)
      await expect(write()).rejects.toThrow(
        /The block was not kept: the application never keeps “(?:salary|病情)”/,
      )
    }
    const [tasks, ...others] = await user.blocks()
    expect(tasks?.text).toBe('ask about the salary\nwater the plants')
    expect(others).toEqual([])
    // What was there before stays until it is edited away, and stops no other edit.
    const card = '4111 1111 1111 1111'
    await user.editBlock('tasks', { insert: `buy bread with ${card}` })
    await user.editBlock('tasks', { find: 'ask about the salary\n', replace: '' })
    const text = (await user.blocks())[0]?.text
    expect(text).toContain('buy bread')
    expect(text).not.toContain(card)
    expect(text).not.toContain('salary')
  })

  it('is checked by the model where there is one, and only what is new of it', async () => {
    const screen = (request: LanguageRequest) => ({
      verdicts: [...shown(request).matchAll(/^\((\d+)\) (?!"health")(.*)$/gm)].map(
        ([, statement, said = '']) => ({
          statement: Number(statement),
          about: said,
          never: said.includes('insulin') ? 1 : null,
        }),
      ),
    })
    const model = answering({ screen })
    const user = (await openForTest({ model, guidelines: { never: 'health' } })).scope({ user: 'u' })
    await user.writeBlock('tasks', 'water the plants')
    await expect(user.editBlock('tasks', { insert: 'remind him of his insulin' })).rejects.toThrow(
      /never keeps “health”/,
    )
    expect((await user.blocks()).map(({ text }) => text)).toEqual(['water the plants'])
    expect(model.requests).toHaveLength(2)
    const [, second] = model.requests.map(shown)
    expect(second).toContain('insulin')
    expect(second).not.toContain('water the plants')
  })

  it('is not written where the model that checks cannot be asked', async () => {
    const model = answering({
      screen: () => {
        throw new Error('the network is down')
      },
    })
    const keepsake = await openForTest({
      model,
      guidelines: { never: 'health' },
      modelOptions: { retries: 0 },
    })
    const user = keepsake.scope({ user: 'u' })
    await expect(user.writeBlock('tasks', 'water the plants')).rejects.toThrow(/the network is down/)
    expect(await user.blocks()).toEqual([])
  })
})

describe('the guidelines of one user', () => {
  it('are stored, add up with those of the memory, and hold for agents too', async () => {
    const keepsake = await openForTest({ guidelines: { keep: 'goals' } })
    const ana = keepsake.scope({ user: 'ana' })
    await ana.setGuidelines({ never: ['allergies'] })
    const luna = keepsake.scope({ user: 'ana', agent: 'luna' })
    expect(await luna.setGuidelines({ never: 'home', keep: 'songs' })).toEqual({
      keep: ['goals', 'songs'],
      never: ['allergies', 'home'],
      own: { keep: ['songs'], never: ['home'] },
    })
    expect(await ana.guidelines()).toMatchObject({ keep: ['goals'], never: ['allergies'] })
    expect(await keepsake.scope({ user: 'ana', agent: 'sol' }).guidelines()).toMatchObject({
      never: ['allergies'],
    })
    expect(await keepsake.scope({ user: 'ben' }).guidelines()).toMatchObject({ keep: ['goals'], never: [] })
    await luna.remember({ role: 'user', text: "I'm allergic to peanuts. I work as a baker." })
    await luna.drain()
    expect((await luna.memories({ forms: ['fact'] })).map(({ value }) => value)).toEqual(['baker'])
    await ana.setGuidelines({})
    expect((await luna.guidelines()).never).toEqual(['home'])
    await ana.erase({ everything: true })
    expect((await luna.guidelines()).never).toEqual([])
  })

  it.each([
    [{ keep: 3 }, /guidelines.keep\[0\] must be a line/],
    [{ never: [' '] }, /guidelines.never\[0\] must be a line/],
    [{ nevr: 'x' }, /Did you mean "never"/],
    [{ keep: Array.from({ length: 51 }, () => 'x') }, /at most 50/],
  ])('are refused: %j', async (given, message) => {
    const keepsake = await openForTest()
    const set = keepsake.scope({ user: 'ana' }).setGuidelines(given as GuidelinesInput)
    await expect(set).rejects.toThrow(InvalidInputError)
    await expect(set).rejects.toThrow(message)
  })

  it('are refused where a preset keeps nothing but messages', async () => {
    await expect(openForTest({ preset: 'naive-rag', guidelines: { never: 'x' } })).rejects.toThrow(
      /guidelines would have no effect/,
    )
  })
})

describe('every preset that writes with a model', () => {
  const SAID = 'I adopted a cat named Pixel. My salary is 3,000 a month.'
  const CASES = [
    ['moom', ['persona_snapshot', 'story_summary']],
    ['mmm', ['operations']],
    ['memochat', ['topic_memos']],
    ['comedy', ['session_memory', 'compress_portrait']],
    ['memory-bank', ['daily_summary', 'overall_summary']],
    ['lufy', ['persona_snapshot', 'session_summary', 'key_summary']],
    ['resum', ['recursive_summary']],
  ] as const
  const CAT = 'The user adopted a cat named Pixel.'
  const SALARY = 'The salary of the user is 3,000 a month.'
  const sentences = [
    { text: CAT, turns: [1] },
    { text: SALARY, turns: [1] },
  ]
  const text = `${CAT} ${SALARY}`
  /** Of a reader that ignores the guidelines, and of one that checks. */
  const WRITTEN: Answers = {
    persona_snapshot: {
      people: [{ person: 'user', entries: [{ key: 'pets', value: 'a cat named Pixel', turns: [1] }] }],
    },
    story_summary: { sentences },
    operations: { operations: [] },
    topic_memos: { memos: [] },
    importance: { ratings: [] },
    session_memory: { outcome: 'memory', events: sentences, user: [], agent: [] },
    compress_portrait: { user: text, relationship: '', events: '' },
    daily_summary: { events: sentences, personality: [] },
    overall_summary: { events: text, personality: '' },
    session_summary: { sentences },
    key_summary: { summary: text },
    recursive_summary: { memory: text },
    screen: (request: LanguageRequest) => ({
      verdicts: [...shown(request).matchAll(/^\((\d+)\) (?!"salary")(.*)$/gm)].map(
        ([, statement, said = '']) => ({
          statement: Number(statement),
          about: said,
          never: said.includes('salary') ? 1 : null,
        }),
      ),
    }),
  }
  it.each(CASES)('%s', async (preset, prompts) => {
    const model = answering(WRITTEN)
    const guidelines = { keep: 'animals', never: 'salary' }
    const keepsake = await openForTest({ preset, model, guidelines })
    const user = keepsake.scope({ user: 'u' })
    const turns = Array.from({ length: preset === 'moom' ? 100 : 12 }, (_, n) => [
      { role: 'user' as const, text: n === 0 ? SAID : `It rained on day ${n}.` },
      { role: 'assistant' as const, text: 'I see.' },
    ])
    await user.remember(turns.flat(), { session: 'one' })
    await user.endSession('one')
    await user.drain()
    const asked = model.requests.filter(
      ({ schemaName }) => !['importance', 'screen'].includes(schemaName ?? ''),
    )
    for (const prompt of prompts) expect(asked.map(({ schemaName }) => schemaName)).toContain(prompt)
    for (const { system } of asked) {
      expect(system).toContain('- "animals"')
      expect(system).toContain('- "salary"')
    }
    const all = await user.memories({ forms: ['fact', 'summary', 'story', 'portrait'] })
    // The first level of MOOM's story are messages.
    const kept = all.filter(({ origin }) => origin.step !== 'pack/1')
    expect(textOf(kept)).not.toMatch(/salary|3,000/)
    if (prompts.some((prompt) => /summary|memory/.test(prompt))) expect(textOf(kept)).toContain('Pixel')
  })
})
