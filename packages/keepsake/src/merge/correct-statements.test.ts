import { openMemory, type Keepsake, type Memory } from 'keepsake'
import { scriptedModel } from 'keepsake/model'
import { afterAll, describe, expect, it } from 'vitest'
import { CORRECTIONS, LOOKALIKES } from './testing/corrections.ts'

const MINUTE = 60_000
const START = Date.UTC(2026, 2, 2, 9)
const now = (): number => START + 60 * MINUTE

const rules: Keepsake = await openMemory({ path: ':memory:', now })
/** A statement as a model might keep it. */
const written = (said: string): string =>
  /^(?:My |我)/u.test(said)
    ? said
        .replace(/^My /u, "The user's ")
        .replace(/^我(?=[女妹儿兒])/u, '用户的')
        .replace(/^我/u, '用户')
    : `The user said: ${said}`

/** Keeps each first statement, and hears no correction. */
const model = scriptedModel(({ messages }) => {
  const lines = messages.flatMap(({ text }) => text.split('\n'))
  const memories = [...new Set([...CORRECTIONS, ...LOOKALIKES].map(([said]) => said))].flatMap((said) => {
    const line = lines.find((one) => one.endsWith(`: ${JSON.stringify(said)}`))
    const number = /^\[(\d+)\]/u.exec(line ?? '')?.[1]
    return number === undefined ? [] : [{ text: written(said), evidence: [`${number}: ${said}`] }]
  })
  return JSON.stringify({ memories, forget: [], summary: '' })
})
const modelled: Keepsake = await openMemory({ path: ':memory:', now, model })
afterAll(async () => {
  await rules.close()
  await modelled.close()
})

let people = 0
function openScope(keepsake: Keepsake) {
  return keepsake.scope({ user: `u${(people += 1)}` })
}

/** Remembers what a user said, a minute apart; replies of the agent are in brackets. */
async function hear(scope: ReturnType<typeof openScope>, said: readonly string[], from = 0) {
  const turns = said.flatMap((text, minute) => {
    const reply = /^\((.*)\)$/u.exec(text)?.[1]
    const at = START + (from + minute) * MINUTE
    if (reply === '') return []
    return [
      reply === undefined
        ? ({ role: 'user', text, at } as const)
        : ({ role: 'assistant', text: reply, at } as const),
    ]
  })
  await scope.remember(turns, { session: 's1' })
  await scope.endSession('s1')
  await scope.drain()
  return scope.memories({ forms: ['fact'] })
}

function holds(text: string, value: string): boolean {
  const isSpaced = /[\p{Script=Latin}\d]$/u.test(value)
  const end = isSpaced ? String.raw`(?![\p{L}\d])` : ''
  return new RegExp(`${value.replaceAll('.', String.raw`\.`)}${end}`, 'iu').test(text)
}

interface Heard {
  readonly scope: ReturnType<typeof openScope>
  readonly before: readonly Memory[]
  readonly after: readonly Memory[]
}

/** Facts of a statement alone, and of the whole talk. */
async function listen(keepsake: Keepsake, [said, replied, next]: readonly string[]): Promise<Heard> {
  const before = await hear(openScope(keepsake), [said ?? ''])
  const scope = openScope(keepsake)
  return { scope, before, after: await hear(scope, [said ?? '', `(${replied})`, next ?? '']) }
}

const shown = ({ text, value, validFrom, validUntil, past }: Memory): unknown => ({
  text,
  value,
  validFrom,
  validUntil,
  past,
})

describe.each([
  ['rules', rules, 29],
  ['a model', modelled, 43],
] as const)('a correction of a fact by %s', (_, keepsake, least) => {
  it('makes the former value never true, with its evidence', async () => {
    const heard: string[] = []
    for (const [said, replied, next, wrong, right] of CORRECTIONS) {
      const { before, after } = await listen(keepsake, [said, replied, next])
      const isWrong = ({ text, value }: Pick<Memory, 'text' | 'value'>): boolean =>
        holds(`${text} ${value ?? ''}`.replaceAll(right, ''), wrong)
      if (!before.some(isWrong)) continue
      heard.push(said)
      const corrected = after.filter(({ text }) => holds(text, right))
      expect([next, corrected.length, after.filter(isWrong)]).toEqual([next, 1, []])
      expect([next, ...corrected.map(({ past, evidence }) => [past, evidence.length])]).toEqual([
        next,
        [[], 2],
      ])
    }
    expect(heard.length).toBeGreaterThanOrEqual(least)
  })

  it('is not read in talk that looks like one', async () => {
    for (const [said, replied, next, stays] of LOOKALIKES) {
      const { before, after } = await listen(keepsake, [said, replied, next])
      const kept = after.filter(({ text }) => before.some((one) => one.text === text))
      expect([next, kept.map(shown)]).toEqual([next, before.map(shown)])
      expect(before.every(({ text }) => keepsake === rules || holds(text, stays))).toBe(true)
    }
  })
})

describe('a correction', () => {
  it('keeps the date and what was so before, and can be undone', async () => {
    const scope = openScope(rules)
    await hear(scope, ['I live in Madrid.', 'I moved to Porto.'])
    const facts = await hear(scope, ['I meant Lisbon, not Porto.'], 2)
    expect(facts).toMatchObject([
      { value: 'Madrid', validUntil: START + MINUTE },
      { text: 'The user moved to Lisbon.', value: 'Lisbon', validFrom: START + MINUTE, past: [] },
    ])
    const corrected = facts[1]
    const { evidence } = corrected ?? {}
    expect(evidence?.map(({ quote }) => quote)).toEqual(['I moved to Porto.', 'I meant Lisbon, not Porto.'])
    const operations = await scope.log()
    const correction = operations.find(({ origin }) => origin.step === 'corrections/1')
    await scope.undo(correction?.id ?? '')
    expect(await scope.memories({ forms: ['fact'] })).toMatchObject([
      { value: 'Madrid' },
      { value: 'Porto', validFrom: START + MINUTE },
    ])
  })

  it('corrects what is past by now, and words before it in the same turn', async () => {
    const scope = openScope(rules)
    await hear(scope, ['I live in Porto.', 'I moved to Rome.'])
    const homes = await hear(scope, ['Earlier I meant Lisbon, not Porto.', 'I meant Lisbon, not Porto.'], 2)
    expect(homes.map(({ value }) => value)).toEqual(['Lisbon', 'Rome'])
    await hear(scope, ["My dog's name is Bruno.", "My dog's name is Rex.", 'I meant Bruna, not Bruno.'], 4)
    const [own] = await hear(openScope(rules), ['I live in Porto. Sorry, I meant Lisbon, not Porto.'])
    expect([own?.value, own?.past]).toEqual(['Lisbon', []])
  })

  it('says of a home that it never was, without ending one', async () => {
    const homes = await hear(openScope(rules), ['我住在苏州。', '我住在常州，不是苏州。'])
    expect(homes).toMatchObject([{ value: '常州', past: [], validUntil: null }])
  })

  it('leaves what another person does in the same words', async () => {
    for (const said of [
      ['我姐姐住在苏州。', '我住在常州，不是苏州。'],
      ['My sister lives in Porto.', 'I live in Lisbon, not Porto.'],
    ]) {
      const facts = await hear(openScope(rules), said, 2)
      expect(facts.map(({ text }) => text).join()).toMatch(/苏州|Porto/)
    }
  })

  it('takes a date that rests on the wrong words with it', async () => {
    const [moved] = await hear(openScope(rules), ['I moved to Leeds in 2019.', 'typo: 2018'])
    expect(moved).toMatchObject({ text: 'The user moved to Leeds in 2018.', validFrom: Date.UTC(2018, 0, 1) })
  })

  it('corrects only the speaker’s own words, and only of the last few turns', async () => {
    const scope = openScope(rules)
    const said = (speaker: string, text: string, minute: number) =>
      scope.remember({ role: 'user', speaker, text, at: START + minute * MINUTE }, { session: 's1' })
    await said('Ana', 'I live in Porto.', 0)
    await said('Ben', 'I meant Lisbon, not Porto.', 1)
    for (let minute = 2; minute < 9; minute += 1) await said('Ana', 'It rained all night again.', minute)
    await said('Ana', 'I meant Faro, not Porto.', 9)
    await scope.drain()
    expect((await scope.memories({ forms: ['fact'] })).map(({ value }) => value)).toEqual(['Porto'])
  })

  it('that a model took for a change leaves no former value', async () => {
    const answers = [
      {
        memories: [
          {
            text: 'The user lives in Porto.',
            key: 'residence',
            value: 'Porto',
            evidence: ['1: live in Porto'],
          },
        ],
      },
      {
        memories: [
          {
            text: 'The user lives in Lisbon.',
            key: 'residence',
            value: 'Lisbon',
            changes: [1],
            evidence: ['1: meant Lisbon'],
          },
        ],
      },
    ]
    const changing = scriptedModel(
      answers.map((answer) => JSON.stringify({ ...answer, forget: [], summary: '' })),
    )
    const keepsake = await openMemory({ path: ':memory:', now, model: changing })
    const scope = keepsake.scope({ user: 'u' })
    await scope.remember({ role: 'user', text: 'I live in Porto.', at: START }, { session: 's1' })
    await scope.endSession('s1')
    await scope.drain()
    await scope.remember(
      { role: 'user', text: 'I meant Lisbon, not Porto.', at: START + MINUTE },
      { session: 's1' },
    )
    await scope.endSession('s1')
    await scope.drain()
    const [home] = await scope.memories({ forms: ['fact'] })
    expect(home).toMatchObject({ value: 'Lisbon', past: [], validFrom: START })
    await keepsake.close()
  })
})

describe('a correction in a later session', () => {
  it.each([
    ["I'm allergic to bees.", "Actually it's not bees I'm allergic to, it's wasps", 'wasps', 'bees'],
    [
      'My mother lives in Faro.',
      'I got it wrong the other day, mum lives in Lagos, not Faro',
      'Lagos',
      'Faro',
    ],
    ["I've a cat called Mochi.", "Did I say Mochi? That's my neighbour's cat. Mine is Nori", 'Nori', 'Mochi'],
    ['I live in Lisbon.', "Oops, I said Lisbon, it's actually Porto", 'Porto', 'Lisbon'],
    [
      "I've lived in Bath for six years.",
      "I shouldn't have written six, I meant sixteen",
      'sixteen',
      'six years',
    ],
    ['我对青霉素过敏。', '不是青霉素，是头孢，我记混了', '头孢', '青霉素'],
    ['我弟弟住在昆明。', '纠正一下，他住在大理', '大理', '昆明'],
    ['我是教数学的。', '我之前说教数学？其实我教物理', '物理', '数学'],
  ])('is heard: %s %s', async (said, next, right, wrong) => {
    const scope = openScope(rules)
    for (const [index, text] of [said, next].entries()) {
      await scope.remember({ role: 'user', text, at: START + index * MINUTE }, { session: `s${index}` })
      await scope.endSession(`s${index}`)
      await scope.drain()
    }
    const facts = await scope.memories({ forms: ['fact'] })
    expect(facts.map(({ text }) => text).join(' ')).toContain(right)
    expect(
      JSON.stringify(facts.map(({ text, past }) => [text, past.map(({ value }) => value)])),
    ).not.toContain(wrong)
  })

  it('is none where one insists', async () => {
    const texts = (
      await hear(openScope(rules), ['My exam is on Thursday.', 'No, I said Thursday. Today is Tuesday.'])
    ).map(({ text }) => text)
    expect(texts.join(' ')).not.toContain('Tuesday')
  })
})

describe('a correction within the message', () => {
  it.each([
    ['I live in Boston. Sorry, I meant Austin.', 'Austin', 'Boston'],
    ["I'm 12. Scratch that, 13.", '13', '12'],
    ['我儿子五岁，哦不对，是六岁', '六岁', '五岁'],
    ['我叫张伟，打错了，是章伟。', '章伟', '张伟'],
    ['I work for Lidl, no, Aldi, they all look the same.', 'Aldi', 'Lidl'],
    ['I was born in Ghent, sorry, I mean Bruges, long ago.', 'Bruges', 'Ghent'],
    ['I work at Siemens. I mean Bosch, long day.', 'Bosch', 'Siemens'],
    ['We have a dog called Rufus. No, sorry, Rufus was the old one. He is called Bandit.', 'Bandit', 'Rufus'],
    ['我今年34，不是，35了', '35', '34'],
    ['我猫叫雪球。不是雪球，雪球是以前那只，现在这只叫煤球', '煤球', '雪球'],
  ])('is heard: %s', async (said, right, wrong) => {
    const texts = (await hear(openScope(rules), [said])).map(({ text }) => text).join(' ')
    expect(texts).toContain(right)
    expect(texts).not.toContain(wrong)
  })

  it.each([
    ['I live in Boston. I meant to call Austin.', 'Boston'],
    ['My sister lives in Rome, I mean she loves Paris.', 'Rome'],
    ['I live in Kyoto, correction fluid everywhere.', 'Kyoto'],
  ])('is none: %s', async (said, value) => {
    const texts = (await hear(openScope(rules), [said])).map(({ text }) => text).join(' ')
    expect(texts).toContain(value)
  })
})
