import { describe, expect, it } from 'vitest'
import { makeCandidate } from '../memories/memory-fixture.ts'
import { makeTurn } from '../turns/turn-fixture.ts'
import {
  longestSummary,
  rawUnit,
  sourcesOfTurns,
  sourcesOfUnits,
  summaryUnit,
  toldUnit,
} from './make-story-unit.ts'
import { scriptedSummariser } from './summariser-fixture.ts'

const TURNS = [
  makeTurn({ id: 't1', text: 'I keep bees.', at: 10, speaker: 'Ana', timeZone: 'UTC' }),
  makeTurn({ id: 't2', text: 'How many?', at: 20, role: 'assistant' }),
]
const turnOf = (id: string) => TURNS.find((turn) => turn.id === id)
const STORY = { form: 'story', type: 'event', text: '', evidence: [], validFrom: 10 } as const

it('lets a summary of a level above be longer, up to an end', () => {
  expect([1, 2, 3, 4, 5, 99].map(longestSummary)).toEqual([500, 900, 1_600, 2_400, 3_200, 3_200])
})

describe('the units of a story', () => {
  it('are raw: the turns of their rounds, whole', () => {
    const rounds = TURNS.map((turn, at) => ({ number: at + 1, turns: [turn] }))
    expect(rawUnit(rounds)).toEqual(
      makeCandidate({ ...STORY, level: 1, evidence: ['t1', 't2'].map((turn) => ({ turn, quote: null })) }),
    )
    expect(rawUnit([])).toMatchObject({ evidence: [], validFrom: 0 })
  })

  it('are told while their segment was read', () => {
    const evidence = [{ turn: 't1', quote: 'bees' }]
    expect(toldUnit({ text: 'Ana keeps bees.', evidence }, 10)).toEqual(
      makeCandidate({ ...STORY, level: 1, text: 'Ana keeps bees.', evidence }),
    )
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
