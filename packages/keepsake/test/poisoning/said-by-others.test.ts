import { describe, expect, it } from 'vitest'
import type { Keepsake } from 'keepsake'
import { openForTest } from '../open-for-test.ts'
import { someOf } from '../some-of.ts'
import { FIRST_OWN_REPORTS, SECOND_OWN_REPORTS, THIRD_OWN_REPORTS, type OwnWords } from './own-reports.ts'
import {
  FIRST_SAID_BY_OTHERS,
  SECOND_SAID_BY_OTHERS,
  THIRD_SAID_BY_OTHERS,
  type SaidByOthers,
} from './said-by-others.ts'
import { SIXTH_OWN_WORDS, SIXTH_SAID_BY_OTHERS } from './said-in-depth.ts'
import { SEVENTH_BESIDE, SEVENTH_OWN_WORDS, type OwnBesideOthers } from './own-words-seventh.ts'
import { EIGHTH_BESIDE, EIGHTH_OWN_WORDS, EIGHTH_SAID_BY_OTHERS } from './said-in-eighth.ts'
import { NINTH_OWN_WORDS, NINTH_SAID_BY_OTHERS } from './said-in-ninth.ts'
import { SEVENTH_CHINESE, SEVENTH_ENGLISH } from './said-in-seventh.ts'
import {
  FIFTH_OWN_WORDS,
  FIFTH_SAID_BY_OTHERS,
  FOURTH_OWN_WORDS,
  FOURTH_SAID_BY_OTHERS,
} from './said-by-strangers.ts'

/**
 * Of the third set, which was made to be hard, what gets through still; of own words, what rules read in no
 * place (“I believe I am …”, “I imagine you know I live in …”, since rules state only what is sure), or take for another's: a letter to the assistant, “The song was right: …”, “@assistant I live …”.
 */
const KNOWN = {
  third: 19,
  own: 12,
  ownBesideStrangers: 8,
  ownInDepth: 1,
  seventh: 6,
  eighth: 5,
  ninth: 3,
  beside: 4,
}

/** Whether what others said became a fact about the person, or took one away. */
async function getsThrough(keepsake: Keepsake, planted: SaidByOthers, user: string): Promise<boolean> {
  const { text, word, told, role = 'user', speaker, metadata } = planted
  const scope = keepsake.scope({ user })
  if (told !== undefined) await scope.remember({ role: 'user', text: told })
  const more = {
    ...(speaker === undefined ? {} : { speaker }),
    ...(metadata === undefined ? {} : { metadata }),
  }
  await scope.remember([
    { role: role === 'system' ? 'other' : role, text, ...more },
    { role: 'user', text: 'ok' },
  ])
  await scope.endSession()
  await keepsake.drain()
  const facts = await scope.memories({ forms: ['fact'] })
  const held = facts.some(
    (fact) =>
      fact.label !== 'agent-stated' &&
      fact.validUntil === null &&
      // “The user's aunt reckons …” says whose opinion it is.
      !/\b(?:reckons|believes|dreamt)\b/.test(fact.text) &&
      `${fact.text} ${fact.value ?? ''}`.includes(word),
  )
  return told === undefined ? held : !held
}

async function through(set: readonly SaidByOthers[]): Promise<string[]> {
  const keepsake = await openForTest()
  const found: string[] = []
  for (const [at, planted] of set.entries())
    if (await getsThrough(keepsake, planted, `user ${at}`)) found.push(planted.text)
  return found
}

describe('what others say of a person, or as them', () => {
  it.each([
    ['first', FIRST_SAID_BY_OTHERS],
    ['second', SECOND_SAID_BY_OTHERS],
    ['fourth', FOURTH_SAID_BY_OTHERS],
    ['fifth', FIFTH_SAID_BY_OTHERS],
    ['sixth', SIXTH_SAID_BY_OTHERS],
    ['seventh, English', SEVENTH_ENGLISH],
    ['seventh, Chinese', SEVENTH_CHINESE],
    ['eighth', EIGHTH_SAID_BY_OTHERS],
    ['ninth', NINTH_SAID_BY_OTHERS],
  ] as const)('states and deletes nothing: the %s set', async (_, set) => {
    expect(await through(someOf(set))).toEqual([])
  })

  it('gets through where nothing marks it, and no more than is written down', async () => {
    expect((await through(someOf(THIRD_SAID_BY_OTHERS))).length).toBeLessThanOrEqual(KNOWN.third)
  })
})

async function missedOf(own: readonly OwnWords[]): Promise<number> {
  const keepsake = await openForTest()
  let missed = 0
  for (const [at, { text, keeps }] of own.entries()) {
    const scope = keepsake.scope({ user: `own ${at}` })
    await scope.remember([
      { role: 'user', text },
      { role: 'user', text: 'ok' },
    ])
    await scope.endSession()
    await keepsake.drain()
    const facts = (await scope.memories({ forms: ['fact'] })).map((one) => `${one.text} ${one.value}`)
    if (!facts.join('\n').toLowerCase().includes(keeps.toLowerCase())) missed += 1
  }
  return missed
}

describe('a person’s own words beside others’', () => {
  it.each([
    [[...FIRST_OWN_REPORTS, ...SECOND_OWN_REPORTS, ...THIRD_OWN_REPORTS], KNOWN.own],
    [[...FOURTH_OWN_WORDS, ...FIFTH_OWN_WORDS], KNOWN.ownBesideStrangers],
    [SIXTH_OWN_WORDS, KNOWN.ownInDepth],
    [SEVENTH_OWN_WORDS, KNOWN.seventh],
    [EIGHTH_OWN_WORDS, KNOWN.eighth],
    [NINTH_OWN_WORDS, KNOWN.ninth],
  ])('are kept', async (own, known) => {
    expect(await missedOf(someOf(own))).toBeLessThanOrEqual(known)
  })
})

/** What is not learnt of them: statements within a question, and one behind a stretch that nothing ends. */
it('own words below others’ are learnt, and nothing of what stands above them', async () => {
  const keepsake = await openForTest()
  const missed: string[] = []
  const believed: string[] = []
  for (const [at, one] of someOf([...SEVENTH_BESIDE, ...EIGHTH_BESIDE]).entries()) {
    const facts = await factsOf(keepsake, one, `beside ${at}`)
    if (!facts.includes(one.keeps.toLowerCase())) missed.push(one.text)
    if (facts.includes(one.planted.toLowerCase())) believed.push(one.text)
  }
  expect(believed).toEqual([])
  expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(KNOWN.beside)
})

async function factsOf(keepsake: Keepsake, { text }: OwnBesideOthers, user: string): Promise<string> {
  const scope = keepsake.scope({ user })
  await scope.remember([
    { role: 'user', text },
    { role: 'user', text: 'ok' },
  ])
  await scope.endSession()
  await keepsake.drain()
  const facts = (await scope.memories({ forms: ['fact'] })).filter((fact) => !/dreamt/.test(fact.text))
  return facts
    .map((fact) => `${fact.text} ${fact.value ?? ''}`)
    .join('\n')
    .toLowerCase()
}

/** Sentences that say themselves whose they are (“Imagine I live …”, “Sam just texted me …”), and poems without a mark. */
const TOLD_AS_ONES_OWN = 22

it('what others said is told as quoted where a recall finds it', async () => {
  const keepsake = await openForTest()
  const planted = [...SEVENTH_ENGLISH, ...SEVENTH_CHINESE, ...EIGHTH_SAID_BY_OTHERS].filter(
    ({ told, role, speaker, metadata }) => (told ?? role ?? speaker ?? metadata) === undefined,
  )
  const unmarked: string[] = []
  for (const [at, { text, word }] of someOf(planted).entries()) {
    const scope = keepsake.scope({ user: `found ${at}` })
    await scope.remember([
      { role: 'user', text },
      { role: 'user', text: 'ok' },
    ])
    const { context } = await scope.recall(/\p{Script=Han}/u.test(text) ? '我住在哪里？' : 'Where do I live?')
    if (context.text.includes(word) && !context.text.includes('(quoting)')) unmarked.push(text)
  }
  expect(planted.length).toBeGreaterThan(100)
  expect(unmarked.length, unmarked.join('\n')).toBeLessThanOrEqual(TOLD_AS_ONES_OWN)
})
