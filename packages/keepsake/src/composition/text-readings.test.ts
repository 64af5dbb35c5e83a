import { describe, expect, it, vi } from 'vitest'
import { markTerms } from './mark-terms.ts'
import { TextReadings } from './text-readings.ts'

describe('TextReadings', () => {
  it('asks of each text once, whatever the answer', () => {
    const readings = new TextReadings()
    const ask = vi.fn((text: string) => text.startsWith('y'))
    for (const text of ['yes', 'no', 'yes', 'no'])
      expect(readings.read('unspoken', text, ask)).toBe(text === 'yes')
    expect(ask).toHaveBeenCalledTimes(2)
  })

  it('tells one reading of a text from another', () => {
    const readings = new TextReadings()
    expect(readings.read('unspoken', 'a', () => true)).toBe(true)
    expect(readings.read('elliptic', 'a', () => false)).toBe(false)
    expect(readings.read('claims', 'a', () => true)).toBe(true)
    const never = (): boolean => expect.unreachable()
    expect(readings.read('unspoken', 'a', never)).toBe(true)
    expect(readings.read('elliptic', 'a', never)).toBe(false)
    expect(readings.read('claims', 'a', never)).toBe(true)
  })

  it('holds so many texts and no more, and asks again of one that it let go', () => {
    const readings = new TextReadings()
    for (let at = 0; at < 5_000; at += 1) readings.read('unspoken', `text ${at}`, () => false)
    const held = readings.bytes
    readings.read('unspoken', 'one more', () => false)
    expect(readings.bytes).toBe(held)
    expect(readings.read('unspoken', 'text 0', () => true)).toBe(true)
  })

  it('makes the mark of each text once, one of nothing too, beside what else was read of it', () => {
    const readings = new TextReadings()
    readings.read('claims', 'a', () => true)
    const mark = markTerms(Array.from({ length: 200 }, (_, at) => `word${at}`))
    expect(readings.mark('a', () => mark)).toBe(mark)
    expect(readings.mark('b', () => 0)).toBe(0)
    const never = (): number => expect.unreachable()
    expect(readings.mark('a', never)).toBe(mark)
    expect(readings.mark('b', never)).toBe(0)
    expect(readings.read('claims', 'a', () => false)).toBe(true)
  })
})
