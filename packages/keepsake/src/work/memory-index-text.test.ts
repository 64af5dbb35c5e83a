import { expect, it } from 'vitest'
import { makeFact } from '../memories/memory-fixture.ts'
import { extendKeyTable } from '../persona/key-table.ts'
import { memoryIndexText } from './memory-index-text.ts'

const KEYS = extendKeyTable(new Map(), [
  { id: 'residence', names: { en: ['residence', 'home'], zh: ['住处'] }, merge: 'trajectory' },
])
const past = (text: string) => ({ text, value: null, validFrom: 0, validUntil: 1, evidence: [] })

it('reads what a memory says, what it said before, and the names of its key in its own language', () => {
  const lyon = makeFact({ text: 'She moved to Lyon.', key: 'residence', past: [past('Rome'), past('Oslo')] })
  expect(memoryIndexText(lyon, KEYS)).toBe('She moved to Lyon.\nRome\nOslo\nresidence\nhome')
  expect(memoryIndexText({ ...lyon, text: '她搬到了里昂。', past: [] }, KEYS)).toBe('她搬到了里昂。\n住处')
})

it('reads no names where it has no key, or none of the table', () => {
  expect(memoryIndexText(makeFact({ text: 'She sings.' }), KEYS)).toBe('She sings.')
  expect(memoryIndexText(makeFact({ text: 'She sings.', key: 'hobbies' }), KEYS)).toBe('She sings.')
})
