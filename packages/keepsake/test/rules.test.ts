import { describe, expect, it } from 'vitest'
import type { Rule } from 'keepsake'
import { openForTest } from './open-for-test.ts'

const OWN: readonly Rule[] = [
  {
    facts: { 'diet: avoids {thing}': { 'I (avoid|skip) {thing}': 'I skip [red meat].' } },
    no: 'I avoid it.',
  },
  { facts: { 'possessions: {value}': { '我骑{1..8}上班。': '我骑[电动车]上班。' } }, no: '我骑得很快。' },
  // “I own a …” is a possession to the shipped rules.
  { facts: { pets: { 'I own {thing/pets}': 'I own [a grey parrot].' } }, no: 'I own a boat.' },
  { forget: { 'unsay the bit about {about:1..9} .': 'Unsay the bit about [Tom].' }, no: 'Unsay it.' },
  { forget: { '收回关于{about:1..9}的话。': '收回关于[小王]的话。' }, no: '收回那句话。' },
]

/** The facts a user told of themself: key, value. */
async function learned(rules: readonly Rule[], ...said: readonly string[]): Promise<unknown[]> {
  const keepsake = await openForTest({ rules })
  const user = keepsake.scope({ user: 'u' })
  for (const [at, text] of said.entries()) {
    await user.remember([{ role: 'user', text, at: Date.UTC(2026, 0, 1 + at) }], { session: `s${at}` })
    await user.endSession(`s${at}`)
    await keepsake.drain()
  }
  const facts = await user.memories({ forms: ['fact'] })
  return facts.filter(({ key }) => key !== null).map(({ key, value }) => [key, value])
}

describe("a caller's own rules", () => {
  it.each([
    ["I really don't know, but I avoid white flour these days.", [['diet', 'avoids white flour']]],
    ['其实我骑三轮车上班。', [['possessions', '三轮车']]],
    ['I own a tame parrot.', [['pets', 'tame parrot']]],
    ['I live in Lyon.', [['residence', 'Lyon']]],
    ['我住在里昂。', [['residence', '里昂']]],
  ])('are read before the shipped ones: %s', async (text, facts) => {
    // The same form from a file.
    expect(await learned(JSON.parse(JSON.stringify(OWN)) as Rule[], text)).toEqual(facts)
  })

  it.each([
    ['My brother Tom lives in Quito.', 'Unsay the bit about Tom, please.'],
    ['我妹妹叫小王。', '收回关于小王的话。'],
  ])('hear their own requests to forget: %s %s', async (told, asked) => {
    expect(await learned(OWN, told)).not.toEqual([])
    expect(await learned([], told, asked)).not.toEqual([])
    expect(await learned(OWN, told, asked)).toEqual([])
  })

  const no = 'I do not.'
  const diet = (pattern: string, example: string) => ({ facts: { diet: { [pattern]: example } }, no })
  it.each([
    [diet('I avoid {thing', 'I avoid [fish].'), '"I avoid {thing" is wrong at character 9: “{” stands alone'],
    [
      diet('I avoid <fish>', 'I avoid fish.'),
      '"I avoid <fish>" is wrong at character 9: there is no phrase “fish”',
    ],
    [
      diet('I (avoid {thing}', 'I avoid [fish].'),
      '"I (avoid {thing}" is wrong at character 17: “)” is missing',
    ],
    [
      diet('I avoid {thing})', 'I avoid [fish].'),
      '"I avoid {thing})" is wrong at character 16: it closes nothing',
    ],
    ...(['with', 'without', 'after'] as const).map((around): [Rule, string] => [
      { ...diet('I avoid {thing}', 'I avoid [fish].'), [around]: '(often' },
      '"(often" is wrong at character 7: “)” is missing',
    ]),
    [diet('I avoid |', 'I avoid [fish].'), '"I avoid |" is wrong at character 10: words are missing'],
    [
      diet('I avoid {thing}', 'I eat [fish].'),
      'the pattern "I avoid {thing}" does not read its own sentence "I eat fish."',
    ],
    [
      diet('I avoid {thing}', 'I avoid fried [fish].'),
      'the pattern "I avoid {thing}" takes "fried fish" from "I avoid fried fish.", not what is marked there',
    ],
    [
      { ...diet('I avoid {thing}', 'I avoid [fish].'), no: 'I avoid crowds.' },
      'the pattern "I avoid {thing}" reads "I avoid crowds.", which it must leave alone',
    ],
    [
      { facts: { shoes: { 'I wear {thing}': 'I wear [clogs].' } }, no },
      '"shoes" is no key of the persona sheet',
    ],
    [{ facts: {}, no }, '"facts": there is no key'],
    [{ facts: { diet: {} }, no }, '"facts": "diet": there is no pattern'],
    [{ ...diet('I avoid {thing}', 'I avoid [fish].'), no: '' }, '"no"'],
    [{ ...diet('I avoid {thing}', 'I avoid [fish].'), kind: 'x' }, 'Unrecognized key: "kind"'],
  ])('are turned away with what is wrong: %j', async (rule, problem) => {
    const opened = openForTest({ rules: [...OWN.slice(1, 2), rule] })
    await expect(opened).rejects.toThrow(`rules[1]: ${problem}`)
  })
})
