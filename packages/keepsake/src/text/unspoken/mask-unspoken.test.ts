import { expect, it } from 'vitest'
import { maskUnspoken } from './mask-unspoken.ts'

it.each([
  'this text ',
  'Max 10:31\n',
  'max - ',
  'translate I ',
  'write a b c saying ',
  'left a note ',
  '这条微博',
  '发了一条',
  '有用\n',
  'Ingredients\n',
  'the stranger on ',
])('comes to the end of a long text of %j', (piece) => {
  // Work that grows with the square would outlast the test's minute.
  const text = piece.repeat(390_000 / piece.length)
  expect(maskUnspoken(text)).toHaveLength(text.length)
})

it('keeps the length of a text', () => {
  const text = 'Who sings this? I live in Rome.'
  expect(maskUnspoken(text)).toBe(`Who sings this?${' '.repeat(16)}`)
})
