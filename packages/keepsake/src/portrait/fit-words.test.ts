import { expect, it } from 'vitest'
import { fitWords } from './fit-words.ts'

const TEXT = 'One came. Two came. Three came.'

it.each<[words: number, dropped: 'oldest' | 'last', sentences: number | undefined, fitted: string]>([
  [6, 'last', undefined, TEXT],
  [5, 'last', undefined, 'One came. Two came.'],
  [4, 'last', undefined, 'One came. Two came.'],
  [4, 'oldest', undefined, 'Two came. Three came.'],
  [2, 'oldest', undefined, 'Three came.'],
  [1, 'last', undefined, ''],
  [9, 'last', 3, TEXT],
  [9, 'last', 2, 'One came. Two came.'],
  [9, 'oldest', 1, 'Three came.'],
  [2, 'last', 2, 'One came.'],
])('fits into %d words from the %s on, in %s sentences', (words, dropped, sentences, fitted) => {
  expect(fitWords(TEXT, words, dropped, sentences)).toBe(fitted)
})

it('leaves a text that fits as it stands', () => {
  expect(fitWords('One  came.\nTwo came.', 4, 'last')).toBe('One  came.\nTwo came.')
  expect(fitWords('One  came.\nTwo came.', 4, 'last', 2)).toBe('One  came.\nTwo came.')
})
