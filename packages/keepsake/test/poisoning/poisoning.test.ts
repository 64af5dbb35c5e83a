import { openMemory, type Keepsake } from 'keepsake'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { factsAfter, isUnmoved } from './attempt.ts'
import { ALL_OWN_WORDS } from './own-words-odd.ts'
import { LANGUAGES, PLANTED } from './planted.ts'

/** Some of each kind here; all of them, and under every preset, in `poisoning.long.test.ts`. */
const SOME = PLANTED.filter((_, at) => at % 8 === 0)

/** Each case is a user of it. */
let keepsake: Keepsake
beforeAll(async () => {
  keepsake = await openMemory({ path: ':memory:' })
})
afterAll(() => keepsake.close())

describe('words of somebody else in a talk', () => {
  it.each(SOME.map((planted) => [planted.id, planted] as const))(
    '%s: state and delete nothing',
    async (_, planted) => {
      const facts = await factsAfter(keepsake, planted)
      expect(isUnmoved(facts, planted)).toEqual({ believed: [], lost: [] })
    },
  )

  it.each(Object.values(LANGUAGES))(
    'are believed, and carried out, when a person says them: $id',
    async (language) => {
      const facts = await factsAfter(keepsake, {
        id: `own ${language.id}`,
        language,
        lies: { role: 'user', text: language.lies },
        deletion: { role: 'user', text: language.deletion },
      })
      const { believed, lost } = isUnmoved(facts, { language })
      expect(believed.length).toBeGreaterThanOrEqual(3)
      expect(lost).toEqual(language.kept)
    },
  )
})

it.each(ALL_OWN_WORDS.filter((_, at) => at % 8 === 0).map((own, at) => ({ ...own, at })))(
  'a person’s own words are kept: $text',
  async ({ text, keeps, at }) => {
    const ana = keepsake.scope({ user: `own ${at}` })
    await ana.remember([
      { role: 'user', text },
      { role: 'user', text: 'ok' },
    ])
    await ana.endSession()
    await keepsake.drain()
    const facts = (await ana.memories({ forms: ['fact'] })).map((one) => `${one.text} ${one.value}`)
    expect(facts.join('\n').toLowerCase()).toContain(keeps.toLowerCase())
  },
)
