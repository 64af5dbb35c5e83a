import { expect, it } from 'vitest'
import * as fc from 'fast-check'
import { StringTable } from './string-table.ts'

const texts = fc.uniqueArray(
  fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom('é', 'ÿ', '茶', '\ud800', '')),
  {
    maxLength: 300,
  },
)

it('gives every string its number back, and every number its string, also from an image', () => {
  fc.assert(
    fc.property(texts, fc.nat(7), (list, keep) => {
      const table = new StringTable()
      for (const [entry, text] of list.entries()) table.set(entry, text)
      for (const entry of list.keys()) if (entry % 8 > keep) table.remove(entry)
      const again = new StringTable()
      again.restore('t', table.sections('t', list.length))
      for (const one of [table, again]) {
        for (const [entry, text] of list.entries()) {
          const isKept = entry % 8 <= keep
          expect(one.find(text)).toBe(isKept ? entry : -1)
          expect(one.get(entry)).toBe(isKept ? text : undefined)
          if (isKept)
            expect([one.lengthOf(entry), one.unitAt(entry, 0)]).toEqual([text.length, text.charCodeAt(0)])
        }
        expect(one.find('nowhere to be found')).toBe(-1)
      }
      expect(again.size).toBe(table.size)
      again.set(list.length, 'one more, that was not there')
      expect(again.get(again.find('one more, that was not there'))).toBe('one more, that was not there')
    }),
  )
})

it('keeps no byte of what was removed', () => {
  const table = new StringTable()
  table.set(0, 'a secret')
  table.set(1, 'ein Geheimnis für dich 秘')
  table.remove(0)
  table.remove(1)
  const { 't.text': text } = table.sections('t', 2)
  expect([...(text ?? [])].every((byte) => byte === 0)).toBe(true)
})

it('takes little more than its letters', () => {
  const table = new StringTable()
  for (let entry = 0; entry < 10_000; entry++)
    table.set(entry, `01a204a7-4e86-7205-bc98-${String(entry).padStart(12, '0')}`)
  expect(table.bytes / 10_000).toBeLessThan(36 + 36)
})
