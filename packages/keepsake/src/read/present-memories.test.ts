import { describe, expect, it } from 'vitest'
import { makeFact, makeMemory } from '../memories/memory-fixture.ts'
import type { Memory } from '../memories/memory.ts'
import type { RecalledMemory } from '../retrieval/recall-types.ts'
import type { Turn } from '../turns/turn.ts'
import { openEngine, readTo, storeMemories, storeTurns } from '../work/engine-fixture.ts'
import type { FoundMemory } from './found-memory.ts'
import { presentMemories, withWords } from './context.ts'
import { foundAs } from './recall-fixture.ts'

interface Known {
  readonly turns: readonly Partial<Turn>[]
  readonly memories?: readonly Memory[]
  /** How far utterances were kept; all when absent. */
  readonly read?: number
  readonly asOf?: number
}

async function present({ turns, memories = [], read = turns.length, asOf }: Known, ...found: FoundMemory[]) {
  const place = await openEngine()
  await storeTurns(place, ...turns)
  await storeMemories(place, ...memories)
  await readTo(place, { utterances: read })
  const state = await place.engine.users.load(place.row.owner)
  return presentMemories(asOf ?? null, state, found).map((recalled) => withWords(state, recalled))
}

const whole = (...turns: string[]) => turns.map((turn) => ({ turn, quote: null }))
const texts = (recalled: readonly RecalledMemory[]) => recalled[0]?.evidence.map(({ text }) => text)

const BEES = { text: 'I keep bees, in Porto.', at: 1_000 }
const QUOTED = [{ turn: 't1', quote: 'I keep bees' }]
const FACT = makeFact({ id: 'fact', text: 'The user keeps bees.', evidence: QUOTED })

describe('a memory that was found', () => {
  it('is told with its score, and with its turns and who said them', async () => {
    const turn = { ...BEES, session: 's7', speaker: 'Ana', timeZone: 'Europe/Lisbon' }
    const [recalled] = await present(
      { turns: [turn] },
      { ...foundAs(FACT, 3), parts: { lexical: 1, time: 2 } },
    )
    expect(recalled).toEqual({
      memory: FACT,
      score: 3,
      parts: { lexical: 1, time: 2 },
      pending: false,
      evidence: [
        {
          turn: 't1',
          session: 's7',
          role: 'user',
          speaker: 'Ana',
          at: 1_000,
          timeZone: 'Europe/Lisbon',
          metadata: null,
          text: 'I keep bees',
          score: 0,
        },
      ],
    })
  })

  it('names the turns that were found first, and leaves out those that were erased', async () => {
    const memory = makeMemory({ id: 'u', text: '', evidence: whole('t1', 't2', 'gone', 't3') })
    const found = foundAs(memory, 9, { t2: 4, t3: 9 })
    const [recalled] = await present({ turns: [BEES, {}, {}], memories: [memory] }, found)
    expect(recalled?.evidence.map(({ turn, score }) => [turn, score])).toEqual([
      ['t3', 9],
      ['t2', 4],
      ['t1', 0],
    ])
  })

  it('has the words of its turns when it is an utterance', async () => {
    const turns = [
      { ...BEES, speaker: 'Ana' },
      { text: 'How many?', role: 'assistant' as const },
    ]
    const memory = makeMemory({ id: 'u', text: '', evidence: whole('t1', 't2') })
    const [recalled] = await present({ turns, memories: [memory] }, foundAs(memory))
    expect(recalled?.memory.text).toBe('Ana: I keep bees, in Porto.\nagent: How many?')
  })

  it('is of the time of its last turn while it waits', async () => {
    const memory = makeMemory({ id: 'pending:t1', text: '', evidence: whole('t1', 't2', 't3') })
    const turns = [BEES, { at: 1_500 }, { at: 2_000 }]
    const waiting = { ...foundAs(memory), pending: true }
    const [recalled] = await present({ turns, read: 0 }, waiting)
    expect(recalled).toMatchObject({ pending: true, memory: { learnedAt: 2_000, validFrom: 2_000 } })
    const [kept] = await present(
      { turns, memories: [memory] },
      foundAs({ ...memory, learnedAt: 5, validFrom: 5 }),
    )
    expect(kept?.memory).toMatchObject({ learnedAt: 5, validFrom: 5 })
    const lost = { ...foundAs(makeMemory({ evidence: whole('gone'), learnedAt: 5 })), pending: true }
    expect((await present({ turns }, lost))[0]?.memory.learnedAt).toBe(5)
  })
})

describe('the words of a turn', () => {
  const said = makeMemory({ id: 'said', text: '', evidence: whole('t1') })

  it('are shown whole while an utterance keeps it, or while it waits', async () => {
    expect(texts(await present({ turns: [BEES], memories: [said] }, foundAs(FACT)))).toEqual([BEES.text])
    expect(texts(await present({ turns: [BEES], read: 0 }, foundAs(FACT)))).toEqual([BEES.text])
  })

  it('are shown as far as a live memory quotes them once the utterance was forgotten', async () => {
    const forgotten = { ...said, status: 'forgotten' } as const
    expect(texts(await present({ turns: [BEES], memories: [forgotten, FACT] }, foundAs(FACT)))).toEqual([
      'I keep bees',
    ])
  })

  it('are not shown once something that rests on it was deleted, nor quoted in any version', async () => {
    const other = { turn: 't2', quote: 'And goats' }
    const past = { text: 'x', value: null, validFrom: 0, validUntil: 50, evidence: [...QUOTED, other] }
    const memory = { ...FACT, evidence: [...QUOTED, other], past: [past] }
    const deleted = { ...said, status: 'deleted' } as const
    const turns = [BEES, { text: 'And goats.' }]
    const [recalled] = await present({ turns, memories: [deleted, memory] }, foundAs(memory))
    expect(recalled?.evidence.map(({ text }) => text)).toEqual([null, 'And goats'])
    const withdrawn = [{ turn: 't1', quote: null }, other]
    expect(recalled?.memory).toEqual({
      ...memory,
      evidence: withdrawn,
      past: [{ ...past, evidence: withdrawn }],
    })
  })

  it('are shown again when a live utterance keeps the turn after all', async () => {
    const deleted = makeFact({ id: 'd', status: 'deleted', evidence: QUOTED })
    const [recalled] = await present({ turns: [BEES], memories: [deleted, said, FACT] }, foundAs(FACT))
    expect(recalled?.evidence).toMatchObject([{ text: BEES.text }])
    expect(recalled?.memory).toEqual(FACT)
  })
})

describe('what a memory said at a time that is asked about', () => {
  const version = (value: string, validFrom: number, validUntil: number) => ({
    text: `The user lives in ${value}.`,
    value,
    validFrom,
    validUntil,
    evidence: whole('t2'),
  })
  const past = [version('Rome', 100, 200), version('Oslo', 300, 500)]
  const memory = makeFact({ id: 'home', value: 'Lyon', validFrom: 500, evidence: whole('t1'), past })

  /** What is told of it, and by which turns. */
  async function at(asOf: number, of: Memory = memory) {
    const [recalled] = await present({ turns: [BEES, {}], asOf }, foundAs(of))
    return (
      recalled && [recalled.memory.value, recalled.memory.past, recalled.evidence.map(({ turn }) => turn)]
    )
  }

  it('is what it says now from when that holds', async () => {
    expect(await at(500)).toEqual(['Lyon', past, ['t1']])
    expect((await present({ turns: [BEES] }, foundAs(memory)))[0]?.memory.value).toBe('Lyon')
  })

  it('is what was so then, with the evidence of it and without what came before', async () => {
    expect(await at(100)).toEqual(['Rome', [], ['t2']])
    expect(await at(199)).toEqual(['Rome', [], ['t2']])
    expect(await at(499)).toEqual(['Oslo', [], ['t2']])
  })

  it('is otherwise the memory that it is', async () => {
    const [recalled] = await present({ turns: [BEES, {}], asOf: 150 }, foundAs(memory))
    expect(recalled?.memory).toEqual({ ...memory, ...past[0], past: [] })
  })

  it('is nothing where it said nothing, and then it is not among the found', async () => {
    expect([await at(99), await at(200), await at(299)]).toEqual([undefined, undefined, undefined])
  })

  it('is always what was said where it is an utterance', async () => {
    expect(await at(99, makeMemory({ value: 'said', validFrom: 500, evidence: whole('t1') }))).toEqual([
      'said',
      [],
      ['t1'],
    ])
  })
})
