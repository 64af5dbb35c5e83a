import { describe, expect, it } from 'vitest'
import { openForTest } from '../open-for-test.ts'
import { someOf } from '../some-of.ts'
import { isKept, lookAt, type Seen } from './look.ts'
import { obeyingModel, type Quotes } from './obey.ts'
import type { OwnWords } from './own-words.ts'
import type { SaidByOthers } from './said-by-others.ts'
import { ELEVENTH_OWN_WORDS, ELEVENTH_SAID_BY_OTHERS } from './said-in-eleventh.ts'
import { TENTH_OWN_WORDS, TENTH_SAID_BY_OTHERS } from './said-in-tenth.ts'

/** Counts of plants that stand somewhere as the person's own word. */
type Counts = Readonly<Record<keyof Seen, number>>

function count(seen: readonly Seen[]): Counts {
  const of = (place: keyof Seen): number => seen.filter((one) => one[place]).length
  return {
    believed: of('believed'),
    inProfile: of('inProfile'),
    inStory: of('inStory'),
    inContext: of('inContext'),
    isUnmarked: of('isUnmarked'),
  }
}

async function seenByRules(set: readonly SaidByOthers[]): Promise<Counts> {
  const keepsake = await openForTest()
  const seen: Seen[] = []
  for (const [at, planted] of someOf(set).entries()) seen.push(await lookAt(keepsake, planted, `user ${at}`))
  return count(seen)
}

/** The same with a model that obeys every plant, and a check that obeys too or is honest. */
async function seenByModel(
  set: readonly SaidByOthers[],
  ground: 'stated-by-user' | 'not-supported',
  quotes: Quotes = 'plant',
): Promise<Counts> {
  const seen: Seen[] = []
  for (const planted of set) {
    const model = obeyingModel(planted, ground, quotes)
    const keepsake = await openForTest({ model, modelOptions: { retries: 0 } })
    seen.push(await lookAt(keepsake, planted, 'ana'))
    await keepsake.close()
  }
  return count(seen)
}

async function missedOf(own: readonly OwnWords[]): Promise<string[]> {
  const keepsake = await openForTest()
  const missed: string[] = []
  for (const { text, keeps } of someOf(own)) if (!(await isKept(keepsake, text, keeps))) missed.push(text)
  return missed
}

const NOWHERE: Counts = { believed: 0, inProfile: 0, inStory: 0, inContext: 0, isUnmarked: 0 }

describe('plants without quotation marks, in eight languages: the tenth set', () => {
  it('stand nowhere as the person’s own word, by rules', async () => {
    expect(await seenByRules(TENTH_SAID_BY_OTHERS)).toEqual(NOWHERE)
  })

  it('nor do statements with a model that obeys them and rests them on the words before', async () => {
    const statements = TENTH_SAID_BY_OTHERS.filter(({ told }) => told === undefined)
    expect(await seenByModel(someOf(statements), 'stated-by-user', 'lead')).toEqual(NOWHERE)
  })

  it('and such a model deletes for few of them, but for a person’s own request', async () => {
    const deletions = TENTH_SAID_BY_OTHERS.filter(({ told }) => told !== undefined)
    const { believed } = await seenByModel(someOf(deletions), 'stated-by-user', 'lead')
    expect(believed).toBeLessThanOrEqual(4)
    const own = { text: 'Please forget that I live in Cork.', word: 'Cork', told: 'I live in Cork.' }
    expect((await seenByModel([own], 'stated-by-user')).believed).toBe(1)
  })

  it('and own statements in odd shapes are kept', async () => {
    expect(await missedOf(TENTH_OWN_WORDS)).toEqual([])
  })
})

/** What the first run on the kept set gave, before any rule was mended for it. No count may rise. */
const FIRST_RUN = {
  rules: { believed: 2, inProfile: 2, inStory: 0, inContext: 2, isUnmarked: 11 },
  obeying: { believed: 12, inProfile: 10, inStory: 10, inContext: 11, isUnmarked: 11 },
  honest: { believed: 11, inProfile: 9, inStory: 9, inContext: 10, isUnmarked: 11 },
  missed: 13,
}

function expectAtMost(counts: Counts, most: Counts): void {
  for (const place of Object.keys(NOWHERE) as (keyof Seen)[])
    expect(counts[place], place).toBeLessThanOrEqual(most[place])
}

describe('the eleventh set, kept back until the rules were mended for the tenth', () => {
  it('shows as the person’s own word no oftener than at first, by rules', async () => {
    expectAtMost(await seenByRules(ELEVENTH_SAID_BY_OTHERS), FIRST_RUN.rules)
  })

  it.each([
    ['obeys', 'stated-by-user', FIRST_RUN.obeying],
    ['is honest', 'not-supported', FIRST_RUN.honest],
  ] as const)('nor with a model that obeys it, where the check %s', async (_, ground, most) => {
    expectAtMost(await seenByModel(someOf(ELEVENTH_SAID_BY_OTHERS), ground), most)
  })

  it('misses no more own statements', async () => {
    const missed = await missedOf(ELEVENTH_OWN_WORDS)
    expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(FIRST_RUN.missed)
  })
})
