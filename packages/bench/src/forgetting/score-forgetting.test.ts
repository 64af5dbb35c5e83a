import { describe, expect, it } from 'vitest'
import type { ForgettingTalk } from './forgetting-talk.ts'
import type { ForgettingSystem } from './forgetting-system.ts'
import { agreementAmongPeople, scoreForgetting, scoreSession } from './score-forgetting.ts'
import { talkOf, unitOf } from './testing/sample-talk.ts'

/** Makes a unit with the marks of the annotators. `110`: the first two marked it. */
const marked = (id: string, session: number, marks: string) =>
  unitOf(id, session, { marked: marks.split('').map((mark) => mark === '1') })

/** Two sessions of two units. After the first there is a question about a, after the second one about d, and one question has no answer. */
const talk: ForgettingTalk = {
  ...talkOf(
    'Ana',
    [marked('a', 1, '110'), marked('b', 1, '001'), marked('c', 2, '100'), marked('d', 2, '011')],
    [
      { text: 'about a', session: 1, correct: new Set(['a']) },
      { text: 'about d', session: 2, correct: new Set(['d', 'b']) },
      { text: 'about nothing', session: 2, correct: new Set() },
    ],
  ),
  evidence: 'by-words',
}

describe('scoreSession', () => {
  it('counts questions and units of the sessions so far only', () => {
    const score = scoreSession(talk, 1, new Set(['a']), new Map([['about a', ['a']]]))
    expect(score).toMatchObject({ made: 2, kept: 1, recall: 1, precision: 1, 'hit@2': 1 })
    // annotators 1 and 2 marked a, annotator 3 did not: (1 + 1 + 0) / 3
    expect(score.agreement).toBeCloseTo(2 / 3, 12)
  })

  it('leaves out questions that no unit answers, and finds what is kept of the others', () => {
    const rankings = new Map([
      ['about a', ['c', 'b']],
      ['about d', ['c', 'b']],
    ])
    const score = scoreSession(talk, 2, new Set(['b', 'c']), rankings)
    // answerable: a (not kept), d (answered by b too, kept): 1/2. Kept: b correct, c not: 1/2.
    expect(score).toMatchObject({ kept: 2, recall: 0.5, precision: 0.5, 'hit@2': 0.5 })
    // b: marked by the third; c: by the first: shares 1/2, 0, 1/2
    expect(score.agreement).toBeCloseTo(1 / 3, 12)
  })

  it('looks at the best two only', () => {
    const score = scoreSession(talk, 2, new Set(['b', 'c', 'd']), new Map([['about d', ['a', 'c', 'd']]]))
    expect(score['hit@2']).toBe(0)
  })

  it('tells of whole answers only where the data names its evidence', () => {
    const kept = new Set(['a', 'd'])
    expect(scoreSession(talk, 2, kept, new Map()).recall_all).toBeNull()
    // a is kept; of d and b only d
    const named = scoreSession({ ...talk, evidence: 'named' }, 2, kept, new Map())
    expect(named).toMatchObject({ recall: 1, recall_all: 0.5 })
  })

  it('makes up no agreement where nobody marked anything', () => {
    const unmarked = { ...talk, units: talk.units.map((unit) => ({ ...unit, marked: [] })) }
    expect(scoreSession(unmarked, 2, new Set(['a']), new Map()).agreement).toBeNull()
    expect(agreementAmongPeople(unmarked)).toEqual([])
  })
})

describe('agreementAmongPeople', () => {
  it('is the share of one annotator’s marks that another made too', () => {
    // session 1: 1→2: 1, 1→3: 0, 2→1: 1, 2→3: 0, 3→1: 0, 3→2: 0
    // session 2: 1→2: 0, 1→3: 0, 2→1: 0, 2→3: 1, 3→1: 0, 3→2: 1
    expect(agreementAmongPeople(talk)).toEqual([1, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 1])
  })
})

describe('scoreForgetting', () => {
  const calls: string[] = []
  const system: ForgettingSystem = {
    name: 'keeps the first',
    start: () => ({
      hear: (unit) => void calls.push(`hear ${unit.id}`),
      endSession: (session) => {
        calls.push(`end ${session}`)
        return new Set(['a'])
      },
      ask: (question) => {
        calls.push(question)
        return ['a']
      },
      close: () => void calls.push('close'),
    }),
  }

  it('goes through the sessions in order and asks what it can still answer after each', async () => {
    calls.length = 0
    const scores = await scoreForgetting(system, talk)
    const first = ['hear a', 'hear b', 'end 1', 'about a']
    const second = ['hear c', 'hear d', 'end 2', 'about a']
    expect(calls).toEqual([...first, ...second, 'close'])
    expect(scores.map((score) => [score.session, score.recall])).toEqual([
      [1, 1],
      [2, 0.5],
    ])
  })

  it('hears but does not score a first session that counts elsewhere', async () => {
    const scores = await scoreForgetting(system, { ...talk, countsFrom: 2 })
    expect(scores.map((score) => score.session)).toEqual([2])
  })

  it('closes the system when it fails', async () => {
    calls.length = 0
    const broken: ForgettingSystem = {
      name: 'broken',
      start: async () => ({
        ...(await system.start(talk)),
        endSession: () => Promise.reject(new Error('full')),
      }),
    }
    await expect(scoreForgetting(broken, talk)).rejects.toThrow('full')
    expect(calls.at(-1)).toBe('close')
  })
})
