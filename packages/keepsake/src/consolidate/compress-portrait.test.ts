import { describe, expect, it } from 'vitest'
import { ASKED_TO_FORGET } from '../memories/delete-memory.ts'
import { makeFact, makeMemory, ORIGIN, type MemoryTraits } from '../memories/memory-fixture.ts'
import type { Memory } from '../memories/memory.ts'
import { scriptedModel } from '../models/adapters/scripted-language-model.ts'
import { scriptedCompressor, type ScriptedCompressor } from '../portrait/compressor-fixture.ts'
import { keepsake } from '../presets/keepsake.ts'
import type { PortraitBranch } from '../presets/preset.ts'
import {
  openEngine,
  readTo,
  storedMemories,
  storeMemories,
  storeTurns,
  type TestScope,
} from '../work/engine-fixture.ts'
import { decideAndCommit } from '../work/unit-of-work.ts'
import { compressPortrait } from './finish-session.ts'

const whole = (...turns: string[]) => turns.map((turn) => ({ turn, quote: null }))
const summary = (id: string, traits: MemoryTraits = {}) =>
  makeMemory({ id, form: 'summary', text: id, evidence: whole('t1'), ...traits })
const portrait = (traits: MemoryTraits = {}) =>
  makeMemory({ id: 'known', form: 'portrait', type: 'persona', text: 'Ana keeps bees.', ...traits })

/** Three turns in session s1 and one in s2, with these memories. */
async function open(
  compressor: ScriptedCompressor,
  memories: Memory[] = [],
  every?: number,
  leastTurns?: number,
) {
  const branch: PortraitBranch = {
    kind: 'portrait',
    compressor,
    ...(every === undefined ? {} : { every }),
    ...(leastTurns === undefined ? {} : { leastTurns }),
  }
  const place = await openEngine({ preset: { ...keepsake(), branches: [branch] } })
  await storeTurns(place, { at: 10 }, { at: 20 }, { at: 30, role: 'assistant' }, { session: 's2', at: 40 })
  await storeMemories(place, ...memories)
  return place
}

async function compress({ engine, row }: TestScope, session = 's2') {
  const known = (await engine.store.listSessions({ userId: row.owner, scopes: [row.scope] })).find(
    ({ id }) => id === session,
  )
  if (known === undefined) throw new Error('there is no such session')
  await compressPortrait(engine, row, known)
}

const portraits = async (place: TestScope) =>
  (await storedMemories(place)).filter(({ form }) => form === 'portrait')
const change = ({ engine, row }: TestScope, id: string, after: Partial<Memory>) =>
  decideAndCommit(engine, row, ({ changes }) => void changes.change('modify', id, after, ORIGIN))

describe('a portrait', () => {
  it('is made of all that was told of sessions, oldest first, and of the talk', async () => {
    const compressor = scriptedCompressor('whole', () => 'Ana keeps bees.')
    const place = await open(compressor, [
      summary('late', { validFrom: 20, evidence: whole('t3', 't1') }),
      summary('early', { validFrom: 10, evidence: whole('t1', 't2') }),
      summary('gone', { status: 'deleted' }),
      summary('told', { form: 'story', level: 1, validFrom: 30, evidence: [] }),
      summary('raw', { form: 'story', level: 1, text: '' }),
      summary('above', { form: 'story', level: 2 }),
      makeFact({ id: 'fact', level: 1 }),
    ])
    await compress(place)
    expect(compressor.asked).toMatchObject([
      {
        previous: null,
        sessions: [{ id: 'early' }, { id: 'late' }, { id: 'told' }],
        turns: [{ id: 't4' }],
        ask: null,
      },
    ])
    const [made] = await portraits(place)
    expect(made).toEqual(
      portrait({
        id: made?.id ?? '',
        label: 'other',
        evidence: whole('t1', 't2', 't3'),
        sources: ['early', 'late', 'told'],
        validFrom: 40,
        learnedAt: 40,
        session: 's2',
        sessionNumber: 2,
        round: 3,
        use: { lastSession: 2, lastAt: 40 },
        origin: { preset: 'keepsake', step: 'test/compressor', promptVersion: 'compress/2', model: null },
      }),
    )
  })

  it('rests on the talk itself where nothing was told of sessions', async () => {
    const place = await open(scriptedCompressor('incremental', () => 'Ana keeps bees.'))
    await compress(place)
    expect(await portraits(place)).toMatchObject([{ evidence: whole('t4'), sources: [] }])
  })

  it('is made by a language model where there is one', async () => {
    const compressor = scriptedCompressor('whole', () => 'Ana keeps bees.')
    const preset = { ...keepsake(), branches: [{ kind: 'portrait', compressor } as const] }
    const place = await openEngine({ preset, model: scriptedModel([]) })
    await storeTurns(place, { session: 's2' })
    await compress(place)
    expect(compressor.asked[0]?.ask?.model).toBe('scripted/model')
  })

  it.each([null, '', ' \n'])('is not made of an answer that is %j', async (answer) => {
    const compressor = scriptedCompressor('whole', () => answer)
    const place = await open(compressor, [summary('a')])
    await compress(place)
    expect([compressor.asked.length, await portraits(place)]).toEqual([1, []])
  })

  it('is not made where the preset makes none', async () => {
    const place = await openEngine()
    await storeTurns(place, { session: 's2' })
    await compress(place)
    expect(await portraits(place)).toEqual([])
  })
})

describe('a portrait that is known', () => {
  const known = portrait({
    evidence: whole('t2'),
    sources: ['a'],
    validFrom: 20,
    sessionNumber: 1,
    learnedAt: 20,
  })

  it('is gone on from with what is new, or made anew of everything', async () => {
    const older = { ...known, id: 'older', text: 'Ana keeps wasps.', sources: ['a', 'b'], validFrom: 10 }
    const memories = [
      known,
      older,
      summary('a', { validFrom: 10 }),
      summary('b', { validFrom: 20, evidence: whole('t3') }),
    ]
    for (const [mode, previous, sessions] of [
      ['incremental', 'Ana keeps bees.', ['b']],
      ['whole', null, ['a', 'b']],
    ] as const) {
      const compressor = scriptedCompressor(mode, () => 'Ana keeps goats.')
      const place = await open(compressor, memories)
      await compress(place)
      expect(compressor.asked.map((one) => [one.previous, one.sessions.map(({ id }) => id)])).toEqual([
        [previous, sessions],
      ])
      expect(await portraits(place)).toMatchObject([
        { id: 'known', validUntil: 40 },
        { id: 'older', validUntil: null },
        {
          text: 'Ana keeps goats.',
          evidence: whole('t2', 't1', 't3'),
          sources: ['a', 'b'],
          validUntil: null,
        },
      ])
      const { engine, row } = place
      const log = await engine.store.listOperations({ userId: row.owner, afterSequence: memories.length })
      expect(log.map(({ kind }) => kind)).toEqual(['modify', 'add'])
      expect((await engine.users.load(row.owner)).progress(row.scope).branches).toEqual({ portrait: 4 })
    }
  })

  it('ends no sooner than it began', async () => {
    const place = await open(
      scriptedCompressor('whole', () => 'new'),
      [{ ...known, validFrom: 99 }, summary('b')],
    )
    await compress(place)
    expect((await portraits(place))[0]).toMatchObject({ id: 'known', validUntil: 99 })
  })

  it('is made anew once there is as much that it does not know as the preset says', async () => {
    const asked = async (every: number | undefined, ...memories: Memory[]) => {
      const compressor = scriptedCompressor('incremental', () => 'new')
      await compress(await open(compressor, [known, ...memories], every))
      return compressor.asked.length
    }
    const [a, b, c] = [summary('a'), summary('b'), summary('c')]
    expect([await asked(undefined, a), await asked(undefined, a, b)]).toEqual([0, 1])
    expect([await asked(2, a, b), await asked(2, a, b, c)]).toEqual([0, 1])
  })

  it('waits until what it does not know rests on as many turns as the preset says', async () => {
    const fresh = [summary('b', { evidence: whole('t2') }), summary('c', { evidence: whole('t3', 't4') })]
    const asked = async (leastTurns: number) => {
      const compressor = scriptedCompressor('incremental', () => 'new')
      await compress(await open(compressor, [known, summary('a'), ...fresh], 2, leastTurns))
      return compressor.asked.length
    }
    expect([await asked(3), await asked(4)]).toEqual([1, 0])
  })

  it('is made anew after so many sessions where nothing is told of these, or when one goes on', async () => {
    const asked = async (traits: MemoryTraits, every?: number) => {
      const compressor = scriptedCompressor('incremental', () => 'new')
      await compress(await open(compressor, [{ ...known, ...portrait(traits) }], every))
      return compressor.asked.length
    }
    expect([
      await asked({ sessionNumber: 2, learnedAt: 40 }),
      await asked({ sessionNumber: 1, learnedAt: 40 }),
    ]).toEqual([0, 1])
    expect([await asked({ sessionNumber: 1 }, 2), await asked({ sessionNumber: 0 }, 2)]).toEqual([0, 1])
    expect([
      await asked({ sessionNumber: 2, learnedAt: 39 }, 2),
      await asked({ sessionNumber: 2, learnedAt: 40 }, 2),
    ]).toEqual([1, 0])
  })
})

describe('what happens while a portrait is made', () => {
  /** An engine whose compressor has something happen during its first call. */
  async function during(
    happens: (place: TestScope) => Promise<unknown>,
    memories: Memory[] = [summary('a'), summary('b')],
  ) {
    const opened: TestScope[] = []
    const compressor = scriptedCompressor('whole', async (call) => {
      const [place] = opened
      if (call === 1 && place !== undefined) await happens(place)
      return `made ${call}`
    })
    const place = await open(compressor, memories)
    opened.push(place)
    await compress(place)
    const asked = compressor.asked.map(({ sessions, turns }) => [...sessions, ...turns].map(({ id }) => id))
    return { asked, made: (await portraits(place)).map(({ text }) => text) }
  }

  it('has it made again when something that it tells was dropped', async () => {
    expect(await during((place) => change(place, 'b', { status: 'deleted' }))).toEqual({
      asked: [
        ['a', 'b', 't4'],
        ['a', 't4'],
      ],
      made: ['made 2'],
    })
  })

  it('has it made again when the talk that it tells was', async () => {
    const fact = makeFact({ id: 'f', evidence: whole('t4') })
    const { asked, made } = await during(
      (place) => change(place, 'f', { status: 'deleted', reason: ASKED_TO_FORGET }),
      [summary('a'), fact],
    )
    expect([asked, made]).toEqual([[['a', 't4'], ['a']], ['made 2']])
  })

  it('keeps what was bought when somebody else changed something, or portraits were counted on', async () => {
    const { asked, made } = await during(async (place) => {
      await storeMemories(place, makeFact({ id: 'other' }))
      await readTo(place, { portrait: 1 })
    })
    expect([asked.length, made]).toEqual([1, ['made 1']])
  })
})
