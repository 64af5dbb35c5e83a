import { describe, expect, it } from 'vitest'
import { ASKED_TO_FORGET } from '../memories/delete-memory.ts'
import { makeFact, makeMemory, ORIGIN, type MemoryTraits } from '../memories/memory-fixture.ts'
import type { Memory } from '../memories/memory.ts'
import { keepsake } from '../presets/keepsake.ts'
import type { StoryBranch } from '../presets/preset.ts'
import { scriptedSummariser, type ScriptedSummariser } from '../story/summariser-fixture.ts'
import type { Turn } from '../turns/turn.ts'
import {
  openEngine,
  readTo,
  storedMemories,
  storeMemories,
  storeTurns,
  type TestScope,
} from '../work/engine-fixture.ts'
import { decideAndCommit } from '../work/unit-of-work.ts'
import { packStory } from './pack-story.ts'

/** Two rounds a unit, two units a summary, two summaries one above. */
const BRANCH: StoryBranch = { kind: 'story', thresholds: [2, 2, 2] }
const whole = (...turns: string[]) => turns.map((turn) => ({ turn, quote: null }))

async function open(
  summariser: ScriptedSummariser,
  turns: readonly Partial<Turn>[],
  memories: Memory[] = [],
) {
  const place = await openEngine({ preset: { ...keepsake(), summariser } })
  await storeTurns(place, ...turns)
  await storeMemories(place, ...memories)
  return place
}

/** As a pass does, once it has seen what is newer. */
async function pack(place: TestScope, branch = BRANCH) {
  await place.engine.users.load(place.row.owner)
  const hasWorked = await packStory(place.engine, place.row, branch)
  const { branches } = (await place.engine.users.load(place.row.owner)).progress(place.row.scope)
  return [hasWorked, branches['story'] ?? 0]
}

async function units(place: TestScope) {
  const story = (await storedMemories(place)).filter(({ form }) => form === 'story')
  return story.map(({ level, text, evidence }) => [level, text, evidence.map(({ turn }) => turn)])
}

const talk = (count: number, traits: Partial<Turn> = {}) =>
  Array.from({ length: count }, (_, at): Partial<Turn> => ({ text: `said ${at + 1}`, at: at + 1, ...traits }))
const told = () => scriptedSummariser((call) => `told ${call}`)
const change = ({ engine, row }: TestScope, id: string, after: Partial<Memory>) =>
  decideAndCommit(engine, row, ({ changes }) => void changes.change('modify', id, after, ORIGIN))

describe('the story of rounds', () => {
  it('is packed as far as they fill units; the rest waits', async () => {
    const summariser = told()
    const place = await open(summariser, talk(3))
    expect(await pack(place)).toEqual([true, 2])
    expect(await units(place)).toEqual([[1, '', ['t1', 't2']]])
    expect([await pack(place), summariser.asked]).toEqual([[false, 2], []])
    expect(await pack(await open(told(), talk(1)))).toEqual([false, 0])
  })

  it('is summarised above, as the levels fill, each made of those below', async () => {
    const summariser = told()
    const place = await open(summariser, talk(8))
    expect(await pack(place)).toEqual([true, 8])
    expect(await units(place)).toEqual([
      [1, '', ['t1', 't2']],
      [1, '', ['t3', 't4']],
      [1, '', ['t5', 't6']],
      [1, '', ['t7', 't8']],
      [2, 'told 1', ['t1', 't2', 't3', 't4']],
      [2, 'told 2', ['t5', 't6', 't7', 't8']],
      [3, 'told 3', ['t1', 't2', 't3', 't4', 't5', 't6', 't7', 't8']],
    ])
    const stored = await storedMemories(place)
    const idOf = (at: number) => stored[at]?.id
    expect(stored.map(({ sources }) => sources).slice(4)).toEqual([
      [idOf(0), idOf(1)],
      [idOf(2), idOf(3)],
      [idOf(4), idOf(5)],
    ])
    expect(stored.map(({ origin }) => origin.step)).toEqual([
      ...Array.from({ length: 4 }, () => 'pack/1'),
      ...Array.from({ length: 3 }, () => 'test/summariser'),
    ])
    expect(stored.map(({ validFrom, round }) => [validFrom, round]).slice(4)).toEqual([
      [1, 4],
      [5, 8],
      [1, 8],
    ])
  })

  it('goes on from what is packed already, also what was forgotten since', async () => {
    const place = await open(told(), talk(4), [
      makeMemory({
        id: 'first',
        form: 'story',
        level: 1,
        text: '',
        evidence: whole('t1', 't2'),
        validFrom: 1,
      }),
    ])
    await change(place, 'first', { status: 'forgotten' })
    await readTo(place, { story: 2 })
    expect(await pack(place)).toEqual([true, 4])
    expect(await units(place)).toEqual([
      [1, '', ['t1', 't2']],
      [1, '', ['t3', 't4']],
      // What was forgotten keeps its place and tells nothing.
      [2, 'told 1', ['t3', 't4']],
    ])
  })

  it('leaves out what was asked to be dropped', async () => {
    const dropped = makeFact({ id: 'f', status: 'deleted', reason: ASKED_TO_FORGET, evidence: whole('t2') })
    const place = await open(told(), talk(3), [dropped])
    expect(await pack(place)).toEqual([true, 3])
    expect(await units(place)).toEqual([[1, '', ['t1', 't3']]])
  })

  it('passes a window by of which nothing fills a unit', async () => {
    const tools = talk(256, { role: 'other' })
    expect(await pack(await open(told(), tools))).toEqual([true, 256])
    expect(await pack(await open(told(), tools.slice(1)))).toEqual([false, 0])
  })

  it('closes a round whose answer does not come within 256 turns', async () => {
    const place = await open(told(), talk(256, { role: 'assistant' }))
    const one: StoryBranch = { ...BRANCH, thresholds: [1] }
    expect(await pack(place, one)).toEqual([true, 256])
    expect(await units(place)).toHaveLength(1)
  })

  it('belongs to the turn it reaches', async () => {
    const place = await open(told(), [...talk(1), { session: 's2', at: 9 }])
    await pack(place)
    expect(await storedMemories(place)).toMatchObject([
      { session: 's2', sessionNumber: 2, round: 2, learnedAt: 9, validFrom: 1 },
    ])
  })
})

describe('a summary of the story', () => {
  it('is told what was told before on its level, as far as it fits', async () => {
    const long = `${'x'.repeat(1_199)}yz`
    const summariser = scriptedSummariser((call) => (call === 1 ? long : 'short'))
    const place = await open(summariser, talk(12))
    await pack(place)
    expect(summariser.asked.map(({ before }) => before)).toEqual(['', long.slice(1), 'short', ''])
  })

  it('is made of quotes, or of words where the summariser reads those', async () => {
    const quote = scriptedSummariser((_, { sources }) => {
      const [first] = sources
      return first === undefined
        ? null
        : { text: 'told', evidence: [{ turn: first.turn, quote: first.text }] }
    })
    await pack(await open(quote, talk(8)))
    expect(quote.asked.at(-1)?.sources.map(({ text }) => text)).toEqual(['said 1', 'said 5'])
    const texts = scriptedSummariser((call) => `told ${call}`, { reads: 'texts' })
    await pack(await open(texts, talk(8)))
    expect(texts.asked.at(-1)?.sources.map(({ text }) => text)).toEqual(['told 1', 'told 2'])
  })

  it('that has nothing to tell keeps its place, so that the levels above count on', async () => {
    const summariser = scriptedSummariser((call) => (call === 1 ? null : `told ${call}`))
    const place = await open(summariser, talk(8))
    await pack(place)
    expect((await units(place)).slice(4)).toEqual([
      [2, '', []],
      [2, 'told 2', ['t5', 't6', 't7', 't8']],
      [3, 'told 3', ['t5', 't6', 't7', 't8']],
    ])
    expect(summariser.asked[1]?.before).toBe('')
  })
})

describe('the story of segments', () => {
  const SEGMENTS: StoryBranch = { ...BRANCH, thresholds: [9, 2, 2], units: 'segments' }
  const segment = (id: string, traits: MemoryTraits = {}) =>
    makeMemory({ id, form: 'story', level: 1, text: id, evidence: whole('t1'), ...traits })

  it('piles up what was told of them, and is told up to where facts were read', async () => {
    const summariser = scriptedSummariser((call) => `told ${call}`, { reads: 'texts' })
    const place = await open(summariser, talk(4), [
      segment('a'),
      segment('b', { session: 's9', sessionNumber: 9, round: 7, learnedAt: 77 }),
    ])
    await readTo(place, { facts: 3 })
    expect(await pack(place, SEGMENTS)).toEqual([true, 3])
    expect(summariser.asked.map(({ sources }) => sources.map(({ text }) => text))).toEqual([['a', 'b']])
    expect((await storedMemories(place)).at(-1)).toMatchObject({
      level: 2,
      text: 'told 1',
      sources: ['a', 'b'],
      session: 's9',
      sessionNumber: 9,
      round: 7,
      learnedAt: 77,
    })
    expect(await pack(place, SEGMENTS)).toEqual([false, 3])
  })

  it('never goes back behind where it is', async () => {
    const place = await open(told(), talk(4), [segment('a'), segment('b')])
    await readTo(place, { facts: 1, story: 2 })
    expect(await pack(place, SEGMENTS)).toEqual([true, 2])
  })

  it('waits for as many as fill a level', async () => {
    expect(await pack(await open(told(), talk(4), [segment('a')]), SEGMENTS)).toEqual([false, 0])
    expect(await pack(await open(told(), talk(4)), SEGMENTS)).toEqual([false, 0])
  })
})

describe('what happens while the story is told', () => {
  /** An engine whose summariser has something happen during its first call. */
  async function during(happens: (place: TestScope) => Promise<unknown>) {
    const opened: TestScope[] = []
    const summariser = scriptedSummariser(async (call) => {
      const [place] = opened
      if (call === 1 && place !== undefined) await happens(place)
      return `told ${call}`
    })
    const unit = makeMemory({ id: 'first', form: 'story', level: 1, text: '', evidence: whole('t1', 't2') })
    const place = await open(summariser, talk(4), [unit])
    await readTo(place, { story: 2 })
    opened.push(place)
    return { outcome: await pack(place), units: await units(place), place }
  }
  const FIRST = [1, '', ['t1', 't2']]
  const PACKED = [FIRST, [1, '', ['t3', 't4']], [2, 'told 1', ['t1', 't2', 't3', 't4']]]

  it('is committed with it when it bears on nothing that was told', async () => {
    const { outcome, units: made } = await during((place) => storeMemories(place, makeFact({ id: 'other' })))
    expect([outcome, made]).toEqual([[true, 4], PACKED])
  })

  it.each<[string, Partial<Memory>, unknown]>([
    ['was dropped', { status: 'deleted' }, FIRST],
    ['lost some of what it rests on', { evidence: whole('t1') }, [1, '', ['t1']]],
  ])('has it told again when a unit %s', async (_, after, first) => {
    const { outcome, units: made, place } = await during((one) => change(one, 'first', after))
    expect([outcome, made]).toEqual([[true, 2], [first]])
    expect(await pack(place)).toEqual([true, 4])
    expect(await units(place)).toHaveLength(3)
  })

  it('leaves it aside when another process has told it', async () => {
    const { outcome, units: made } = await during((place) => readTo(place, { story: 4 }))
    expect([outcome, made]).toEqual([[true, 4], [FIRST]])
  })
})
