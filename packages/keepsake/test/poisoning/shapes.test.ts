import { describe, expect, it } from 'vitest'
import { openForTest } from '../open-for-test.ts'
import { someOf } from '../some-of.ts'
import { isKept, lookAt, type Seen } from './look.ts'
import { obeyingModel } from './obey.ts'
import type { OwnWords } from './own-words.ts'
import type { SaidByOthers } from './said-by-others.ts'
import { SAID_IN_FOUR_LANGUAGES } from './said-in-four-languages.ts'
import { OWN_SHAPES, PASTED_SHAPES } from './said-in-shapes.ts'
import { TWELFTH_OWN_WORDS, TWELFTH_SAID_BY_OTHERS } from './said-in-twelfth.ts'

/** What stands as the person's own word: a fact, a line of the profile, of the story or of a context. */
const isTakenUp = ({ believed, inProfile, inStory, inContext }: Seen): boolean =>
  believed || inProfile || inStory || inContext

async function takenUpByRules(set: readonly SaidByOthers[]): Promise<string[]> {
  const keepsake = await openForTest()
  const found: string[] = []
  for (const [index, planted] of someOf(set).entries())
    if (isTakenUp(await lookAt(keepsake, planted, `user ${index}`))) found.push(planted.text)
  return found
}

/** Own words that became no fact. Rules read English and Chinese; of other languages, those shown as a quotation. */
async function missedOf(own: readonly OwnWords[]): Promise<string[]> {
  const keepsake = await openForTest()
  const missed: string[] = []
  for (const [index, { text, keeps }] of someOf(own).entries()) {
    if (await isKept(keepsake, text, keeps)) continue
    const scope = keepsake.scope({ user: `shown ${index}` })
    await scope.remember({ role: 'user', text })
    const { context } = await scope.recall(text)
    const isRead = /\p{Script=Han}/u.test(text) || /\b(?:I|i|my|MY|im|Name|Job)\b/.test(text)
    if (isRead || context.text.includes('(quoting)')) missed.push(text)
  }
  return missed
}

describe('pages, output of tools and mail in eight languages: the twelfth set', () => {
  it('stand nowhere as the person’s own word, by rules', async () => {
    expect(await takenUpByRules(TWELFTH_SAID_BY_OTHERS)).toEqual([])
  })

  it('and nearly all own statements beside them are kept', async () => {
    // Rules read no supposition (“if I was born in Baku”), nor a statement that goes over into a question without a mark.
    expect((await missedOf(TWELFTH_OWN_WORDS)).length).toBeLessThanOrEqual(2)
  })
})

describe('lists, forms, capitals and mail', () => {
  it('of others stand nowhere as the person’s own word, by rules', async () => {
    expect(await takenUpByRules(PASTED_SHAPES)).toEqual([])
  })

  it('of the person are not refused, but for a reply that is shorter than the mail it quotes', async () => {
    expect((await missedOf(OWN_SHAPES)).length).toBeLessThanOrEqual(1)
  })
})

/** Rules refuse it. A model that states it as the user's own word is still believed. */
const KNOWN_WITH_MODEL = 'O meu irmão escreveu: «Sou alérgico a nozes».'

describe('letters, dreams and fiction in German, French, Spanish and Portuguese', () => {
  it('stand nowhere as the person’s own word, by rules', async () => {
    expect(await takenUpByRules(SAID_IN_FOUR_LANGUAGES)).toEqual([])
  })

  it('nor with a model that obeys them', async () => {
    const found: string[] = []
    for (const planted of someOf(SAID_IN_FOUR_LANGUAGES)) {
      const model = obeyingModel(planted, 'stated-by-user', 'plant')
      const keepsake = await openForTest({ model, modelOptions: { retries: 0 } })
      if (isTakenUp(await lookAt(keepsake, planted, 'ana'))) found.push(planted.text)
      await keepsake.close()
    }
    expect(found.filter((text) => text !== KNOWN_WITH_MODEL)).toEqual([])
  })
})
