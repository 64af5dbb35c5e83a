import { describe, expect, it } from 'vitest'
import { ModelError } from '@keepsake/text'
import { scriptedAsk } from '../models/scripted-ask-fixture.ts'
import { rateImportance } from '../consolidate/measure-signals.ts'

const rated = (...given: (readonly [number, number])[]): object => ({
  ratings: given.map(([number, importance]) => ({ number, importance })),
})
const units = ['Hi!', 'My father died.', 'I like tea.'].map((user) => ({ agent: 'How are you?', user }))

describe('rateImportance', () => {
  it('gives ratings in order, whatever order they were answered in', async () => {
    const ask = scriptedAsk(rated([2, 10], [1, 1], [3, 4]))
    expect(await rateImportance(units, 'They met.', ask, { language: 'en' })).toEqual([1, 10, 4])
    expect(ask.asked[0]?.user).toContain('[2] agent: "How are you?" user: "My father died."')
    expect(ask.asked[0]?.user).toContain('"They met."')
  })

  it('keeps to the scale, and says what is wrong', async () => {
    const ask = scriptedAsk(rated([1, 0], [2, 14], [3, 3.4]))
    expect(await rateImportance(units, '', ask, { language: 'en' })).toEqual([1, 10, 3])
    expect(ask.asked[0]?.problems).toHaveLength(3)
  })

  it('asks for long talks in batches', async () => {
    const many = Array.from({ length: 45 }, (_, place) => ({ agent: '', user: `Sentence ${place}` }))
    const batch = (count: number): object =>
      rated(...Array.from({ length: count }, (_, place): [number, number] => [place + 1, 1 + (place % 10)]))
    const ask = scriptedAsk(batch(40), batch(5))
    const ratings = await rateImportance(many, '', ask, { language: 'en' })
    expect(ratings.slice(38)).toEqual([9, 10, 1, 2, 3, 4, 5])
    expect(ask.asked).toHaveLength(2)
  })

  it('makes no rating up', async () => {
    const ask = scriptedAsk(rated([1, 2]))
    const rating = rateImportance(units, '', ask, { language: 'en' })
    await expect(rating).rejects.toThrow(ModelError)
    await expect(rating).rejects.toMatchObject({ code: 'model-answer' })
    expect(await rateImportance([], '', scriptedAsk(), { language: 'en' })).toEqual([])
  })
})
