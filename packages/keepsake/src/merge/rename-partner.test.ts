import { openMemory } from 'keepsake'
import { afterAll, expect, it } from 'vitest'

const START = Date.UTC(2026, 2, 2, 9)
const DAY_MS = 86_400_000

/** Each case is a tenant of it. */
const keepsake = await openMemory({ path: ':memory:', now: () => START + 60 * DAY_MS })
let cases = 0
afterAll(() => keepsake.close())

/** Remembers what a user said, a day apart. @returns the partner that is current, and the family of the profile */
async function hear(...said: readonly string[]) {
  const scope = keepsake.scope({ tenant: `t${(cases += 1)}`, user: 'ana' })
  for (const [day, text] of said.entries())
    await scope.remember({ role: 'user', text, at: START + day * DAY_MS })
  await scope.drain()
  const [partner] = (await scope.memories({ forms: ['fact'] })).filter(({ key }) => key === 'partner')
  const { lines } = await scope.profile()
  return {
    value: partner?.value,
    past: partner?.past.map(({ value }) => value),
    family: lines.find(({ slot }) => slot === 'family')?.text,
  }
}

it.each([
  ['I have a girlfriend, Zoe.', 'Zoe and I got married!', 'girlfriend Zoe', 'wife Zoe'],
  ['My boyfriend is called Tom.', 'We tied the knot.', 'boyfriend Tom', 'husband Tom'],
  ['My girlfriend is called Zoe.', 'I married Zoe last week!', 'girlfriend Zoe', 'wife Zoe'],
  ['My girlfriend is called Iris.', 'I got married to my girlfriend Iris.', 'girlfriend Iris', 'wife Iris'],
  ['My fiancé is called Noel.', 'I married my fiancé Noel in June.', 'fiancé Noel', 'husband Noel'],
  ['My girlfriend is called Iris.', 'I finally married my girlfriend.', 'girlfriend Iris', 'wife Iris'],
  ['我女朋友叫小桃。', '我和女朋友小桃结婚了。', '女朋友小桃', '妻子小桃'],
  ['我女朋友叫小桃。', '我上个月娶了小桃。', '女朋友小桃', '妻子小桃'],
  ['我男朋友叫建平。', '我嫁给了建平。', '男朋友建平', '丈夫建平'],
  ['我女朋友叫小美。', '我和小美结婚了。', '女朋友小美', '妻子小美'],
  ['我男朋友叫大伟。', '我们领证了！', '男朋友大伟', '丈夫大伟'],
])('a wedding renames the relation, whose former name is past: %s %s', async (before, wedding, old, now) => {
  const { value, past, family } = await hear(before, wedding)
  expect({ value, past }).toEqual({ value: now, past: [old] })
  expect(family).toContain(now)
  expect(family).not.toContain(old)
})

it('what else is known of the partner is renamed too', async () => {
  expect((await hear('My girlfriend Zoe is a nurse.', 'We got married.')).family).toContain('wife is a nurse')
})

it('a wedding with another puts the relation in doubt', async () => {
  const { value, family } = await hear('My girlfriend is called Zoe.', 'Ben and I got married.')
  expect([value, family]).toEqual(['girlfriend Zoe', 'married'])
})

it.each([
  'My sister got married.',
  'We might get married.',
  'Zoe and Ben got married.',
  'Have we got married?',
])('what is no wedding of the user changes nothing: %s', async (said) =>
  expect((await hear('My girlfriend is called Zoe.', said)).value).toBe('girlfriend Zoe'),
)

it.each([
  ['My husband is called Emil.', 'I divorced my husband Emil.'],
  ['My wife is called Greta.', 'I split up with my wife Greta.'],
  ['My wife is called Greta.', 'I divorced my wife Greta last year.'],
])('a divorce that names the relation ends it: %s %s', async (before, divorce) =>
  expect((await hear(before, divorce)).family).toBeUndefined(),
)
