import { readFileSync } from 'node:fs'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { InvalidInputError, openMemory, type Metadata, type OpenOptions, type StandardSchema } from 'keepsake'
import type { LanguageRequest } from 'keepsake/model'
import { openForTest } from '../open-for-test.ts'
import { answering, fact, segmentAnswer, shown, type Answers } from '../script-model.ts'
import { FILED_TALKS } from './talks.ts'

const AT = Date.parse('2026-06-10T18:00:00Z')
const WEEK = 7 * 86_400_000

/** Answers of a general-purpose reader to the very requests of these talks, session by session. */
const ANSWERS = JSON.parse(readFileSync(new URL('answers.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, readonly object[]>
>

const numbered = (request: LanguageRequest): number[] =>
  [...shown(request).matchAll(/^[([](\d+)[)\]]/gm)].map(([, number]) => Number(number))

/** A reader that extracts each turn as it stands, and files it as told. */
function reading(sessions: readonly (readonly string[])[], file: Answers[string]) {
  return answering({
    segment: (_, call) =>
      segmentAnswer((sessions[call] ?? []).map((text, place) => fact(text, place + 1, text))),
    ground: (request: LanguageRequest) => ({
      verdicts: numbered(request).map((statement) => ({
        statement,
        reason: 'said',
        verdict: 'stated-by-user',
      })),
    }),
    settle: (request: LanguageRequest) => ({
      verdicts: numbered(request).map((pair) => ({ pair, verdict: 'both' })),
    }),
    file,
  })
}

/** Has the sessions remembered and read, a week apart. */
async function hold(
  sessions: readonly (readonly string[])[],
  file: Answers[string],
  options: Omit<OpenOptions, 'preset'>,
) {
  const model = reading(sessions, file)
  const keepsake = await openForTest({ model, now: () => AT + 10 * WEEK, ...options })
  const user = keepsake.scope({ user: 'u' })
  for (const [week, session] of sessions.entries()) {
    const turns = session.map((text, place) => ({
      role: 'user' as const,
      text,
      at: AT + week * WEEK + place * 60_000,
    }))
    await user.remember(turns, { session: `week ${week}` })
    await user.endSession(`week ${week}`)
    await user.drain()
  }
  expect(await keepsake.jobs()).toEqual([])
  return { model, keepsake, user }
}

const textsOf = (memories: readonly { readonly text: string }[]) => memories.map(({ text }) => text).sort()

describe.each(FILED_TALKS)('the categories and keys of $name', ({ name, categories, keys, ...talk }) => {
  it('are filled by a reader, merged by class, and answered in their form', async () => {
    const recorded = ANSWERS[name] ?? []
    const file: Answers[string] = (_, call) => recorded[call] ?? {}
    const { model, user } = await hold(talk.sessions, file, { categories, keys })
    const asked = model.requests.filter(({ schemaName }) => schemaName === 'file')
    expect(asked).toHaveLength(talk.sessions.length)
    for (const word of [...Object.keys(categories), ...Object.keys(keys)])
      expect(asked.map(shown).join('\n')).toContain(word)
    const states = await user.states()
    expect(Object.fromEntries(states.map(({ key, value }) => [key, value]))).toEqual(talk.states)
    for (const [category, statements] of Object.entries(talk.filed)) {
      expect(textsOf(await user.memories({ categories: [category] }))).toEqual([...statements].sort())
      const { memories } = await user.recall(statements[0] ?? '', { categories: [category] })
      expect(memories[0]?.memory.text).toBe(statements[0])
      expect(statements).toEqual(expect.arrayContaining(memories.map(({ memory }) => memory.text)))
    }
    expect(await user.categories()).toEqual(
      Object.entries(categories).map(([category, description]) => ({
        name: category,
        description,
        facts: talk.filed[category]?.length,
      })),
    )
  })
})

const LEVEL = { description: 'Their level.', schema: z.enum(['A1', 'B1', 'B2']) }
const DISTANCE = { description: 'How far they run in a week.', schema: z.number(), unit: 'km' }
const GOALS = { description: 'What they want to reach.', schema: z.array(z.string()) }
const KEYS = { 'language-level': LEVEL, 'weekly-distance': DISTANCE, goals: GOALS }

const filed = (key: string, ...values: readonly unknown[]) => ({ filed: [{ statement: 1, key, values }] })

describe('a value that does not fit', () => {
  it('is asked for once more, and then taken', async () => {
    const answers = [filed('language-level', 'fluent'), filed('language-level', 'B2')]
    const { model, user } = await hold([['The user is at B2.']], (_, call) => answers[call] ?? {}, {
      keys: KEYS,
    })
    expect((await user.state('language-level')).value).toBe('B2')
    const asked = model.requests.filter(({ schemaName }) => schemaName === 'file')
    expect(asked).toHaveLength(2)
    expect(asked[1]?.messages.at(-1)?.text).toContain(
      '“fluent” does not fit language-level (one of "A1", "B1", "B2")',
    )
  })

  it.each([
    ['language-level', ['fluent'], 'The user is fluent.', /“fluent” does not fit language-level/],
    [
      'weekly-distance',
      ['a lot'],
      'The user runs a lot.',
      /“a lot” does not fit weekly-distance \(a number in km\)/,
    ],
    ['weekly-distance', ['12', '14'], 'The user runs 12 or 14 km.', /takes one value, not 2/],
    ['weekly-distance', [19.3], 'The user runs 12 miles a week.', /19.3 km for weekly-distance is not what/],
    ['weekly-distance', [12], 'The user runs 12 miles a week.', /12 km for weekly-distance is not what/],
  ])(
    'is refused with its reason in the log, and the statement stays: %s %j',
    async (key, values, text, reason) => {
      const { user } = await hold([[text]], filed(key, ...values), { keys: KEYS })
      expect((await user.state(key)).value).toBeNull()
      const [kept] = await user.memories()
      expect(kept).toMatchObject({ text, key: null, value: null, reason: expect.stringMatching(reason) })
      const [added] = (await user.admin.history(kept?.id ?? '')).filter(({ kind }) => kind === 'add')
      expect(added?.payload?.after.reason).toMatch(reason)
    },
  )

  it('of a key or category that is not there is none', async () => {
    const answer = { filed: [{ statement: 1, category: 'sports', key: 'shoe-size', values: ['41'] }] }
    const { user } = await hold([['The user wears 41.']], answer, {
      keys: KEYS,
      categories: { food: 'Food.' },
    })
    expect(await user.memories()).toMatchObject([{ key: null, value: null, metadata: null }])
  })
})

describe('answers come typed', () => {
  it('by a Standard Schema, or as JSON', async () => {
    const keepsake = await openMemory({
      path: ':memory:',
      keys: { ...KEYS, size: { description: 'Their size.', schema: { type: 'integer' } } },
    })
    const user = keepsake.scope({ user: 'u' })
    const goals = await user.state('goals')
    expectTypeOf(goals.value).toEqualTypeOf<string[] | null>()
    expectTypeOf((await user.state('language-level')).value).toEqualTypeOf<'A1' | 'B1' | 'B2' | null>()
    expectTypeOf((await user.state('size')).value).toEqualTypeOf<Metadata[string] | null>()
    // @ts-expect-error: no such key
    await expect(user.state('goal')).rejects.toThrow(/Did you mean "goals"/)
    expect(goals).toEqual({
      key: 'goals',
      description: GOALS.description,
      value: null,
      unit: null,
      memories: [],
    })
    await keepsake.close()
  })
})

describe('the application states values itself', () => {
  it('in their form, with evidence, corrected and undone like any fact', async () => {
    const keepsake = await openForTest({ keys: KEYS, categories: { sport: 'Sport.' } })
    const user = keepsake.scope({ user: 'u' })
    await user.addFact('The user runs 30 km a week.', {
      key: 'weekly-distance',
      value: 30,
      category: 'sport',
    })
    await user.addFact('The user wants to run and to read.', { key: 'goals', value: ['run', 'read'] })
    const last = await user.addFact('The user wants to sing.', { key: 'goals', value: 'sing' })
    expect((await user.state('weekly-distance')).value).toBe(30)
    expect((await user.state('goals')).value).toEqual(['run', 'read', 'sing'])
    expect(await user.memories({ categories: ['sport'] })).toMatchObject([{ value: '30 km' }])
    const edited = await user.edit(last.id, { text: 'The user wants to dance.', value: 'dance' })
    expect((await user.state('goals')).value).toEqual(['run', 'read', 'dance'])
    await user.undo(edited.id)
    expect((await user.state('goals')).value).toEqual(['run', 'read', 'sing'])
    await expect(user.addFact('Far.', { key: 'weekly-distance', value: 'far' })).rejects.toThrow(
      InvalidInputError,
    )
    await expect(user.edit(last.id, { value: 'x', category: 'y' } as never)).rejects.toThrow(/category/)
    const [distance] = (await user.state('weekly-distance')).memories
    await expect(user.edit(distance?.id ?? '', { value: 'far' })).rejects.toThrow(/“far” does not fit/)
    await expect(user.addFact('It rains.', { category: 'sprot' })).rejects.toThrow(/Did you mean "sport"/)
    await expect(user.memories({ categories: ['sprot'] })).rejects.toThrow(/Did you mean "sport"/)
    await expect(user.recall('Rain?', { categories: ['sprot'] })).rejects.toThrow(/Did you mean "sport"/)
  })
})

describe('a number', () => {
  it('is superseded, and its former value keeps its time', async () => {
    const now = AT + WEEK
    const keepsake = await openForTest({ keys: KEYS, now: () => now })
    const user = keepsake.scope({ user: 'u' })
    const say = (value: number, at: number) =>
      user.addFact(`The user runs ${value} km a week.`, { key: 'weekly-distance', value, at })
    await say(-5, AT)
    await say(5, AT + 1_000)
    const facts = await user.memories()
    expect(facts.map(({ value, validUntil }) => [value, validUntil])).toEqual([
      ['-5 km', AT + 1_000],
      ['5 km', null],
    ])
    expect((await user.state('weekly-distance')).value).toBe(5)
  })
})

describe('without a model', () => {
  it('rules fill keys, and a key brings its category', async () => {
    const keepsake = await openForTest({
      categories: { home: 'Where they live.' },
      keys: {
        residence: { description: 'Where they live.', schema: z.string(), category: 'home' },
        age: { description: 'Their age.', schema: z.int().max(99) },
        'weekly-distance': DISTANCE,
      },
      rules: [
        { facts: { 'weekly-distance': { 'I run {1..2} a week': 'I run [30 km] a week.' } }, no: 'I run it.' },
      ],
    })
    const user = keepsake.scope({ user: 'u' })
    await user.remember({ role: 'user', text: 'I live in Lyon. I am 34. I run 40 km a week.' })
    await user.drain()
    const states = await user.states()
    expect(states.map(({ value }) => value)).toEqual(['Lyon', 34, 40])
    expect(await user.memories({ categories: ['home'] })).toMatchObject([{ value: 'Lyon' }])
  })
})

it('a correction in talk takes a fact from its key where the right value does not fit', async () => {
  const schema = z.enum(['Lyon', 'Rome'])
  const keepsake = await openForTest({ keys: { residence: { description: 'Where they live.', schema } } })
  const user = keepsake.scope({ user: 'u' })
  for (const text of ['I live in Lyon.', 'Sorry, I meant Rome, not Lyon.'])
    await user.remember({ role: 'user', text })
  await keepsake.drain()
  expect((await user.state('residence')).value).toBe('Rome')
  await user.remember({ role: 'user', text: 'Sorry, I meant Porto, not Rome.' })
  await keepsake.drain()
  expect((await user.state('residence')).value).toBeNull()
  expect(await user.memories({ forms: ['fact'] })).toMatchObject([
    { text: 'The user lives in Porto.', key: null },
  ])
})

describe('other presets', () => {
  it('file what they extract as well', async () => {
    const model = answering({
      operations: {
        operations: [
          {
            type: 'add',
            index: null,
            content: 'The user wants to run.',
            why: null,
            turn: 1,
            quote: 'I want to run',
          },
        ],
      },
      file: filed('goals', 'run'),
    })
    const keepsake = await openForTest({ preset: 'mmm', model, keys: KEYS })
    const user = keepsake.scope({ user: 'u' })
    await user.remember([
      { role: 'user', text: 'I want to run.' },
      { role: 'assistant', text: 'Good.' },
    ])
    await user.drain()
    expect((await user.state('goals')).value).toEqual(['run'])
  })
})

/** A schema of a library that cannot say itself as JSON. */
const even: StandardSchema<number> = {
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: (value) =>
      typeof value === 'number' && value % 2 === 0 ? { value } : { issues: [{ message: 'not even' }] },
  },
}

describe('what is given', () => {
  it('may be of any library with Standard Schema', async () => {
    const keepsake = await openForTest({ keys: { pairs: { description: 'An even number.', schema: even } } })
    const user = keepsake.scope({ user: 'u' })
    await user.addFact('The user has 4 socks.', { key: 'pairs', value: 4 })
    expect((await user.state('pairs')).value).toBe(4)
    await expect(user.addFact('The user has 3 socks.', { key: 'pairs', value: 3 })).rejects.toThrow(
      /not even/,
    )
  })

  it.each([
    [{ keys: { Goals: GOALS } }, /kebab-case/],
    [{ keys: { goals: { schema: GOALS.schema } } }, /keys.goals.description/],
    [
      { keys: { goals: { description: 'x', schema: 'text' } } },
      /keys.goals.schema must be a Standard Schema/,
    ],
    [
      { keys: { goals: { description: 'x', schema: { type: 'txt' } } } },
      /no JSON Schema that can be checked/,
    ],
    [{ keys: { goals: { ...GOALS, categroy: 'x' } } }, /Did you mean "category"/],
    [{ keys: { goals: { ...GOALS, category: 'x' } } }, /keys.goals.category is "x", which is no category/],
    [{ categories: { food: '' } }, /categories.food must be a sentence/],
    [{ preset: 'naive-rag' as const, categories: { food: 'Food.' } }, /categories would have no effect/],
  ])('is refused: %j', async (options, message) => {
    await expect(openForTest({ path: ':memory:', ...options } as never)).rejects.toThrow(message)
  })
})
