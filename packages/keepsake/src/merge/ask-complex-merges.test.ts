import { describe, expect, it } from 'vitest'
import { makeCandidate, makeFact } from '../memories/memory-fixture.ts'
import { scriptedAsk } from '../models/scripted-ask-fixture.ts'
import { openEngine, storeMemories } from '../work/engine-fixture.ts'
import { viewScope } from '../work/scope-view.ts'
import { askComplexMerges } from './merge-by-model.ts'

const TRIP = makeFact({ id: 'trip', key: 'promises', value: 'a trip', text: 'The user promised a trip.' })
const LETTER = makeCandidate({ key: 'promises', value: 'a letter', text: 'The user promised a letter.' })
const KEEP_BOTH = { merges: [{ item: 1, action: 'keep-both', values: [], value: '', text: '' }] }

async function view() {
  const place = await openEngine()
  await storeMemories(place, TRIP)
  return viewScope(place.engine, place.row)
}

describe('askComplexMerges', () => {
  it('asks how new values of complex keys meet the known ones, in their language', async () => {
    const ask = scriptedAsk(KEEP_BOTH)
    const grounded = { candidates: [{ candidate: LETTER, reason: null }], operations: [] }
    const merge = await askComplexMerges(await view(), grounded, ask)
    expect(merge?.(LETTER, [TRIP])).toMatchObject([{ kind: 'add', candidate: LETTER }])
    expect(ask.asked).toMatchObject([{ language: 'en' }])
    expect(ask.asked[0]?.user).toContain('a trip')
  })

  it('asks in Chinese of what was told in Chinese', async () => {
    const ask = scriptedAsk(KEEP_BOTH)
    const letter = { ...LETTER, value: '写信', text: '用户答应写信。' }
    await askComplexMerges(
      await view(),
      { candidates: [{ candidate: letter, reason: null }], operations: [] },
      ask,
    )
    expect(ask.asked).toMatchObject([{ language: 'zh' }])
  })

  it.each([
    ['not believed', LETTER, 'nobody said so'],
    ['of another kind of key', { ...LETTER, key: 'likes' }, null],
    ['of no key', { ...LETTER, key: null }, null],
    ['of a key that is not in the table', { ...LETTER, key: 'shoe-size' }, null],
  ])('asks nothing about a value that is %s', async (_, candidate, reason) => {
    const grounded = { candidates: [{ candidate, reason }], operations: [] }
    expect(await askComplexMerges(await view(), grounded, scriptedAsk())).toBeNull()
  })

  it('asks nothing where nothing is known of its subject', async () => {
    const candidate = { ...LETTER, subject: 'Anna' }
    const ask = scriptedAsk()
    const merge = await askComplexMerges(
      await view(),
      { candidates: [{ candidate, reason: null }], operations: [] },
      ask,
    )
    expect([merge?.(candidate, []), ask.asked]).toEqual([null, []])
  })
})
