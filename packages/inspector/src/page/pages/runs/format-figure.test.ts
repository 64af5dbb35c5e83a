import { expect, it } from 'vitest'
import { makeFormat } from '../../words/format.ts'
import { formatDifference, formatFigure, formatRange } from './format-figure.ts'

const format = makeFormat('en')

it('writes a value in its unit', () => {
  expect(formatFigure(format, 0.2323, 'share')).toBe('23.2 %')
  expect(formatFigure(format, 0.71, 'score')).toBe('0.710')
  expect(formatFigure(format, 1_234, 'count')).toBe('1,234')
  expect(formatFigure(format, 4.2, 'milliseconds')).toBe('4.20 ms')
  expect(formatFigure(format, 90_000, 'milliseconds')).toBe('1.5 min')
})

it('writes a difference with its sign, and none where there is no difference to be seen', () => {
  expect(formatDifference(format, -0.05, 'share')).toBe('−5.0')
  expect(formatDifference(format, 0.2, 'score')).toBe('+0.200')
  expect(formatDifference(format, -0.000_01, 'share')).toBe('0.0')
  expect(formatDifference(format, -2_000_000, 'bytes')).toBe('−2 MB')
})

it('writes the unit of a range once, where both ends share it', () => {
  expect(formatRange(format, { low: 0.42, high: 0.58 }, 'share')).toBe('42.0 … 58.0 %')
  expect(formatRange(format, { low: 12, high: 1_500 }, 'milliseconds')).toBe('12 ms … 1.5 s')
  expect(formatRange(format, { low: 0.1, high: 0.2 }, 'score')).toBe('0.100 … 0.200')
})
