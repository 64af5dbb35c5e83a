import { describe, expect, it } from 'vitest'
import { StandingFacts } from '../facts/standing-facts.ts'
import { makeFact } from '../memories/memory-fixture.ts'
import type { Memory } from '../memories/memory.ts'
import { makeTurn } from '../turns/turn-fixture.ts'
import { openEngine } from '../work/engine-fixture.ts'
import type { UserState } from '../user-state/user-state.ts'
import { rankRelated } from './find-related.ts'

const TURNS = [
  makeTurn({ id: 't1', role: 'user', text: 'I sold the violet harmonium to Quentin in Perugia.' }),
]
const RELATED = ['The user has a violet harmonium.', 'Quentin lives in Perugia.', 'Quentin is a baker.']

/** Facts of one scope, and the ranking of a segment. */
async function factsOf(count: number) {
  const { engine, row } = await openEngine({})
  const standing = new StandingFacts()
  const learn = (text: string, at: number): void => {
    standing.set(makeFact({ id: `f${at}`, learnedAt: at, key: 'likes', value: `value ${at}`, text }))
  }
  for (const [at, text] of RELATED.entries()) learn(text, at)
  for (let at = RELATED.length; at < count; at += 1) learn(`The user likes thing${at} of kind${at % 7}.`, at)
  const state = { facts: () => standing, memoriesOfTurn: () => [] } as unknown as UserState
  const segment = { scope: row.scope, session: 's1', sessionNumber: 1, round: 1, turns: TURNS }
  const budget = { most: 48, tokens: 1_200 }
  const rank = (): Promise<readonly Memory[]> =>
    rankRelated({ engine, state }, { ...segment, before: [], asked: [] }, [], budget)
  return { rank, learn }
}

describe('the facts that a segment may touch', () => {
  it('are those that share rare words, of few or of many, and the latest', async () => {
    const shownOf = async (count: number) => {
      const { rank, learn } = await factsOf(count)
      const texts = (await rank()).map(({ text }) => text)
      expect(texts).toEqual(expect.arrayContaining(RELATED))
      expect(texts).toContain(`The user likes thing${count - 1} of kind${(count - 1) % 7}.`)
      learn('The user likes marzipan.', count)
      const again = await rank()
      expect(again[0]?.text).toBe('The user likes marzipan.')
      return again.length
    }
    expect(await shownOf(4_000)).toEqual(await shownOf(200))
  })
})
