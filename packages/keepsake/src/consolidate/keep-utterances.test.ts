import { describe, expect, it } from 'vitest'
import { makeMemory } from '../memories/memory-fixture.ts'
import type { UtteranceBranch } from '../presets/preset.ts'
import type { Turn } from '../turns/turn.ts'
import { openEngine, storedMemories, storeTurns, type TestScope } from '../work/engine-fixture.ts'
import { keepUtterances } from './keep-utterances.ts'

const ANSWER: UtteranceBranch = { kind: 'utterances', order: 'answer' }

/** An engine whose signals cost nothing: how long a text is. */
async function open(...turns: Partial<Turn>[]): Promise<TestScope> {
  const length = (text: string) => text.length
  const place = await openEngine({
    arousal: { id: 'test/length', arousal: (texts) => texts.map(length) },
    surprise: { id: 'test/length', surprise: length },
    importance: { id: 'test/length', importance: length },
  })
  await storeTurns(place, ...turns)
  return place
}

/** Keeps what is complete. @returns positions of the turns of each utterance so far, and how far the branch got */
async function keep(place: TestScope, branch = ANSWER, ending: string | null = null) {
  const { engine, row } = place
  const hasWorked = await keepUtterances(engine, row, branch, {
    endingSession: ending,
    upTo: Number.POSITIVE_INFINITY,
  })
  const kept = (await storedMemories(place)).map(({ evidence }) =>
    evidence.map(({ turn }) => Number(turn.slice(1))),
  )
  const { branches } = (await engine.users.load(row.owner)).progress(row.scope)
  return { hasWorked, kept, reached: branches['utterances'] ?? 0 }
}

const agent = (traits: Partial<Turn> = {}) => ({ role: 'assistant', ...traits }) as const
const tool = { role: 'other' } as const
const user = (traits: Partial<Turn> = {}) => traits
const NOTHING = { hasWorked: false, kept: [], reached: 0 }
const counted = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => [from + at])

describe('a round', () => {
  it('is kept when it is complete, and how far the branch got is noted', async () => {
    expect(await keep(await open(agent(), user(), agent()))).toEqual({
      hasWorked: true,
      kept: [[1, 2]],
      reached: 2,
    })
    expect(await keep(await open(agent()))).toEqual(NOTHING)
    expect(await keep(await open())).toEqual(NOTHING)
  })

  it('is complete with the agent’s reply where the preset pairs it so', async () => {
    const reply: UtteranceBranch = { ...ANSWER, order: 'reply' }
    expect(await keep(await open(user(), agent(), user()), reply)).toMatchObject({
      kept: [[1, 2]],
      reached: 2,
    })
  })

  it('that waits holds back what came after it', async () => {
    expect(await keep(await open(agent(), tool))).toEqual(NOTHING)
    expect(await keep(await open(tool, agent(), tool))).toMatchObject({ kept: [[1]], reached: 1 })
    expect(await keep(await open(agent(), tool, user()))).toMatchObject({ kept: [[2], [1, 3]], reached: 3 })
  })

  it('is closed by the end of its session, and by nobody else’s', async () => {
    const turns = [user(), agent()]
    expect(await keep(await open(...turns), ANSWER, 's1')).toMatchObject({ kept: [[1], [2]], reached: 2 })
    expect(await keep(await open(...turns), ANSWER, 's2')).toMatchObject({ kept: [[1]], reached: 1 })
  })

  it('is closed by a silence of 256 turns', async () => {
    const silent = (count: number) => Array.from({ length: count }, () => agent())
    expect(await keep(await open(...silent(255)))).toEqual(NOTHING)
    expect(await keep(await open(...silent(256)))).toEqual({
      hasWorked: true,
      kept: [counted(1, 256).flat()],
      reached: 256,
    })
  })
})

describe('rounds that are kept together', () => {
  const three: UtteranceBranch = { ...ANSWER, every: 3 }

  it('wait until there are as many as the preset says', async () => {
    expect(await keep(await open(user(), user()), three)).toEqual(NOTHING)
    expect(await keep(await open(user(), user(), user()), three)).toMatchObject({ reached: 3 })
  })

  it('wait no longer when a session among them ends', async () => {
    expect(await keep(await open(user(), user({ session: 's2' })), three, 's1')).toMatchObject({ reached: 2 })
    expect(await keep(await open(user(), user()), three, 's2')).toEqual(NOTHING)
  })

  it('wait no longer than 256 turns', async () => {
    const spoken = Array.from({ length: 254 }, () => agent())
    expect(await keep(await open(...spoken, user()), three)).toEqual(NOTHING)
    expect(await keep(await open(...spoken, user(), agent()), three)).toMatchObject({ reached: 255 })
  })

  it('are 64 at a time', async () => {
    const place = await open(...Array.from({ length: 70 }, () => user()))
    expect(await keep(place)).toEqual({ hasWorked: true, kept: counted(1, 64), reached: 64 })
    expect(await keep(place)).toEqual({ hasWorked: true, kept: counted(1, 70), reached: 70 })
    expect(await keep(place)).toMatchObject({ hasWorked: false, reached: 70 })
  })

  it('are more where a round began before the last of them, so that none is left behind', async () => {
    const spoken = Array.from({ length: 63 }, () => user())
    const { kept, reached } = await keep(await open(...spoken, agent(), tool, user(), user()))
    expect(kept.slice(63)).toEqual([[65], [64, 66]])
    expect(reached).toBe(66)
  })

  it('put each turn in just one, a round whole, wherever a batch ends', async () => {
    const place = await open(...Array.from({ length: 200 }, () => [agent(), tool, user()]).flat())
    let known = await keep(place)
    while (known.hasWorked) known = await keep(place)
    const rounds = Array.from({ length: 200 }, (_, round) => [3 * round + 1, 3 * round + 3])
    expect(known.kept.filter(({ length }) => length === 2)).toEqual(rounds)
    expect(known.kept.flat().toSorted((one, other) => one - other)).toEqual(counted(1, 600).flat())
  })
})

describe('what is kept', () => {
  it('is an utterance with what was measured of it, of its last turn’s session, round and time', async () => {
    const place = await open(
      user(),
      agent({ session: 's2' }),
      user({ session: 's2', text: 'In Lyon.', at: 900 }),
    )
    await keep(place)
    const [, memory] = await storedMemories(place)
    const evidence = ['t2', 't3'].map((turn) => ({ turn, quote: null }))
    expect(memory).toEqual(
      makeMemory({
        id: memory?.id ?? '',
        text: '',
        evidence,
        validFrom: 900,
        learnedAt: 900,
        session: 's2',
        sessionNumber: 2,
        round: 2,
        signals: { arousal: 8, surprise: 8, importance: 8 },
        use: { lastSession: 2, lastAt: 900 },
        origin: { preset: 'keepsake', step: 'pair/1', promptVersion: null, model: null },
      }),
    )
  })

  it('is the word of whoever speaks in it, the user before all', async () => {
    const place = await open(agent(), user(), tool, agent())
    await keep(place, ANSWER, 's1')
    expect((await storedMemories(place)).map(({ label }) => label)).toEqual([
      'user-stated',
      'other',
      'agent-stated',
    ])
  })
})

describe('an utterance', () => {
  const named = { speaker: 'Ana', at: 20 }
  const bot = agent({ speaker: 'Bot', at: 10 })

  it.each<[string, Partial<Turn>[], string]>([
    ['the user, by name, wherever they stand', [bot, named], 'Ana'],
    ['the user', [bot, user()], 'user'],
  ])('is about %s', async (_, turns, subject) => {
    const place = await open(...turns)
    await keep(place)
    expect(await storedMemories(place)).toMatchObject([
      {
        form: 'utterance',
        subject,
        text: '',
        label: 'user-stated',
        evidence: [
          { turn: 't1', quote: null },
          { turn: 't2', quote: null },
        ],
      },
    ])
  })
})
