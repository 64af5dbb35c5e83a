import { describe, expect, it } from 'vitest'
import { makeCandidate } from '../memories/memory-fixture.ts'
import { makeTurn } from '../turns/turn-fixture.ts'
import { utteranceCandidate } from './utterance-candidate.ts'

const SIGNALS = { arousal: 3, surprise: 10, importance: 5 }
const agent = makeTurn({ id: 't1', role: 'agent', speaker: 'Bot', at: 10 })
const user = makeTurn({ id: 't2', speaker: 'Ana', at: 20 })

describe('a round as it was said', () => {
  it('rests on its turns, whole, and is of the time of the last', () => {
    expect(utteranceCandidate([agent, user], SIGNALS)).toEqual(
      makeCandidate({
        form: 'utterance',
        type: 'event',
        subject: 'Ana',
        text: '',
        evidence: ['t1', 't2'].map((turn) => ({ turn, quote: null })),
        validFrom: 20,
        signals: SIGNALS,
      }),
    )
  })

  it.each([
    ['the user, by name, wherever they stand', [user, agent], 'Ana'],
    ['the user', [makeTurn(), agent], 'user'],
    ['who spoke last where no user did', [makeTurn({ role: 'other', speaker: 'Tool' }), agent], 'Bot'],
    ['an agent without a name', [makeTurn({ role: 'agent' })], 'agent'],
    ['nobody', [], 'other'],
  ])('is about %s', (_, round, subject) => {
    expect(utteranceCandidate(round, SIGNALS).subject).toBe(subject)
  })

  it('is of no time when there are no turns', () => {
    expect(utteranceCandidate([], SIGNALS)).toMatchObject({ validFrom: 0, evidence: [] })
  })
})
