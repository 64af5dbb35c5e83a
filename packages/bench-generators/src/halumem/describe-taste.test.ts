import { describe, expect, it } from 'vitest'
import type { TasteChange } from './prompts/life-skeleton.ts'
import { describeTasteChange, describeTastes } from './model-life.ts'

const change = (
  attitude: TasteChange['attitude'],
  before: string | null,
  after: string | null,
): TasteChange => ({ category: 'food', attitude, before, after, day: '2025-10-01' })

describe('a description of a taste', () => {
  it('names the things that a person likes and dislikes', () => {
    const taste = { category: 'food', likes: ['rye', 'leek'], dislikes: ['brie'] }
    expect(describeTastes(taste, 'en')).toBe('food: likes rye, leek; dislikes brie')
    expect(describeTastes({ ...taste, likes: [] }, 'zh')).toBe('food：不喜欢brie')
  })

  it.each([
    ['likes', 'a', 'b', 'food: no longer likes a, now likes b', 'food：不再喜欢a，现在喜欢b'],
    ['likes', 'a', null, 'food: no longer likes a', 'food：不再喜欢a'],
    ['likes', null, 'b', 'food: newly likes b', 'food：开始喜欢b'],
    ['dislikes', 'a', 'b', 'food: no longer dislikes a, now dislikes b', 'food：不再讨厌a，现在不喜欢b'],
    ['dislikes', 'a', null, 'food: no longer dislikes a', 'food：不再讨厌a'],
    ['dislikes', null, 'b', 'food: newly dislikes b', 'food：开始不喜欢b'],
  ] as const)('describes a change: %s, %s to %s', (attitude, before, after, en, zh) => {
    expect(describeTasteChange(change(attitude, before, after), 'en')).toBe(en)
    expect(describeTasteChange(change(attitude, before, after), 'zh')).toBe(zh)
  })
})
