import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { onOneLine } from './on-one-line.ts'

it('makes one space of each run of white space', () => {
  const part = fc.constantFrom(
    ' ',
    '  ',
    '\n',
    '\t',
    '\u3000',
    '\u00a0',
    '\ufeff',
    '\r\n',
    'a',
    '我',
    '🎉',
    '.',
  )
  const isAsPlain = (parts: readonly string[]): void => {
    const text = parts.join('')
    expect(onOneLine(text)).toBe(text.replace(/\s+/g, ' ').trim())
  }
  fc.assert(fc.property(fc.array(part), isAsPlain), { numRuns: 500 })
})
