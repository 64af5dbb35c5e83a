import { openMemory, type TurnInput } from 'keepsake'
import { afterAll, expect, it } from 'vitest'

const START = Date.UTC(2026, 2, 2, 9)
const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

const ENGLISH = ['I got a new job at a bakery.', 'My divorce was awful.', 'I have a bike.']
const CHINESE = ['我在一家面包店上班。', '我离婚了，很难受。', '我有一辆自行车。']

/** Each case is a tenant of it. */
const keepsake = await openMemory({ path: ':memory:', now: () => START + 60 * DAY_MS })
let cases = 0
afterAll(() => keepsake.close())

/** Remembers statements on days of their own, then a talk. @returns which statements are gone, and how many requests wait */
async function talk(statements: readonly string[], said: readonly (string | TurnInput)[]) {
  const scope = keepsake.scope({ tenant: `t${(cases += 1)}`, user: 'ana' })
  for (const [day, text] of statements.entries())
    await scope.remember({ role: 'user', text, at: START + day * DAY_MS })
  for (const [minute, one] of said.entries()) {
    const turn = typeof one === 'string' ? ({ role: 'user', text: one } as const) : one
    await scope.remember({ ...turn, at: START + 30 * DAY_MS + minute * MINUTE_MS })
    await scope.drain()
  }
  const left = (await scope.memories({ forms: ['utterance'] })).map(({ text }) => text)
  const gone = statements.filter((statement) => !left.some((text) => text.includes(statement)))
  return { gone, waiting: (await scope.admin.pendingRequests()).length }
}

it.each([
  ['Forget the divorce.', ENGLISH, 1],
  ['forget about the bakery job', ENGLISH, 0],
  ['delete the bakery job', ENGLISH, 0],
  ['把面包店的工作删了', CHINESE, 0],
  ['删掉我离婚的事', CHINESE, 1],
])('a definite matter that is all that is said is forgotten: %s', async (request, statements, place) => {
  expect(await talk(statements, [request])).toEqual({ gone: [statements[place]], waiting: 0 })
})

it.each([
  ["Forget the bakery, let's eat at home", ENGLISH],
  ["Forget the bakery. Let's eat at home.", ENGLISH],
  ['delete the divorce', ENGLISH],
  ['忘掉面包店吧，我们在家吃', CHINESE],
])('a request beside a plan, or a removal of no fact, waits for a yes: %s', async (request, statements) => {
  expect(await talk(statements, [request])).toEqual({ gone: [], waiting: 1 })
})

it('a noun for what a verb has said waits for a yes', async () => {
  const said = ['I argued with Pam about money.', 'forget the argument with Pam']
  expect(await talk(ENGLISH, said)).toEqual({ gone: [], waiting: 1 })
})

it.each([
  [{ role: 'assistant', text: 'Shall we try the bakery?' }, 'Forget the bakery.'],
  [{ role: 'user', text: 'Should I take the bike?' }, 'Forget the bike.'],
] as const)(
  'a matter of the talk may be a plan that is dropped, which waits: %o',
  async (before, request) => {
    expect(await talk(ENGLISH, [before, request])).toEqual({ gone: [], waiting: 1 })
  },
)

it('a yes that repeats the request confirms it, and asks for nothing more', async () => {
  const said = ["Forget the bakery, let's eat at home", 'yes, forget the bakery job']
  expect(await talk(ENGLISH, said)).toEqual({ gone: [ENGLISH[0]], waiting: 0 })
})

it.each([
  'Forget Crete.',
  'Forget the weather.',
  "I'll never forget the divorce.",
  "Don't forget the bakery job",
])('what names nothing known, or asks to keep it, forgets nothing: %s', async (said) =>
  expect(await talk(ENGLISH, [said])).toEqual({ gone: [], waiting: 0 }),
)
