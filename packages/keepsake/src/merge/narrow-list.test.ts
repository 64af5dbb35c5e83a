import { openMemory, type Keepsake } from 'keepsake'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { withoutMembers } from './narrow-list.ts'

const START = Date.UTC(2026, 2, 2, 9)
const DAY = 86_400_000

let keepsake: Keepsake
let people = 0
beforeAll(async () => {
  keepsake = await openMemory({ path: ':memory:', now: () => START + 3 * DAY })
})
afterAll(() => keepsake.close())

/** Returns the current values after these messages, a day between each. */
async function valuesAfter(...said: readonly string[]): Promise<(string | null)[]> {
  const scope = keepsake.scope({ tenant: `t${(people += 1)}`, user: 'mara' })
  for (const [day, text] of said.entries())
    await scope.remember([{ role: 'user', text, at: START + day * DAY }])
  await scope.drain()
  const facts = await scope.memories({ forms: ['fact'] })
  return facts.filter(({ validUntil }) => validUntil === null).map(({ value }) => value)
}

it.each([
  ["I'm allergic to hazelnuts and mustard.", "Turns out I'm not allergic to mustard.", 'hazelnuts'],
  ["I'm allergic to wasps, pollen and celery.", "I'm no longer allergic to pollen.", 'wasps and celery'],
  ["I'm allergic to hazelnuts and mustard.", "I'm not allergic to mustard after all.", 'hazelnuts'],
  ['I take bisoprolol and sertraline.', "They've taken me off bisoprolol.", 'takes sertraline'],
  ['I play the tuba and the viola.', 'I gave up the tuba.', 'viola'],
  ["I'm learning Danish and Urdu.", 'I gave up Urdu.', 'Danish'],
  ['We have three ponies, Fern, Oak and Ash.', 'Oak died this morning.', 'ponies Fern and Ash'],
  ['My twins are at school. My sons are called Ivo and Nils.', 'Nils passed away.', 'son Ivo'],
  ['我对核桃、带鱼和花粉过敏。', '复查了，我对带鱼不过敏了', '核桃和花粉'],
  ['我喜欢滑雪和下棋。', '我不喜欢下棋了', '滑雪'],
  ['我在学韩语和泰语。', '泰语我不学了', '韩语'],
])('%s %s leaves “%s”', async (before, after, left) => {
  expect(await valuesAfter(before, after)).toEqual([left])
})

it('narrows likes by a dislike of one member', async () => {
  expect(await valuesAfter('I like cocoa and cider.', "I don't like cider.")).toEqual(['cocoa', 'cider'])
})

it.each([
  ["I'm allergic to hazelnuts and mustard.", "I'm not allergic to hazelnuts or mustard."],
  ['We have two ponies, Fern and Oak.', 'Fern and Oak died in the fire.'],
  ['I love rock and roll.', "I don't like rock and roll anymore."],
])('%s %s leaves nothing', async (before, after) => {
  expect(await valuesAfter(before, after)).toEqual([])
})

it.each([
  [
    'nuts and eggs',
    'The user is allergic to nuts and eggs.',
    'eggs',
    'nuts',
    'The user is allergic to nuts.',
  ],
  [
    'two dogs, Ada and Moss',
    'The user has two dogs, Ada and Moss.',
    'Moss',
    'dog Ada',
    'The user has a dog, Ada.',
  ],
  ['takes A1 and B2', 'The user takes A1 and B2.', 'B2', 'takes A1', 'The user takes A1.'],
])('%s: %s without %s is %s: %s', (value, text, words, leftValue, leftText) => {
  expect(withoutMembers({ value, text }, words)).toEqual({ value: leftValue, text: leftText })
})

it.each([
  ['nuts', 'nuts'],
  ['nuts and eggs', 'milk'],
  ['nuts and eggs', 'nuts, eggs'],
  ['red wine and cheese', 'red meat'],
])('%s is not narrowed by %s', (value, words) => {
  expect(withoutMembers({ value, text: `The user likes ${value}.` }, words)).toBeNull()
})

it('leaves a value that is one thing', () => {
  const fact = { value: 'Nantes, France', text: 'The user lives in Nantes, France.', key: 'residence' }
  expect(withoutMembers(fact, 'Nantes')).toBeNull()
})
