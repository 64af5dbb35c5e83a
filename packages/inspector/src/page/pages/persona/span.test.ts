import { expect, it } from 'vitest'
import { spanOf } from './span.ts'

it('places a value on the line by when it held', () => {
  expect(spanOf({ from: 0, to: 200 }, { from: 100, to: 150 })).toEqual({ left: 50, width: 25 })
})

it('lets a value without an end last till now', () => {
  expect(spanOf({ from: 0, to: 200 }, { from: 150, to: Number.NaN })).toEqual({ left: 75, width: 25 })
})

it('shows a value of a moment, and one that begins only later, at all', () => {
  expect(spanOf({ from: 0, to: 200 }, { from: 100, to: 100 })).toEqual({ left: 50, width: 1 })
  expect(spanOf({ from: 0, to: 200 }, { from: 900, to: Number.NaN })).toEqual({ left: 99, width: 1 })
})
