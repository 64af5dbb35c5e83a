import { expect, it } from 'vitest'
import * as fc from 'fast-check'
import type { Numbers } from './image-sections.ts'
import { StringTable } from './string-table.ts'

/** As it is read from a file; a Buffer's own `slice` is no copy. */
function copyOf(numbers: Numbers): Numbers {
  return Buffer.isBuffer(numbers) ? new Uint8Array(numbers) : numbers.slice()
}

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

it('counts the strings of an image as they come and go, whenever it is asked', () => {
  fc.assert(
    fc.property(texts, fc.array(fc.nat(400), { maxLength: 300 }), (list, acts) => {
      const table = new StringTable()
      for (const [entry, text] of list.entries()) table.set(entry, text)
      for (const asks of ['first', 'last']) {
        const again = new StringTable()
        const kept = Object.entries(table.sections('t', list.length))
        again.restore('t', Object.fromEntries(kept.map(([name, one]) => [name, copyOf(one)])))
        const there = new Set(list.keys())
        if (asks === 'first') expect(again.size).toBe(list.length)
        for (const entry of acts) {
          if (there.delete(entry)) again.remove(entry)
          else {
            again.set(entry, `new ${entry}`)
            there.add(entry)
          }
        }
        expect(again.size).toBe(there.size)
        for (const entry of there) expect(again.find(again.get(entry) ?? '')).toBe(entry)
      }
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
