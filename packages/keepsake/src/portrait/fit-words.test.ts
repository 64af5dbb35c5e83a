import { expect, it } from 'vitest'
import { fitWords } from './compress-by-model.ts'

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
  expect(fitWords(TEXT, { words, ...(sentences === undefined ? {} : { sentences }) }, dropped)).toBe(fitted)
})

it('leaves a text that fits as it stands', () => {
  expect(fitWords('One  came.\nTwo came.', { words: 4 }, 'last')).toBe('One  came.\nTwo came.')
  expect(fitWords('One  came.\nTwo came.', { words: 4, sentences: 2 }, 'last')).toBe('One  came.\nTwo came.')
})

it('counts a Chinese character as a word where that is the bound', () => {
  const text = '她搬家了。她很高兴。'
  expect(fitWords(text, { words: 5 }, 'last')).toBe(text)
  expect(fitWords(text, { words: 4, charactersAWord: 1 }, 'last')).toBe('她搬家了。')
})
