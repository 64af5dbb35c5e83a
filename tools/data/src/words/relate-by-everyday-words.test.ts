import { describe, expect, it } from 'vitest'
import { relateByEverydayWords } from './relate-by-everyday-words.ts'
import type { Relations } from './write-related-table.ts'

function read(language: 'en' | 'zh'): Relations {
  const relations: Relations = new Map()
  relateByEverydayWords(relations, language, (word) => word)
  return relations
}

describe('relateByEverydayWords', () => {
  it('relates the words of a line to each other, a kind to what it is of, kinds not to each other', () => {
    const english = read('en')
    expect([english.get('boss')?.get('manager'), english.get('manager')?.get('boss')]).toEqual([0.7, 0.7])
    expect([english.get('pet')?.get('dog'), english.get('dog')?.get('pet')]).toEqual([0.6, 0.6])
    expect(english.get('dog')?.get('cat')).toBeUndefined()
    expect(read('zh').get('老板')?.get('领导')).toBe(0.7)
  })

  it.each(['en', 'zh'] as const)('reads every line of the list: %s', (language) => {
    const words = [...read(language)].flatMap(([word, others]) => [word, ...others.keys()])
    expect(words.length).toBeGreaterThan(500)
    expect(words.filter((word) => word === '' || /[,:，：]|^\s|\s$/.test(word))).toEqual([])
  })
})
