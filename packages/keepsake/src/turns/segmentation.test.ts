import { describe, expect, it } from 'vitest'
import type { Role, Turn } from './turn.ts'
import { pairTurns, type PairOrder, roundsOf } from './rounds.ts'
import { isNewSession } from '../remember/sessions.ts'

function talk(roles: string, session = 's'): Turn[] {
  const names: Record<string, Role> = { u: 'user', a: 'assistant', o: 'other' }
  return Array.from(roles).map((letter, position) => ({
    id: `${session}${position}`,
    scope: 1,
    session,
    position,
    role: names[letter] ?? 'other',
    speaker: null,
    text: letter,
    at: position,
    timeZone: null,
    metadata: null,
  }))
}

const shape = (pairs: readonly (readonly Turn[])[]): string =>
  pairs.map((pair) => pair.map((turn) => turn.text).join('')).join(' ')

describe('pairTurns', () => {
  it('puts what the agent said before the answer', () => {
    const { pairs, waiting } = pairTurns(talk('auaaua'), 'answer')
    expect(shape(pairs)).toBe('au aau')
    expect(shape([waiting])).toBe('a')
  })

  it('puts the reply after the user turn, and a greeting on its own', () => {
    const { pairs, waiting } = pairTurns(talk('auaau'), 'reply')
    expect(shape(pairs)).toBe('a uaa')
    expect(shape([waiting])).toBe('u')
  })

  it('lets every user turn close a unit where several people talk', () => {
    expect(shape(pairTurns(talk('uuu'), 'answer').pairs)).toBe('u u u')
    expect(shape(pairTurns(talk('uuu'), 'reply', { flush: true }).pairs)).toBe('u u u')
  })

  it('closes what waits when the session ends or another begins', () => {
    expect(shape(pairTurns(talk('ua'), 'answer', { flush: true }).pairs)).toBe('u a')
    expect(shape(pairTurns([...talk('ua', 's'), ...talk('u', 't')], 'answer').pairs)).toBe('u a u')
  })

  it('keeps tool turns apart without breaking a pair', () => {
    expect(shape(pairTurns(talk('aou'), 'answer').pairs)).toBe('o au')
  })

  it('gives the same pairs wherever the stream is cut', () => {
    const turns = talk('aauuaouauaauu')
    for (const order of ['answer', 'reply'] satisfies PairOrder[]) {
      const whole = pairTurns(turns, order, { flush: true }).pairs
      for (let cut = 0; cut <= turns.length; cut++) {
        const head = pairTurns(turns.slice(0, cut), order)
        const tail = pairTurns([...head.waiting, ...turns.slice(cut)], order, { flush: true })
        const together = [...head.pairs, ...tail.pairs]
        expect(together.flat().length).toBe(turns.length)
        expect(together.map((pair) => pair[0]?.id).sort()).toEqual(whole.map((pair) => pair[0]?.id).sort())
      }
    }
  })
})

describe('rounds', () => {
  it('are numbered from where the scope stands, without tool turns', () => {
    const { rounds } = roundsOf(talk('auoau'), 'answer', { first: 7 })
    expect(rounds.map((round) => round.number)).toEqual([7, 8])
  })
})

describe('isNewSession', () => {
  it('splits on a silence longer than the gap, not on a late arrival', () => {
    expect(isNewSession(0, 101, 100)).toBe(true)
    expect(isNewSession(0, 100, 100)).toBe(false)
    expect(isNewSession(1000, 0, 100)).toBe(false)
    expect(isNewSession(0, 1e15, Infinity)).toBe(false)
  })
})
