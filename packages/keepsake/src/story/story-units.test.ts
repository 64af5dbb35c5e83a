import { InvalidInputError } from '@keepsake/text'
import { describe, expect, it } from 'vitest'
import { makeCandidate } from '../memories/memory-fixture.ts'
import type { Round } from '../turns/rounds.ts'
import { makeTurn } from '../turns/turn-fixture.ts'
import { planUnits, rawUnit, sourcesOfTurns, sourcesOfUnits, summaryUnit } from './story-units.ts'
import { scriptedSummariser } from './summariser-fixture.ts'

const TURNS = [
  makeTurn({ id: 't1', text: 'I keep bees.', at: 10, speaker: 'Ana', timeZone: 'UTC' }),
  makeTurn({ id: 't2', text: 'How many?', at: 20, role: 'assistant' }),
]
const turnOf = (id: string) => TURNS.find((turn) => turn.id === id)
const STORY = { form: 'story', type: 'event', text: '', evidence: [], validFrom: 10 } as const

describe('the units of a story', () => {
  it('are raw: the turns of their rounds, whole', () => {
    const rounds = TURNS.map((turn, at) => ({ number: at + 1, turns: [turn] }))
    expect(rawUnit(rounds)).toEqual(
      makeCandidate({ ...STORY, level: 1, evidence: ['t1', 't2'].map((turn) => ({ turn, quote: null })) }),
    )
    expect(rawUnit([])).toMatchObject({ evidence: [], validFrom: 0 })
  })

  it('are summaries, as long as their level may be', async () => {
    const summariser = scriptedSummariser(() => 'Ana keeps bees.')
    const made = await summaryUnit({ level: 2, at: 10 }, sourcesOfTurns(TURNS), summariser, {
      before: 'Once.',
    })
    expect(made).toEqual(
      makeCandidate({
        ...STORY,
        level: 2,
        text: 'Ana keeps bees.',
        evidence: ['t1', 't2'].map((turn) => ({ turn, quote: null })),
      }),
    )
    expect(summariser.asked).toMatchObject([{ maxCharacters: 900, before: 'Once.' }])
  })

  it.each([null, 'unsafe'])('are none where the summariser says %j', async (told) => {
    expect(
      await summaryUnit(
        { level: 2, at: 10 },
        [],
        scriptedSummariser(() => told),
      ),
    ).toBeNull()
  })
})

describe('what a summary is made of', () => {
  it('is turns as they were said', () => {
    expect(sourcesOfTurns(TURNS)).toEqual([
      { turn: 't1', text: 'I keep bees.', role: 'user', speaker: 'Ana', at: 10, timeZone: 'UTC' },
      { turn: 't2', text: 'How many?', role: 'assistant', speaker: null, at: 20, timeZone: null },
    ])
  })

  it('is the sentences that lower units kept, a whole turn where one quotes nothing, and nothing erased', () => {
    const evidence = [
      { turn: 't1', quote: 'bees' },
      { turn: 't2', quote: null },
      { turn: 'erased', quote: 'x' },
    ]
    const unit = { text: 'Ana keeps bees.', evidence, validFrom: 10 }
    expect(sourcesOfUnits([unit], turnOf).map(({ turn, text }) => [turn, text])).toEqual([
      ['t1', 'bees'],
      ['t2', 'How many?'],
    ])
  })

  it('is the words of lower units that a model told, where those are read', () => {
    const evidence = [
      { turn: 't1', quote: null },
      { turn: 't2', quote: null },
    ]
    const units = [
      { text: 'Ana keeps bees.', evidence, validFrom: 10 },
      { text: '', evidence: evidence.slice(1), validFrom: 20 },
      { text: 'Lost.', evidence: [], validFrom: 30 },
    ]
    expect(sourcesOfUnits(units, turnOf, 'texts')).toEqual([
      { turn: 't1', text: 'Ana keeps bees.', role: 'other', speaker: null, at: 10, evidence },
      { turn: 't2', text: 'How many?', role: 'assistant', speaker: null, at: 20, timeZone: null },
    ])
  })
})

const rounds = (count: number, from = 1): Round[] =>
  Array.from({ length: count }, (_, index) => ({
    number: from + index,
    turns: [makeTurn({ id: `t${from + index}` })],
  }))

describe('planUnits', () => {
  it('makes a unit every six rounds and a summary every thirty', () => {
    const plans = planUnits([], rounds(31), [6, 5, 5])
    expect(plans.map((plan) => plan.level)).toEqual([1, 1, 1, 1, 1, 2])
    expect(plans.at(-1)).toMatchObject({ units: ['new:0', 'new:1', 'new:2', 'new:3', 'new:4'] })
  })

  it('goes on from the units that are made, on every level', () => {
    const made = ['a', 'b', 'c'].map((ref) => ({ ref, level: 1 }))
    expect(planUnits([...made, { ref: 'd', level: 2 }], rounds(3), [2, 2, 2])).toEqual([
      { ref: 'new:0', level: 1, rounds: rounds(2) },
      { ref: 'new:1', level: 2, units: ['c', 'new:0'] },
      { ref: 'new:2', level: 3, units: ['d', 'new:1'] },
    ])
  })

  it.each([[[]], [[0]], [[2.5]], [[2, 0]]])('refuses the thresholds %j', (thresholds) => {
    const refused = new InvalidInputError(
      `A story's thresholds are whole numbers from 1, one a level; not [${thresholds.join(', ')}].`,
    )
    expect(() => planUnits([], [], thresholds)).toThrow(refused)
  })

  it('piles up units that were made elsewhere', () => {
    const made = ['a', 'b', 'c', 'd', 'e'].map((ref) => ({ ref, level: 1 }))
    expect(planUnits(made, [], [9, 2, 2])).toEqual([
      { ref: 'new:0', level: 2, units: ['a', 'b'] },
      { ref: 'new:1', level: 2, units: ['c', 'd'] },
      { ref: 'new:2', level: 3, units: ['new:0', 'new:1'] },
    ])
    expect(planUnits(made.slice(0, 1), [], [9, 2, 2])).toEqual([])
    expect(planUnits([{ ref: 'x', level: 2 }, ...made.slice(0, 3)], [], [9, 2])).toEqual([])
  })
})
