import { describe, expect, it } from 'vitest'
import { eraseTarget } from '../erase/erase-memories.ts'
import { judgingFacts } from '../forget/policy-fixture.ts'
import { ASKED_TO_FORGET } from '../memories/delete-memory.ts'
import { makeFact, makeMemory, ORIGIN, type MemoryTraits } from '../memories/memory-fixture.ts'
import { scriptedModel } from '../models/adapters/scripted-language-model.ts'
import type { Preset } from '../presets/preset.ts'
import { scriptedSummariser, type ScriptedSummariser } from '../story/summariser-fixture.ts'
import type { Turn } from '../turns/turn.ts'
import {
  listen,
  openEngine,
  readTo,
  resolvedIn,
  storedMemories,
  storeMemories,
  storeTurns,
  type TestScope,
} from '../work/engine-fixture.ts'
import { decideAndCommit } from '../work/unit-of-work.ts'
import { finishSession } from './finish-session.ts'

const SUMMARIES: Preset = {
  ...judgingFacts({ when: 'never' }),
  branches: [{ kind: 'utterances', order: 'answer' }, { kind: 'summaries' }],
}
/** Two sessions of two turns each, every turn kept by an utterance, and a job that ends the second. */
async function open(summariser: ScriptedSummariser, preset: Partial<Preset> = {}) {
  const place = await openEngine({ preset: { ...SUMMARIES, summariser, ...preset } })
  const turn = (session: string, at: number): Partial<Turn> => ({ session, at, text: `said at ${at}` })
  await storeTurns(place, turn('s1', 10), turn('s1', 20), turn('s2', 30), turn('s2', 40))
  for (const [at, session] of ['s1', 's1', 's2', 's2'].entries()) await keepTurn(place, at + 1, { session })
  await queueEnd(place)
  return place
}

async function keepTurn(place: TestScope, turn: number, traits: MemoryTraits) {
  const evidence = [{ turn: `t${turn}`, quote: null }]
  await storeMemories(place, makeMemory({ id: `u${turn}`, text: '', evidence, ...traits }))
}

async function queueEnd({ engine, row }: TestScope) {
  const job = { id: 'end', kind: 'end-session', scope: row.scope, session: 's2', at: 1 } as const
  await decideAndCommit(engine, row, () => undefined, { queueJobs: [job] })
}

const finish = ({ engine, row }: TestScope, session = 's2') => finishSession(engine, row, session, 'end')
const summaries = async (place: TestScope) =>
  (await storedMemories(place)).filter(({ form }) => form === 'summary')
const summary = (id: string, traits: MemoryTraits) => makeMemory({ id, form: 'summary', ...traits })

/** Drops an utterance, as when somebody asks to while a model writes. */
const drop = ({ engine, row }: TestScope, id: string) =>
  decideAndCommit(engine, row, ({ changes }) => {
    changes.change('delete', id, { status: 'deleted', reason: ASKED_TO_FORGET }, ORIGIN)
  })

describe('the summary of a session', () => {
  it('is made of its living turns, and belongs to its end', async () => {
    const summariser = scriptedSummariser(() => 'They met.', { prompt: 'story/2' })
    const place = await open(summariser)
    await finish(place)
    expect(summariser.asked.map(({ sources }) => sources.map(({ turn }) => turn))).toEqual([['t3', 't4']])
    expect(await summaries(place)).toMatchObject([
      {
        text: 'They met.',
        evidence: [
          { turn: 't3', quote: null },
          { turn: 't4', quote: null },
        ],
        session: 's2',
        sessionNumber: 2,
        round: 4,
        validFrom: 30,
        learnedAt: 40,
        origin: { step: 'test/summariser', promptVersion: 'story/2' },
      },
    ])
  })

  it('takes the mean of what was measured of its utterances', async () => {
    const place = await openEngine({
      preset: { ...SUMMARIES, summariser: scriptedSummariser(() => 'They met.') },
    })
    await storeTurns(place, { session: 's2' }, { session: 's2' }, { session: 's2' })
    await keepTurn(place, 1, { session: 's2', signals: { arousal: 2, surprise: 10 } })
    await keepTurn(place, 2, { session: 's2', signals: { arousal: 5 } })
    await keepTurn(place, 3, { session: 's1', signals: { arousal: 9, surprise: 90, importance: 9 } })
    await finish(place)
    expect(await summaries(place)).toMatchObject([
      { signals: { arousal: 3.5, surprise: 10, importance: null } },
    ])
  })

  it('takes the strongest of them where the preset says so: most aroused, least surprising, most often retrieved', async () => {
    const branches = [
      { kind: 'utterances', order: 'answer' },
      { kind: 'summaries', signals: 'strongest' },
    ] as const
    const place = await openEngine({
      preset: { ...SUMMARIES, branches, summariser: scriptedSummariser(() => 'They met.') },
    })
    await storeTurns(place, { session: 's2' }, { session: 's2' })
    const calm = { signals: { arousal: 2, surprise: 10, importance: 3 }, use: { first: 4 } }
    await keepTurn(place, 1, { session: 's2', ...calm })
    await keepTurn(place, 2, { session: 's2', signals: { arousal: 5, surprise: 90, importance: 8 } })
    await finish(place)
    expect(await summaries(place)).toMatchObject([
      { signals: { arousal: 5, surprise: 10, importance: 8 }, use: { first: 4, second: 0, rounds: [] } },
    ])
  })

  it('is told what was told before, newest last, as far as it fits', async () => {
    const summariser = scriptedSummariser(() => 'They met.')
    const place = await open(summariser)
    await storeMemories(
      place,
      summary('first', { session: 's0', text: 'x'.repeat(2_000) }),
      summary('dropped', { session: 's1', text: 'They quarrelled.', status: 'deleted' }),
      summary('second', { session: 's1', text: 'They parted.' }),
      makeFact({ id: 'fact', session: 's1', text: 'The user sings.' }),
    )
    await finish(place)
    expect(summariser.asked[0]?.before).toBe(`${'x'.repeat(1_987)}\nThey parted.`)
  })

  it('is written by the language model where there is one', async () => {
    const summariser = scriptedSummariser(() => 'They met.')
    const place = await openEngine({ preset: { ...SUMMARIES, summariser }, model: scriptedModel([]) })
    await storeTurns(place, { session: 's2' })
    await keepTurn(place, 1, { session: 's2' })
    await finish(place)
    expect(summariser.asked[0]?.ask?.model).toBe('scripted/model')
    const without = scriptedSummariser(() => 'They met.')
    await finish(await open(without))
    expect(without.asked[0]?.ask).toBeNull()
  })

  it('is not asked for when none of its turns may be told', async () => {
    const summariser = scriptedSummariser(() => 'They met.')
    const place = await open(summariser)
    const events = listen(place, 'session-not-summarised')
    await drop(place, 'u3')
    await drop(place, 'u4')
    await finish(place)
    expect([summariser.asked, events]).toMatchObject([[], [{ outcome: 'nothing' }]])
  })

  it('is not made where the preset makes none', async () => {
    const summariser = scriptedSummariser(() => 'They met.')
    const place = await open(summariser, { branches: [{ kind: 'utterances', order: 'answer' }] })
    await finish(place)
    expect([summariser.asked, await summaries(place)]).toEqual([[], []])
  })
})

describe('a session that was summarised', () => {
  const before = (traits: MemoryTraits) => summary('known', { session: 's2', text: 'They met.', ...traits })

  it.each<[string, MemoryTraits]>([
    ['its summary knows its last turn', { learnedAt: 40 }],
    ['its summary was deleted', { learnedAt: 10, status: 'deleted' }],
    ['its summary was forgotten', { learnedAt: 10, status: 'forgotten' }],
  ])('is left as it is when %s', async (_, traits) => {
    const summariser = scriptedSummariser(() => 'They met again.')
    const place = await open(summariser)
    await storeMemories(place, before(traits))
    await finish(place)
    expect([summariser.asked, await summaries(place)]).toMatchObject([[], [{ text: 'They met.' }]])
  })
})

describe('what happens while a summary is written', () => {
  /** An engine whose summariser has something happen during its first call. */
  async function during(happens: (place: TestScope) => Promise<unknown>) {
    const opened: TestScope[] = []
    const summariser = scriptedSummariser(async (call) => {
      const [place] = opened
      if (call === 1 && place !== undefined) await happens(place)
      return `told ${call}`
    })
    const place = await open(summariser)
    opened.push(place)
    await finish(place)
    return { asked: summariser.asked, told: (await summaries(place)).map(({ text }) => text) }
  }

  it('has it written again when one of its turns was dropped', async () => {
    const { asked, told } = await during((place) => drop(place, 'u3'))
    expect(asked.map(({ sources }) => sources.map(({ turn }) => turn))).toEqual([['t3', 't4'], ['t4']])
    expect(told).toEqual(['told 2'])
  })

  it('has it written again when something was erased', async () => {
    const { asked, told } = await during((place) =>
      eraseTarget(place.engine, resolvedIn(place), { turns: ['t1'] }),
    )
    expect([asked.length, told]).toEqual([2, ['told 2']])
  })

  it('keeps what was bought when somebody else changed something, or told another session', async () => {
    const { asked, told } = await during(async (place) => {
      await drop(place, 'u1')
      await readTo(place, { summaries: 1 })
    })
    expect([asked.length, told]).toEqual([1, ['told 1']])
  })
})

describe('the end of a session', () => {
  it('forgets nothing then where the preset forgets under a capacity', async () => {
    const place = await open(
      scriptedSummariser(() => null),
      { retention: { when: 'capacity', memories: 0 } },
    )
    const events = listen(place, 'session-ended')
    await finish(place)
    expect(events).toMatchObject([{ forgotten: [] }])
  })

  it('is nobody else’s to note when another process did', async () => {
    const place = await open(scriptedSummariser(() => 'They met.'))
    await decideAndCommit(place.engine, place.row, () => undefined, { finishJobs: ['end'] })
    const events = listen(place, 'session-ended')
    await finish(place)
    expect(events).toEqual([])
    const { engine, row } = place
    expect(
      (await engine.store.listSessions({ userId: row.owner, scopes: [row.scope] })).at(-1),
    ).toMatchObject({ endedAt: null })
  })

  it('finishes the job of a session that is not there', async () => {
    const place = await open(scriptedSummariser(() => 'They met.'))
    await finish(place, 'gone')
    expect(await place.engine.store.listJobs()).toEqual([])
  })
})
