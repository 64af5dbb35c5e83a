import { describe, expect, it } from 'vitest'
import { InvalidInputError } from '../errors/invalid-input-error.ts'
import { extendKeyTable, findKey } from './key-table.ts'
import { keyTable } from './built-in-keys.ts'

const names = { en: ['spirit animal'], zh: ['守护动物'] }

describe('the key table', () => {
  it('holds fifty to eighty-odd keys, each named in both languages', () => {
    const keys = [...keyTable().values()]
    expect(keys.length).toBeGreaterThanOrEqual(50)
    expect(keys.length).toBeLessThanOrEqual(90)
    for (const key of keys)
      expect([key.names.en.length > 0, key.names.zh.length > 0, key.id]).toEqual([true, true, key.id])
  })
  it('uses every merge class, and opposites that point at each other', () => {
    const keys = [...keyTable().values()]
    expect(new Set(keys.map((key) => key.merge)).size).toBe(5)
    for (const key of keys)
      if (key.opposite !== null) expect(keyTable().get(key.opposite)?.opposite).toBe(key.id)
  })
  it('finds keys by id and by name', () => {
    expect(findKey(keyTable(), '年龄')?.id).toBe('age')
    expect(findKey(keyTable(), 'Favourite Food')?.id).toBe('favourite-food')
    expect(findKey(keyTable(), 'shoe size')).toBeUndefined()
  })
  it('takes keys of the user and leaves the table handed in', () => {
    const table = extendKeyTable(keyTable(), [{ id: 'spirit-animal', names, merge: 'replace' }])
    expect(table.get('spirit-animal')).toMatchObject({ type: 'persona', opposite: null, partOf: 'same' })
    expect(keyTable().has('spirit-animal')).toBe(false)
  })
  it('changes the class of a known key', () => {
    const table = extendKeyTable(keyTable(), [
      { id: 'age', names: { en: ['age'], zh: ['年龄'] }, merge: 'trajectory' },
    ])
    expect(table.get('age')?.merge).toBe('trajectory')
  })
  it.each([
    [{ id: 'Spirit Animal', names, merge: 'replace' as const }, /kebab-case/],
    [{ id: 'x', names, merge: 'contradictory' as const }, /names no opposite/],
    [{ id: 'x', names, merge: 'contradictory' as const, opposite: 'nothing' }, /opposite of persona key "x"/],
  ])('refuses %j with a reason', (key, reason) => {
    expect(() => extendKeyTable(keyTable(), [key])).toThrow(InvalidInputError)
    expect(() => extendKeyTable(keyTable(), [key])).toThrow(reason)
  })
  it('refuses the same id twice', () => {
    const key = { id: 'x', names, merge: 'replace' as const }
    expect(() => extendKeyTable(keyTable(), [key, key])).toThrow(/given twice/)
  })
})
