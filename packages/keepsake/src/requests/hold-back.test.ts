import { expect, it, vi } from 'vitest'
import { makeMemory } from '../memories/memory-fixture.ts'
import { openEngine, storedMemories, storeMemories, storeTurns } from '../work/engine-fixture.ts'
import type * as AnalyseText from '../text/analyse-text.ts'
import { originOf } from '../work/scope-view.ts'
import { decideAndCommit } from '../work/unit-of-work.ts'
import { holdBackPlausible } from './hold-back.ts'

const analysed = vi.hoisted(() => ({ texts: [] as string[] }))
vi.mock('../text/analyse-text.ts', async (load) => {
  const actual = await load<typeof AnalyseText>()
  const findTerms = (text: string): string[] => {
    analysed.texts.push(text)
    return actual.findTerms(text)
  }
  return { ...actual, findTerms }
})

const SAID = ['I signed the lease.', 'We had soup.', 'The train was late.', 'My shoes are wet.']

it('reads each turn once to find what is most likely meant', async () => {
  const place = await openEngine()
  const { engine, row } = place
  await storeTurns(place, ...SAID.map((text) => ({ text })), { text: 'Forget my signature and the ink.' })
  const utterance = (turn: string) =>
    makeMemory({ id: `u-${turn}`, form: 'utterance', text: '', key: null, evidence: [{ turn, quote: null }] })
  await storeMemories(place, ...SAID.map((_, at) => utterance(`t${at + 1}`)))
  analysed.texts.length = 0
  const request = {
    kind: 'forget',
    about: 'my signature and the ink',
    evidence: { turn: 't5', quote: 'Forget my signature and the ink.' },
  } as const
  await decideAndCommit(engine, row, (unit) => holdBackPlausible(unit, request, originOf(engine, 'test/1')))
  expect(analysed.texts.filter((text) => SAID.includes(text))).toEqual(SAID)
  const held = (await storedMemories(place)).filter(({ status }) => status === 'deleted')
  expect(held.map(({ id }) => id)).toEqual(['u-t1'])
})
