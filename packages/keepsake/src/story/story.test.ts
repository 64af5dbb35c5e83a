import { describe, expect, it } from 'vitest'
import type { Candidate } from '../memories/candidate.ts'
import { InvalidInputError } from '../errors/invalid-input-error.ts'
import type { Round } from '../turns/rounds.ts'
import type { Role, Turn } from '../turns/turn.ts'
import { rawUnit, sourcesOfUnits, summaryUnit } from './make-story-unit.ts'
import { packUnits, type StoryUnit } from './pack-units.ts'
import { splitSentences } from '../text/split-sentences.ts'
import { extractiveSummariser } from './summarise-extractively.ts'
import { summariseSession } from './summarise-session.ts'

function turn(id: string, text: string, role: Role = 'user'): Turn {
  return { id, scope: 1, session: 's', position: 0, role, speaker: null, text, at: 5, timeZone: null }
}
const rounds = (count: number, from = 1): Round[] =>
  Array.from({ length: count }, (_, index) => ({
    number: from + index,
    turns: [turn(`t${from + index}`, 'x')],
  }))

describe('packUnits', () => {
  it('makes a unit every six rounds and a summary every thirty', () => {
    const { plans, waiting } = packUnits([], rounds(31), [6, 5, 5])
    expect(plans.map((plan) => plan.level)).toEqual([1, 1, 1, 1, 1, 2])
    expect(plans.at(-1)).toMatchObject({ units: ['new:0', 'new:1', 'new:2', 'new:3', 'new:4'] })
    expect(waiting.map((round) => round.number)).toEqual([31])
  })

  it('builds 600 rounds round by round as it would at once, making nothing twice', () => {
    const made: StoryUnit[] = []
    let waiting: readonly Round[] = []
    const childrenOf = new Map<string, number>()
    for (const round of rounds(600)) {
      const packing = packUnits(made, [...waiting, round], [6, 5, 5])
      const names = new Map<string, string>()
      for (const plan of packing.plans) {
        names.set(plan.ref, `unit${made.length}`)
        made.push({ ref: `unit${made.length}`, level: plan.level })
        if ('units' in plan)
          for (const child of plan.units) {
            const name = names.get(child) ?? child
            childrenOf.set(name, (childrenOf.get(name) ?? 0) + 1)
          }
      }
      waiting = packing.waiting
    }
    const count = (level: number): number => made.filter((unit) => unit.level === level).length
    expect([count(1), count(2), count(3)]).toEqual([100, 20, 4])
    expect([...childrenOf.values()].every((times) => times === 1)).toBe(true)
    expect(childrenOf.size).toBe(120)
  })

  it('works with other numbers of levels', () => {
    const levels = (thresholds: number[]): number[] =>
      packUnits([], rounds(16), thresholds).plans.map((plan) => plan.level)
    expect(levels([2, 2, 2, 2])).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 4])
    expect(levels([8])).toEqual([1, 1])
  })

  it('refuses thresholds that are none', () => {
    for (const thresholds of [[], [0], [2.5]])
      expect(() => packUnits([], [], thresholds)).toThrow(InvalidInputError)
  })
})

describe('splitSentences', () => {
  it('splits English and Chinese, each sentence as it stands', () => {
    const english = 'I met Dr. Grey today. We talked!  Was it late? Yes\nIt was.'
    expect(splitSentences(english).map((sentence) => sentence.text)).toEqual([
      'I met Dr. Grey today.',
      'We talked!',
      'Was it late?',
      'Yes',
      'It was.',
    ])
    expect(splitSentences('我昨天去了北京。天气很好！你呢？').map((sentence) => sentence.text)).toEqual([
      '我昨天去了北京。',
      '天气很好！',
      '你呢？',
    ])
    for (const { text, start } of splitSentences(english))
      expect(english.slice(start, start + text.length)).toBe(text)
  })
})

describe('the extractive summariser', () => {
  const summarise = async (turns: readonly Turn[], maxCharacters = 700): Promise<Candidate | null> => {
    const summary = await summariseSession(turns, extractiveSummariser(), { maxCharacters })
    if (summary === 'unsafe') throw new Error('Quotes are not judged.')
    return summary
  }
  const talk = [
    turn('1', 'Hello there!'),
    turn('2', 'How was your week?', 'agent'),
    turn('3', 'My brother Paul visited me from Oslo on Saturday. We climbed a hill near the lake.'),
    turn('4', 'That sounds lovely, climbing a hill near the lake with your brother.', 'agent'),
    turn('5', 'I started a new job at the harbour museum in March. Thanks for asking!'),
    turn('6', 'Bye!'),
  ]

  it('keeps what the user told, in order, as it was said', async () => {
    const summary = await summarise(talk, 160)
    expect(summary?.text).toContain('My brother Paul visited me from Oslo on Saturday.')
    expect(summary?.text).toContain('I started a new job at the harbour museum in March.')
    expect(summary?.text).not.toMatch(/Hello|Bye|How was/)
    expect(summary?.text.length).toBeLessThanOrEqual(160)
    for (const { turn: id, quote } of summary?.evidence ?? [])
      expect(talk.find((one) => one.id === id)?.text).toContain(quote)
    expect(summary?.text).toBe(summary?.evidence.map((one) => one.quote).join(' '))
  })

  it('does not say the same thing twice', async () => {
    const repeated = [
      turn('1', 'I bought a red bicycle in Ghent.'),
      turn('2', 'I bought a red bicycle in Ghent!'),
      turn('3', 'My aunt Vera paints large portraits of dogs.'),
    ]
    const summary = await summarise(repeated, 80)
    expect(summary?.evidence.map((one) => one.turn)).toContain('3')
  })

  it('has nothing to say of greetings', async () => {
    expect(await summarise([turn('1', 'Hi!'), turn('2', 'Bye.')])).toBeNull()
    expect(await summarise([])).toBeNull()
  })

  it('reads Chinese', async () => {
    const chinese = [turn('1', '你好！'), turn('2', '我上周和妹妹一起去了厦门看海。后来我们吃了很多海鲜。')]
    expect((await summarise(chinese))?.text).toContain('厦门')
  })

  it('summarises summaries from the sentences they kept', async () => {
    const units = [rawUnit([{ number: 1, turns: talk }])]
    expect(units[0]).toMatchObject({ form: 'story', level: 1, text: '', validFrom: 5 })
    const byId = new Map(talk.map((one) => [one.id, one]))
    const second = await summaryUnit(
      { level: 2, at: 5 },
      sourcesOfUnits(units, (id) => byId.get(id)),
      extractiveSummariser(),
    )
    const third = await summaryUnit(
      { level: 3, at: 5 },
      sourcesOfUnits(second === null ? [] : [second], (id) => byId.get(id)),
      extractiveSummariser(),
    )
    expect(second?.level).toBe(2)
    for (const one of third?.evidence ?? []) expect(second?.evidence).toContainEqual(one)
  })
})
