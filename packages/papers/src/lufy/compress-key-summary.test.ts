import { describe, expect, it } from 'vitest'
import { makeMemory } from '../../../keepsake/src/memories/memory-fixture.ts'
import { embeddedWordVectors } from '@keepsake/text'
import { scriptedAsk } from '../../../keepsake/src/models/scripted-ask-fixture.ts'
import { KEY_SUMMARY_WORDS } from './key-summary.ts'
import { countWords } from 'keepsake/preset'
import { keySummaryByModel, keySummaryOfSentences } from './compress-key-summary.ts'

const embedding = embeddedWordVectors()
const sessions = [makeMemory({ form: 'summary', text: 'Ana moved to Ghent with her sister Nadia in May.' })]
const profile = [makeMemory({ id: 'f1', form: 'fact', text: 'The user works as a stonemason in Ghent.' })]

describe('the key summary by a model', () => {
  it('is made of the last one, the sessions since and the profile', async () => {
    const ask = scriptedAsk({ summary: ' Ana lives in Ghent. ' })
    const input = { previous: 'Ana keeps bees.', sessions, turns: [], profile }
    expect(await keySummaryByModel().compress(input, { ask, embedding })).toBe('Ana lives in Ghent.')
    const words = ask.asked[0]?.user
    for (const text of ['Ana keeps bees.', 'Ana moved to Ghent', 'stonemason']) expect(words).toContain(text)
  })

  it('keeps the last one when the answer is empty, or no session is new', async () => {
    const ask = scriptedAsk({ summary: '' })
    const input = { previous: 'Ana keeps bees.', sessions, turns: [] }
    expect(await keySummaryByModel().compress(input, { ask, embedding })).toBe('Ana keeps bees.')
    expect(ask.asked[0]?.problems[0]).toContain('keep what still matters')
    expect(await keySummaryByModel().compress({ ...input, sessions: [] }, { ask, embedding })).toBe(
      'Ana keeps bees.',
    )
    expect(ask.asked).toHaveLength(1)
  })

  it('is cut to its length when the model does not keep to it', async () => {
    const ask = scriptedAsk({ summary: 'Ana keeps many bees there. '.repeat(60) })
    const made = await keySummaryByModel().compress(
      { previous: null, sessions, turns: [] },
      { ask, embedding },
    )
    expect(countWords(String(made))).toBeLessThanOrEqual(KEY_SUMMARY_WORDS)
    expect(countWords(String(made))).toBeGreaterThan(KEY_SUMMARY_WORDS / 2)
    expect(ask.asked[0]?.problems[0]).toContain(`may be as long as ${KEY_SUMMARY_WORDS}`)
  })
})

describe('the key summary of sentences', () => {
  it('holds the profile, and goes on from the last one', async () => {
    const previous = 'Ana planted forty quince trees behind the old house.'
    const input = { previous, sessions, turns: [], profile }
    const made = await keySummaryOfSentences().compress(input, { ask: null, embedding })
    for (const text of ['stonemason', 'quince', 'Nadia']) expect(made).toContain(text)
  })

  it('stays short however long the talk', async () => {
    const names = ['Ana', 'Bo', 'Cleo', 'Dan', 'Eva', 'Finn', 'Gus', 'Hana']
    const many = names.flatMap((name, at) =>
      ['a piano', 'a kayak', 'a greenhouse', 'an old printing press'].map((thing) =>
        makeMemory({
          id: `${name}${thing}`,
          form: 'summary',
          text: `${name} bought ${thing} in 20${10 + at}.`,
        }),
      ),
    )
    const input = { previous: null, sessions: many, turns: [] }
    const made = await keySummaryOfSentences().compress(input, { ask: null, embedding })
    expect(String(made).length).toBeLessThanOrEqual(6 * KEY_SUMMARY_WORDS)
    expect(String(made).length).toBeGreaterThan(400)
  })
})
