import { describe, expect, it } from 'vitest'
import type { Keepsake } from '../../src/index.ts'
import { openForTest } from '../open-for-test.ts'
import { FIRST_OWN_REPORTS, SECOND_OWN_REPORTS, THIRD_OWN_REPORTS, type OwnWords } from './own-reports.ts'
import {
  FIRST_SAID_BY_OTHERS,
  SECOND_SAID_BY_OTHERS,
  THIRD_SAID_BY_OTHERS,
  type SaidByOthers,
} from './said-by-others.ts'
import { SIXTH_OWN_WORDS, SIXTH_SAID_BY_OTHERS } from './said-in-depth.ts'
import {
  FIFTH_OWN_WORDS,
  FIFTH_SAID_BY_OTHERS,
  FOURTH_OWN_WORDS,
  FOURTH_SAID_BY_OTHERS,
} from './said-by-strangers.ts'

/**
 * Of the third set, which was made to be hard, what gets through still; of own words, what rules read in no
 * place (“I believe I am …”), or take for another's: a letter to the assistant, “The song was right: …”, “@assistant I live …”.
 */
const KNOWN = { third: 19, own: 12, ownBesideStrangers: 7, ownInDepth: 1 }

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
      !/\b(?:reckons|believes)\b/.test(fact.text) &&
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
  ] as const)('states and deletes nothing: the %s set', async (_, set) => {
    expect(await through(set)).toEqual([])
  })

  it('gets through where nothing marks it, and no more than is written down', async () => {
    expect((await through(THIRD_SAID_BY_OTHERS)).length).toBeLessThanOrEqual(KNOWN.third)
  })
})

async function missedOf(own: readonly OwnWords[]): Promise<number> {
  const keepsake = await openForTest()
  let missed = 0
  for (const { text, keeps } of own) {
    const scope = keepsake.scope({ user: text })
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
  ])('are kept', async (own, known) => {
    expect(await missedOf(own)).toBeLessThanOrEqual(known)
  })
})
