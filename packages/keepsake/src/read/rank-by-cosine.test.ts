import { describe, expect, it } from 'vitest'
import type { ForgettingMoment, ForgettingPolicy } from '../forget/policies/forgetting-policy.ts'
import { makeFact, makeMemory } from '../memories/memory-fixture.ts'
import type { Memory } from '../memories/memory.ts'
import { embedBy } from '../models/embedding-fixture.ts'
import { naiveRag } from '../presets/keepsake.ts'
import type { Ranking } from '../presets/preset.ts'
import { openEngine, storeMemories, storeTurns } from '../work/engine-fixture.ts'
import type { FoundMemory } from './found-memory.ts'
import { rankByCosine } from './rerank.ts'
import { requestIn, foundAs } from './recall-fixture.ts'

const QUERY = Float32Array.of(1, 0)
const embedding = embedBy({ near: [0.8, 0.6], far: [0, 1], half: [0.5, 0.75 ** 0.5], 近: [0.8, 0.6] })

/** Values a memory by its round, and notes when it was asked. */
function valuingRounds(): ForgettingPolicy & { readonly moments: readonly ForgettingMoment[] } {
  const moments: ForgettingMoment[] = []
  return {
    name: 'rounds',
    formula: 'round',
    moments,
    strengths: (memories, moment) => {
      moments.push(moment)
      return memories.map(({ round }) => ({ value: round, parts: {} }))
    },
  }
}

async function rank(
  given: { readonly ranking: Ranking; readonly question?: string },
  memories: readonly Memory[],
  found: (memories: readonly Memory[]) => FoundMemory[] = (all) => all.map((one) => foundAs(one)),
) {
  const policy = valuingRounds()
  const preset = { ...naiveRag(), policy, ranking: given.ranking }
  const place = await openEngine({ preset, embedding })
  await storeTurns(place, { text: 'near' }, { text: 'half' }, { text: 'far' }, { text: 'nothing' })
  await storeMemories(place, ...memories)
  const request = requestIn(place, given.question === undefined ? {} : { text: given.question })
  const state = await place.engine.users.load(place.row.owner)
  const ranked = await rankByCosine(request, state, found(memories), QUERY)
  return { ranked, policy }
}

const fact = (id: string, text: string, round = 0): Memory => makeFact({ id, text, round })
const scores = (ranked: readonly FoundMemory[]) =>
  ranked.map(({ memory, score }) => [memory.id, Number(score.toFixed(2))])

describe('rankByCosine', () => {
  it('leaves what was found as it is where a preset ranks by something else', async () => {
    const hybrid = { kind: 'whole' } as const
    const found = [foundAs(fact('far', 'far'), 1)]
    const { ranked } = await rank({ ranking: hybrid }, [], () => found)
    expect(ranked).toBe(found)
  })

  it('ranks by cosine, and leaves out what is below the threshold', async () => {
    const memories = [fact('far', 'far'), fact('half', 'half'), fact('near', 'near')]
    const at = async (threshold: number) =>
      scores((await rank({ ranking: { kind: 'cosine', threshold, importance: 0 } }, memories)).ranked)
    expect(await at(0)).toEqual([
      ['near', 0.8],
      ['half', 0.5],
      ['far', 0],
    ])
    expect(await at(0.4)).toEqual([
      ['near', 0.8],
      ['half', 0.5],
    ])
    expect(await at(0.500001)).toEqual([['near', 0.8]])
  })

  it('takes the threshold of the question’s language', async () => {
    const ranking = { kind: 'cosine', threshold: { en: 0.9, zh: 0.7 }, importance: 0 } as const
    const memories = [fact('near', 'near')]
    expect(scores((await rank({ ranking, question: 'Where?' }, memories)).ranked)).toEqual([])
    expect(scores((await rank({ ranking, question: '我住在哪里？' }, memories)).ranked)).toEqual([
      ['near', 0.8],
    ])
  })

  it('adds a share of what the policy says a memory is worth, from 0 to 1', async () => {
    const ranking = { kind: 'cosine', threshold: 0, importance: 0.5 } as const
    const memories = [fact('near', 'near', -3), fact('half', 'half', 9), fact('far', 'far', 0.4)]
    const { ranked, policy } = await rank({ ranking }, memories)
    expect(scores(ranked)).toEqual([
      ['half', 1],
      ['near', 0.8],
      ['far', 0.2],
    ])
    expect(ranked.map(({ parts }) => parts)).toEqual([
      { cosine: expect.closeTo(0.5, 2), importance: 0.5 },
      { cosine: expect.closeTo(0.8, 6), importance: 0 },
      { cosine: 0, importance: 0.2 },
    ])
    expect(policy.moments).toMatchObject([{ underWay: true, round: 4 }])
  })

  it('takes the nearest of the turns by which an utterance was found, and tells each', async () => {
    const ranking = { kind: 'cosine', threshold: 0.3, importance: 0 } as const
    const said = makeMemory({
      id: 'said',
      text: 'far',
      evidence: ['t1', 't2', 't3'].map((turn) => ({ turn, quote: null })),
    })
    const { ranked } = await rank({ ranking }, [said], () => [foundAs(said, 0, { t3: 1, t2: 1 })])
    expect(scores(ranked)).toEqual([['said', 0.5]])
    const one = await rank({ ranking }, [said], () => [foundAs(said, 0, { t2: 1 })])
    expect(scores(one.ranked)).toEqual([['said', 0.5]])
    expect([...(ranked[0]?.turns ?? [])]).toEqual([
      ['t2', expect.closeTo(0.5, 2)],
      ['t3', 0],
    ])
  })

  it('asks nothing of the policy where no scope is asked', async () => {
    const policy = valuingRounds()
    const ranking = { kind: 'cosine', threshold: 0, importance: 0.5 } as const
    const place = await openEngine({ preset: { ...naiveRag(), policy, ranking }, embedding })
    const near = fact('near', 'near', 1)
    await storeMemories(place, near)
    const request = requestIn(place)
    const nowhere = { ...request, resolved: { ...request.resolved, rows: [] } }
    const state = await place.engine.users.load(place.row.owner)
    expect(scores(await rankByCosine(nowhere, state, [foundAs(near)], QUERY))).toEqual([['near', 0.8]])
    expect(policy.moments).toEqual([])
  })

  it('takes what has no vector for unlike everything', async () => {
    const ranking = { kind: 'cosine', threshold: -1, importance: 0 } as const
    const { ranked } = await rank({ ranking }, [], () => [foundAs(fact('unknown', 'near'))])
    expect(scores(ranked)).toEqual([['unknown', 0]])
  })
})
