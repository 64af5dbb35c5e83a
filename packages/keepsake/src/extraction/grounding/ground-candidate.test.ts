import { describe, expect, it } from 'vitest'
import type { Candidate } from '../../memories/candidate.ts'
import { makeCandidate } from '../../memories/memory-fixture.ts'
import { makeTurn } from '../../turns/turn-fixture.ts'
import type { Role, Turn } from '../../turns/turn.ts'
import { groundCandidate } from './ground-candidate.ts'

const turn = (id: string, role: Role, text: string, speaker: string | null = null): Turn =>
  makeTurn({ id, role, text, speaker, at: Date.UTC(2024, 4, 8) })
const fact = (text: string, evidence: Candidate['evidence'], rest: Partial<Candidate> = {}): Candidate =>
  makeCandidate({ text, evidence, validFrom: Date.UTC(2024, 4, 7), ...rest })
const stated = turn('u1', 'user', 'I live in Lyon with my sister Anna. We have 2 cats.')
const asked = turn('a1', 'assistant', 'So you live in Lyon?')

describe('groundCandidate', () => {
  it('believes what the user stated', () => {
    expect(
      groundCandidate(fact('The user lives in Lyon.', [{ turn: 'u1', quote: 'I live in Lyon' }]), [stated]),
    ).toEqual({ outcome: 'grounded', label: 'user-stated' })
  })
  it('believes what the user confirmed', () => {
    const evidence = [
      { turn: 'a1', quote: 'So you live in Lyon?' },
      { turn: 'u2', quote: null },
    ]
    for (const yes of ['Yes.', 'yeah, since May', '是的'])
      expect(
        groundCandidate(fact('The user lives in Lyon.', evidence), [asked, turn('u2', 'user', yes)]),
      ).toEqual({ outcome: 'grounded', label: 'user-confirmed' })
  })
  it('does not take another answer for a yes', () => {
    const evidence = [
      { turn: 'a1', quote: 'So you live in Lyon?' },
      { turn: 'u2', quote: null },
    ]
    for (const no of ['No, in Paris.', 'Why do you ask?', 'Not really'])
      expect(
        groundCandidate(fact('The user lives in Lyon.', evidence), [asked, turn('u2', 'user', no)]),
      ).toMatchObject({ outcome: 'quarantined', label: 'agent-stated' })
  })
  it('quarantines what the agent alone said of the user', () => {
    expect(
      groundCandidate(fact('The user lives in Lyon.', [{ turn: 'a1', quote: null }]), [asked]),
    ).toMatchObject({
      outcome: 'quarantined',
      label: 'agent-stated',
      reason: expect.stringContaining('only the agent'),
    })
  })
  it('keeps what the agent said of itself as the agent’s', () => {
    const backstory = turn('a2', 'assistant', 'I grew up in a lighthouse.', 'Mira')
    const evidence = [{ turn: 'a2', quote: null }]
    expect(
      groundCandidate(fact('The agent grew up in a lighthouse.', evidence, { subject: 'agent' }), [
        backstory,
      ]),
    ).toEqual({ outcome: 'grounded', label: 'agent-stated' })
    expect(
      groundCandidate(fact('Mira grew up in a lighthouse.', evidence, { subject: 'Mira' }), [backstory]),
    ).toEqual({ outcome: 'grounded', label: 'agent-stated' })
  })
  it.each([
    ['no evidence', [], 'names no turn'],
    ['a turn that is not there', [{ turn: 'x', quote: null }], 'turn x'],
    [
      'a quote that is not in its turn',
      [{ turn: 'u1', quote: 'I live in Paris' }],
      'quote is not in turn u1',
    ],
    ['an empty quote', [{ turn: 'u1', quote: ' ' }], 'quote is not in turn u1'],
  ])('quarantines %s', (_, evidence, reason) => {
    expect(groundCandidate(fact('The user lives in Lyon.', evidence), [stated])).toMatchObject({
      outcome: 'quarantined',
      reason: expect.stringContaining(reason),
    })
  })
  it('quarantines names and numbers that nobody said', () => {
    const evidence = [{ turn: 'u1', quote: null }]
    expect(groundCandidate(fact('The user lives in Paris.', evidence), [stated])).toMatchObject({
      reason: '"Paris" is not in its evidence',
    })
    expect(groundCandidate(fact('The user has 3 cats.', evidence), [stated])).toMatchObject({
      reason: '"3" is not in its evidence',
    })
    expect(
      groundCandidate(fact('The user has two cats and a sister, Anna.', evidence), [stated]),
    ).toMatchObject({ outcome: 'grounded' })
  })
  it.each(['Anna', 'Anna Koch', 'Anna-Lena Koch', 'Dr. Koch', 'María José Peña-Ruiz'])(
    'takes the parts of the speaker’s name for no claim: %s',
    (speaker) => {
      const said = { ...turn('u1', 'user', 'I live in Turin.'), speaker }
      const candidate = fact(`${speaker} lives in Turin.`, [{ turn: 'u1', quote: null }])
      expect(groundCandidate(candidate, [said])).toMatchObject({ outcome: 'grounded' })
    },
  )
  it('lets dates follow from the words and the time of the turn', () => {
    const yesterday = turn('u1', 'user', 'Yesterday we went to Nice.')
    expect(
      groundCandidate(fact('The user went to Nice on 7 5 2024.', [{ turn: 'u1', quote: null }]), [yesterday]),
    ).toMatchObject({ outcome: 'grounded' })
  })
  it('reads quotes across spaces, case and kinds of apostrophe', () => {
    const curly = turn('u1', 'user', 'I’m  a nurse')
    expect(
      groundCandidate(fact('The user is a nurse.', [{ turn: 'u1', quote: "I'm a nurse" }]), [curly]),
    ).toMatchObject({ outcome: 'grounded' })
  })
  it('does not believe a tool about the user', () => {
    expect(
      groundCandidate(fact('The user lives in Lyon.', [{ turn: 'o', quote: null }]), [
        turn('o', 'other', 'lives in Lyon'),
      ]),
    ).toMatchObject({ outcome: 'quarantined', label: 'other' })
  })
})
