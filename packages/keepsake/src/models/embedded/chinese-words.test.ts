import { describe, expect, it } from 'vitest'
import { segmentChinese } from './chinese-words.ts'
import { embeddedWordVectors } from './word-vectors.ts'

const model = embeddedWordVectors()
function cosine(one: string, other: string): number {
  const [left, right] = [model.embedNow(one), model.embedNow(other)]
  return left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0)
}

describe('segmentChinese', () => {
  it.each([
    ['', []],
    ['我的老板很好', ['我', '的', '老板', '很', '好']],
    ['她妊娠五个月了', ['她', '妊娠', '五', '个', '月', '了']],
    ['昨天去医院看医生', ['昨天', '去', '医院', '看', '医生']],
  ])('divides %s', (run, words) => expect(segmentChinese(run)).toEqual(words))

  it('loses nothing of what is in no word, nor of characters of two units', () => {
    for (const run of ['龘𠮷龘', 'ひらがな老板', '𠮷野家的老板'])
      expect(segmentChinese(run).join('')).toBe(run)
  })
})

describe('Chinese words in the built-in embedder', () => {
  it.each([
    ['医生', '大夫', '番茄'],
    ['怀孕', '妊娠', '地铁'],
    ['他很害怕', '他感到恐惧', '他买了苹果'],
  ])('puts %s nearer to %s than to %s', (word, near, far) => {
    expect(cosine(word, near)).toBeGreaterThan(cosine(word, far) + 0.2)
  })

  it.each([
    ['医生', 'doctor', 'violin'],
    ['小提琴', 'violin', 'doctor'],
    ['我害怕狗', 'I am afraid of dogs', 'The invoice is overdue'],
  ])('puts %s nearer to “%s” than to “%s”, in another language', (word, near, far) => {
    expect(cosine(word, near)).toBeGreaterThan(cosine(word, far) + 0.2)
  })

  it('still tells the order of characters', () => expect(cosine('上海', '海上')).toBeLessThan(0.9))
})
