import { describe, expect, it } from 'vitest'
import type { Candidate } from '../../memories/candidate.ts'
import { makeCandidate } from '../../memories/memory-fixture.ts'
import { scriptedAsk } from '../../models/scripted-ask-fixture.ts'
import { makeTurn } from '../../turns/turn-fixture.ts'
import { groundByModel } from './ground-by-model.ts'

const turns = [
  makeTurn({ id: 'u0', text: 'Morning!' }),
  makeTurn({ id: 'a1', role: 'assistant', text: 'You like cheese?' }),
  makeTurn({ id: 'u1', text: 'Oh I do. I moved last Friday.' }),
  makeTurn({ id: 'a2', role: 'assistant', text: 'I keep bees.' }),
  makeTurn({ id: 'u2', text: 'Nice.' }),
  ...[1, 2, 3].map((number) => makeTurn({ id: `x${number}`, text: `Far away ${number}` })),
]

const fact = (text: string, evidence: readonly string[], subject = 'user'): Candidate =>
  makeCandidate({ text, subject, evidence: evidence.map((turn) => ({ turn, quote: null })), validFrom: 0 })

const verdicts = (...given: (readonly [number, string])[]): object => ({
  verdicts: given.map(([statement, verdict]) => ({ statement, verdict, reason: 'so it is' })),
})

describe('groundByModel', () => {
  it('asks once for all, and labels by whose word it found', async () => {
    const ask = scriptedAsk(
      verdicts(
        [1, 'stated-by-user'],
        [2, 'confirmed-by-user'],
        [3, 'said-by-agent-only'],
        [4, 'said-by-agent-only'],
        [5, 'not-supported'],
      ),
    )
    const candidates = [
      fact('The user moved on 27 February.', ['u1']),
      fact('The user likes cheese.', ['a1']),
      fact('The agent keeps bees.', ['a2'], 'agent'),
      fact('The user keeps bees.', ['a2']),
      fact('The user is happy.', ['u2']),
    ]
    expect(await groundByModel(candidates, turns, ask, { language: 'en' })).toEqual([
      { outcome: 'grounded', label: 'user-stated' },
      { outcome: 'grounded', label: 'user-confirmed' },
      { outcome: 'grounded', label: 'agent-stated' },
      { outcome: 'quarantined', label: 'agent-stated', reason: 'only the agent said so: so it is' },
      { outcome: 'quarantined', label: 'user-stated', reason: 'the talk does not support it: so it is' },
    ])
    expect(ask.asked).toHaveLength(1)
  })

  it('shows the turns around the evidence, numbered as the statements name them', async () => {
    const ask = scriptedAsk(verdicts([1, 'stated-by-user']))
    await groundByModel([fact('The user is pleased.', ['u2'])], turns, ask, { language: 'en' })
    const { user } = ask.asked[0] ?? { user: '' }
    expect(user).toContain('[3] user: "Nice."')
    expect(user).toContain('(1) user [3]: "The user is pleased."')
    expect(user).not.toContain('Far away 2')
  })

  it('does not take the model’s word for a user’s where no user spoke', async () => {
    const ask = scriptedAsk(verdicts([1, 'stated-by-user'], [2, 'confirmed-by-user']))
    const alone = [makeTurn({ id: 'a2', role: 'assistant', text: 'You keep bees.' })]
    const candidates = [fact('The user keeps bees.', ['a2']), fact('The user has bees.', ['a2'])]
    expect(await groundByModel(candidates, alone, ask, { language: 'en' })).toMatchObject([
      { outcome: 'quarantined', label: 'agent-stated' },
      { outcome: 'quarantined', label: 'agent-stated' },
    ])
  })

  it('quarantines what it was given no verdict on, or two that differ', async () => {
    const ask = scriptedAsk(verdicts([2, 'stated-by-user'], [2, 'not-supported'], [7, 'stated-by-user']))
    const candidates = [fact('The user moved.', ['u1']), fact('The user left.', ['u1'])]
    expect(await groundByModel(candidates, turns, ask, { language: 'en' })).toMatchObject([
      { outcome: 'quarantined', reason: expect.stringContaining('no clear verdict') },
      { outcome: 'quarantined', reason: expect.stringContaining('no clear verdict') },
    ])
    expect(ask.asked[0]?.problems).toHaveLength(3)
  })

  it('believes as much of a statement as is borne out, in its own words', async () => {
    const part = (text: string | null) => ({
      verdicts: [{ statement: 1, reason: 'the day is not said', verdict: 'stated-in-part', text }],
    })
    const moved = fact('The user moved last Friday to the brown house.', ['u1'])
    const asked = async (text: string | null) =>
      (await groundByModel([moved], turns, scriptedAsk(part(text)), { language: 'en' }))[0]
    expect(await asked('The user moved last Friday.')).toEqual({
      outcome: 'grounded',
      label: 'user-stated',
      text: 'The user moved last Friday.',
    })
    for (const other of [
      null,
      '',
      'The user moved to Lyon.',
      'The user sold three boats, and more, and more besides.',
    ])
      expect(await asked(other)).toMatchObject({
        outcome: 'quarantined',
        reason: expect.stringContaining('only a part'),
      })
  })

  it('asks nothing for nothing', async () => {
    const ask = scriptedAsk()
    expect(await groundByModel([], turns, ask, { language: 'zh' })).toEqual([])
    expect(ask.asked).toEqual([])
  })
})
