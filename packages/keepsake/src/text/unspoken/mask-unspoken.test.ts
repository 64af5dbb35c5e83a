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
])('reads a long text of %j in a moment', (piece) => {
  const start = process.cpuUsage()
  maskUnspoken(piece.repeat(39_000 / piece.length))
  // It takes some 60 ms at most; the bound allows for a slow machine.
  expect(process.cpuUsage(start).user / 1000).toBeLessThan(1000)
})

it('keeps the length of a text', () => {
  const text = 'Who sings this? I live in Rome.'
  expect(maskUnspoken(text)).toBe(`Who sings this?${' '.repeat(16)}`)
})
