import { openMemory } from 'keepsake'
import { afterAll, expect, it } from 'vitest'

const START = Date.UTC(2026, 2, 2, 9)
const DAY_MS = 86_400_000

/** Each case is a tenant of it. */
const keepsake = await openMemory({ path: ':memory:', now: () => START + 9 * DAY_MS })
let cases = 0
afterAll(() => keepsake.close())

/** Remembers what a user said, a day apart. @returns the facts of the profile */
async function hear(...said: readonly string[]): Promise<string> {
  const scope = keepsake.scope({ tenant: `t${(cases += 1)}`, user: 'ana' })
  for (const [day, text] of said.entries())
    await scope.remember({ role: 'user', text, at: START + day * DAY_MS })
  await scope.drain()
  return (await scope.profile()).lines.map(({ text }) => text).join('; ')
}

it.each([
  ['I am vegetarian.', 'I am not vegetarian.'],
  ['I have epilepsy.', "I don't have epilepsy."],
  ['I am diabetic.', "I'm not diabetic."],
  ['I am allergic to shellfish.', 'I am not allergic to shellfish.'],
  ['I am married.', "I'm not married."],
])('%s is over after %s', async (before, denial) => expect(await hear(before, denial)).toBe(''))

it.each([
  ['I am vegetarian.', 'I am not vegetarian about it.', 'is vegetarian'],
  ['I have epilepsy.', "I don't have asthma.", 'has epilepsy'],
  ['I am allergic to shellfish.', 'I am not allergic to peanuts.', 'is allergic to shellfish'],
])('%s holds after %s', async (before, other, fact) => expect(await hear(before, other)).toBe(fact))

it.each([
  ['I live in Ghent.', 'I work in Bruges, not Ghent.', 'lives in Ghent'],
  ['I live in Ghent.', 'I was in Bruges, not Ghent, when it began.', 'lives in Ghent'],
  ['I live in Ghent.', 'Born in Bruges, not Ghent, but raised here.', 'lives in Ghent'],
  ['I live in Ghent.', 'Bruges, not Ghent.', 'lives in Bruges'],
  ['I live in Ghent.', "It's Bruges, not Ghent.", 'lives in Bruges'],
  ['I live in Ghent.', 'I live in Bruges, not Ghent.', 'lives in Bruges'],
  ['我住在扬州。', '我在泰州上班，不是扬州。', '住在扬州; 在泰州上班'],
])('%s and %s', async (before, after, facts) => expect(await hear(before, after)).toContain(facts))

it.each([
  '我前夫叫周强，住在厦门。',
  '我前女友叫小蕾，怀孕了。',
  '我前老板姓郑，住在厦门。',
  '我前任叫阿宁，搬到了厦门。',
])('what a former partner does is not the user’s: %s', async (said) =>
  expect(await hear(said)).not.toMatch(/厦门|怀孕/),
)
