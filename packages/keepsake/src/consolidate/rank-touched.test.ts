import { describe, expect, it } from 'vitest'
import { StandingFacts } from '../facts/standing-facts.ts'
import { makeFact } from '../memories/memory-fixture.ts'
import type { Memory } from '../memories/memory.ts'
import { makeTurn } from '../turns/turn-fixture.ts'
import { openEngine } from '../work/engine-fixture.ts'
import type { UserState } from '../user-state/user-state.ts'
import { rankTouched } from './rank-touched.ts'

const TURNS = [
  makeTurn({ id: 't1', role: 'user', text: 'I sold the violet harmonium to Quentin in Perugia.' }),
]
const TOUCHED = ['The user has a violet harmonium.', 'Quentin lives in Perugia.', 'Quentin is a baker.']

/** Facts of one scope, and how often what they say is read. */
async function factsOf(count: number) {
  const { engine, row } = await openEngine({})
  const standing = new StandingFacts()
  const reads = { facts: 0 }
  const learn = (text: string, at: number): void => {
    const fact = makeFact({ id: `f${at}`, learnedAt: at, key: 'likes', value: `value ${at}` })
    Object.defineProperty(fact, 'text', { enumerable: true, get: () => ((reads.facts += 1), text) })
    standing.set(fact)
  }
  for (const [at, text] of TOUCHED.entries()) learn(text, at)
  for (let at = TOUCHED.length; at < count; at += 1) learn(`The user likes thing${at} of kind${at % 7}.`, at)
  const state = { facts: () => standing, memoriesOfTurn: () => [] } as unknown as UserState
  const segment = { scope: row.scope, session: 's1', sessionNumber: 1, round: 1, turns: TURNS }
  const budget = { most: 48, tokens: 1_200 }
  const rank = (): Promise<readonly Memory[]> =>
    rankTouched({ engine, state }, { ...segment, before: [], asked: [] }, [], budget)
  return { rank, reads, learn }
}

describe('the facts that a segment may touch', () => {
  it('are found without looking at what was known before and has nothing to do with it', async () => {
    const readsOf = async (count: number) => {
      const { rank, reads, learn } = await factsOf(count)
      const first = await rank()
      const texts = first.map(({ text }) => text)
      expect(texts).toEqual(expect.arrayContaining(TOUCHED))
      expect(texts).toContain(`The user likes thing${count - 1} of kind${(count - 1) % 7}.`)
      reads.facts = 0
      learn('The user likes marzipan.', count)
      const again = await rank()
      return { reads: reads.facts, shown: again.length }
    }
    const [few, many] = [await readsOf(200), await readsOf(4_000)]
    expect(many).toEqual(few)
    expect(few.reads).toBeLessThan(60)
  })
})
