import { describe, expect, it } from 'vitest'
import type { RecalledEvidence } from '../retrieval/recall-types.ts'
import { estimateTokens, findTerms } from '@keepsake/text'
import { tellExchange } from './tell-exchange.ts'

type Said = readonly [role: 'user' | 'agent', text: string | null, score?: number]

function tell(said: readonly Said[], question = '', asksAgent = false): string {
  const evidence = said.map(([role, text, score = 0], place): RecalledEvidence => ({
    turn: `t${place}`,
    session: 's',
    role,
    speaker: null,
    at: place,
    timeZone: null,
    text,
    metadata: null,
    score,
  }))
  const terms = new Set(findTerms(question))
  return tellExchange({ evidence }, { terms, asksAgent, tokens: 100, countTokens: estimateTokens })
}

describe('tellExchange', () => {
  it('tells the user’s words, and not what the agent said before them', () => {
    const exchange = [
      ['agent', 'What a day! How did the job interview at the bakery go in the end?'],
      ['user', 'I start on Monday at the mill bakery, early shift, two euros more an hour.', 2],
    ] as const
    expect(tell(exchange, 'Where do I work?')).toBe(
      'user: "I start on Monday at the mill bakery, early shift, two euros more an hour."',
    )
  })

  it('tells the question as well, and of the agent’s turn no more than that, where the answer says little by itself', () => {
    const exchange = [
      ['agent', 'I am glad. Take your time. How many kilometres did you run?'],
      ['user', 'Twenty, can you believe it', 2],
    ] as const
    expect(tell(exchange, 'How far did I run?')).toBe(
      'agent: "How many kilometres did you run?" / user: "Twenty, can you believe it"',
    )
  })

  it('tells what the agent said where that is what was asked about', () => {
    const exchange = [
      ['agent', 'You could read Middlemarch next.', 2],
      ['user', 'I shall look for it in the library on the corner tomorrow morning.', 1],
    ] as const
    expect(tell(exchange, 'Which book did you recommend?', true)).toContain('Middlemarch')
    expect(tell(exchange, 'Where will I look for it?')).not.toContain('Middlemarch')
  })

  it('marks what the agent states of the user and nothing of theirs stands beside', () => {
    expect(tell([['agent', 'Your sister lives in Porto, so you will see her often.', 2]])).toBe(
      'agent (unconfirmed): "Your sister lives in Porto, so you will see her often."',
    )
    expect(tell([['agent', '你妹妹住在大理，你常去看她吧。']])).toMatch(/^agent \(unconfirmed\): /)
    expect(tell([['agent', 'I promise to send the recipe on Friday.', 2]])).toBe(
      'agent: "I promise to send the recipe on Friday."',
    )
    expect(tell([['agent', 'Does your sister live in Porto?', 2]])).toMatch(/^agent: /)
  })

  it('is empty where nothing may be shown', () => {
    expect(tell([['user', null]])).toBe('')
  })
})
