import { assert, constantFrom, property, string } from 'fast-check'
import { expect, it } from 'vitest'
import { escapeNul, unescapeNul } from './escape-nul.ts'

const hostile = string({ unit: constantFrom('\0', '\u0010', '0', 'a', '👩', '\u0011'), maxLength: 12 })

it('gives back every text, and lets none through that holds a NUL', () => {
  assert(
    property(hostile, (text) => {
      const kept = escapeNul(text)
      expect(kept).not.toContain('\0')
      expect(unescapeNul(kept)).toBe(text)
    }),
  )
})

it('keeps different texts different, so that ids are compared as they are kept', () => {
  assert(
    property(hostile, hostile, (one, other) => {
      expect(escapeNul(one) === escapeNul(other)).toBe(one === other)
    }),
  )
})
