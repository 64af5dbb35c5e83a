import { describe, expect, it } from 'vitest'
import { formatDifference, formatInterval, formatP, formatValue } from './format-figure.ts'

describe('formatValue', () => {
  it.each([
    [0.6214, 'share', '62.1'],
    [0.07249, 'score', '0.072'],
    [1_234_567, 'tokens', '1,234,567'],
    [3, 'count', '3'],
    [2.345, 'count', '2.35'],
    [0.42, 'milliseconds', '0.42 ms'],
    [1_500, 'milliseconds', '1.5 s'],
    [90_000, 'milliseconds', '1.5 min'],
    [5_400_000, 'milliseconds', '1.5 h'],
    [1_500_000, 'bytes', '1.5 MB'],
  ] as const)('writes %d as a %s: %s', (value, unit, text) => {
    expect(formatValue(value, unit)).toBe(text)
  })
})

it('parts the ends of an interval by a dash, and by a word where a minus could be read as one', () => {
  expect(formatInterval({ low: 0.1, high: 0.2 }, 'share')).toBe('10.0–20.0')
  expect(formatInterval({ low: -0.1, high: 0.2 }, 'share')).toBe('−10.0 to 20.0')
})

it('gives a difference its sign, and nothing none', () => {
  expect(formatDifference(0.031, 'share')).toBe('+3.1')
  expect(formatDifference(-0.031, 'share')).toBe('−3.1')
  expect(formatDifference(-0.00001, 'share')).toBe('0.0')
})

it('writes a small p as a bound', () => {
  expect([formatP(0.0312), formatP(0.0004)]).toEqual(['0.031', '<0.001'])
})
